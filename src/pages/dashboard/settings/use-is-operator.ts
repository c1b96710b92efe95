import { useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from '../../layout/me.ts';

/** Whether who is signed in sees how the installation is: its owners alone do. */
export function useIsOperator(): boolean {
	return useSuspenseQuery(meQuery).data.is_operator;
}
