import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isAtLeast, type Role } from '../../../domain/people/role.ts';
import { meQuery } from '../../layout/me.ts';
import { programQuery } from '../queries.ts';

/** The workspace in the URL, or else the program's. Days are in the program's time zone, or else the browser's. */
export function useWorkspace() {
	const { workspaceId, programId = '' } = useParams({ strict: false });
	// The route has already loaded it.
	const { data: program } = useQuery({ ...programQuery(programId), enabled: programId !== '' });
	const { data: me } = useSuspenseQuery(meQuery);
	const id = workspaceId ?? String(program?.workspace_id);
	const workspace = me.workspaces.find((one) => String(one.id) === id);
	const role: Role = workspace?.role ?? 'member';
	return { id, name: workspace?.name ?? 'Workspace', zone: program?.time_zone, role, may: (atLeast: Role) => isAtLeast(role, atLeast) };
}
