import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isAtLeast, type Role } from '../../domain/people/role.ts';
import { meQuery } from '../layout/me.ts';
import { programQuery } from './queries.ts';

/** The program in the URL, and whether the member has a role. */
export function useProgram() {
	const { programId } = useParams({ from: '/shell/programs/$programId' });
	const { data: program } = useSuspenseQuery(programQuery(programId));
	const { data: me } = useSuspenseQuery(meQuery);
	const role: Role = me.workspaces.find(({ id }) => id === program.workspace_id)?.role ?? 'member';
	return { programId, program, role, can: (atLeast: Role) => isAtLeast(role, atLeast) };
}
