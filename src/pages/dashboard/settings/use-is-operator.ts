import { useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from '../../layout/me.ts';

/** Whether the person is an owner of the service, who alone sees its state. */
export function useIsOperator(): boolean {
	return useSuspenseQuery(meQuery).data.is_operator;
}
