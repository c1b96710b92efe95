import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, noneWhereNotFound } from '../../api.ts';

/** Masked; null if none are set. */
export function payoutDetailsQuery(partnerId: number) {
	return queryOptions({
		queryKey: ['payout-details', partnerId],
		queryFn: async ({ signal }) => {
			const answer = api.v1['partner-accounts'][':partnerId']['payout-details'].$get(
				{ param: { partnerId: String(partnerId) } },
				{ init: { signal } },
			);
			return (await answerOf(answer).catch(noneWhereNotFound))?.data ?? null;
		},
	});
}
