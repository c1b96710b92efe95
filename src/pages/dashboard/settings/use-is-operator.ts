import { useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from '../../layout/me.ts';

/** Whether the signed-in person operates the service. Only operators see its state. */
export function useIsOperator(): boolean {
	return useSuspenseQuery(meQuery).data.is_operator;
}
