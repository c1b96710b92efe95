import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, noneWhereNotFound } from '../../api.ts';

/** Where a partner is paid, in short; null where that is not known yet. */
export function payoutDetailsQuery(partnerId: number) {
	return queryOptions({
		queryKey: ['payout-details', partnerId],
		queryFn: async ({ signal }) => {
			const asked = api.v1['partner-accounts'][':partnerId']['payout-details'].$get(
				{ param: { partnerId: String(partnerId) } },
				{ init: { signal } },
			);
			return (await answerOf(asked).catch(noneWhereNotFound))?.data ?? null;
		},
	});
}
