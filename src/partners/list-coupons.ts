import type { Context } from '../context.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type Coupon, type CouponFilter, selectCoupons } from './coupon.ts';

/** The coupons of a program, newest first; archived ones too. */
export async function listCoupons(
	ctx: Context,
	program: { readonly id: number },
	{ cursor, limit, ...filter }: PageRequest & Omit<CouponFilter, 'before'>,
): Promise<Page<Coupon>> {
	return pageOf(await selectCoupons(ctx, program.id, { ...filter, before: cursor }).limit(limit + 1), limit);
}
