import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { pageOf, type PageRequest } from '../domain/page.ts';
import { type Coupon, type CouponFilter, selectCoupons } from './coupon.ts';
import { findByText, foundBehind, type FoundPage, inOrderOf, type Searchable } from './find-by-text.ts';

export interface CouponsRequest extends PageRequest, Pick<CouponFilter, 'partnerId' | 'partnerProgramId' | 'archived'> {
	/** A part of the code. */
	readonly search?: string | undefined;
}

const COUPONS: Searchable = {
	table: 'coupons',
	parts: 'coupon_parts',
	id: 'coupon_id',
	unfilled: (programId, isFound) => sql`
		SELECT c.id FROM coupons c WHERE c.program_id = ${programId} AND c.search_text IS NULL AND ${isFound(sql`c.code`)}`,
};

/** The coupons of a program, newest first; archived ones too. Of a search the best match comes first. */
export async function listCoupons(
	ctx: Context,
	program: { readonly id: number },
	{ cursor, limit, search, ...filter }: CouponsRequest,
): Promise<FoundPage<Coupon>> {
	if (search === undefined) return pageOf(await selectCoupons(ctx, program.id, { ...filter, before: cursor }).limit(limit + 1), limit);
	const found = await findByText(ctx, program.id, COUPONS, search);
	const behind = foundBehind(found, cursor);
	const rows = await selectCoupons(ctx, program.id, { ...filter, found: { ids: behind, limit: limit + 1 } });
	return { ...pageOf(inOrderOf(behind, rows), limit), isComplete: found.isComplete };
}
