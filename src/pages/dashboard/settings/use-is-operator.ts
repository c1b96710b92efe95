import { useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from '../../layout/me.ts';

/** Only operators see the state of the service. */
export function useIsOperator(): boolean {
	return useSuspenseQuery(meQuery).data.is_operator;
}
