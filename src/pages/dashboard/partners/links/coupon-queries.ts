import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../../api.ts';

export type Coupon = Awaited<ReturnType<typeof askCoupons>>['data'][number];

export interface CouponListFilter {
	readonly partner_id?: string | undefined;
	readonly search?: string | undefined;
	readonly archived?: 'true' | 'false' | undefined;
	readonly cursor?: string | undefined;
	readonly limit?: string | undefined;
}

export function couponsQuery(programId: string, request: CouponListFilter) {
	return queryOptions({
		queryKey: ['coupons', programId, request],
		queryFn: ({ signal }) => askCoupons(programId, request, signal),
	});
}

function askCoupons(id: string, query: CouponListFilter, signal: AbortSignal) {
	return answerOf(api.v1.programs[':id'].coupons.$get({ param: { id }, query: { ...query, total: 'true' } }, { init: { signal } }));
}
