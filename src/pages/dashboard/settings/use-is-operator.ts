import { useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from '../../frame/me.ts';

/** The first workspace operates the installation: its owners alone see how that is. */
export function useIsOperator(): boolean {
	const { data: me } = useSuspenseQuery(meQuery);
	return me.workspaces.some(({ id, role }) => id === 1 && role === 'owner');
}
