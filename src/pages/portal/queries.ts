import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api.ts';

// What more than one page asks for.

/** A program as its partner sees it: rates, balances, the link to copy, what is paid next. */
export function membershipQuery(id: string) {
	return queryOptions({
		queryKey: ['membership', id],
		queryFn: async ({ signal }) => (await answerOf(api.v1['partner-programs'][':id'].$get({ param: { id } }, { init: { signal } }))).data,
	});
}
