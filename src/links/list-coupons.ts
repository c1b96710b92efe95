import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { coupons } from '../db/schema/coupons.ts';
import { pageOf, type PageRequest } from '../domain/page.ts';
import { type Coupon, type CouponFilter, selectCoupons } from './coupon.ts';
import { countedOf, findByText, foundAround, type FoundPage, inOrderOf, type Searchable } from '../partners/find-by-text.ts';
import { membershipIdOf } from '../partners/membership-id.ts';

export interface CouponsRequest extends PageRequest, Pick<CouponFilter, 'partnerId' | 'partnerProgramId' | 'archived'> {
	readonly search?: string | undefined;
}

const COUPONS: Searchable = {
	table: 'coupons',
	parts: 'coupon_parts',
	id: 'coupon_id',
	unfilled: (programId, isFound) => sql`
		SELECT c.id FROM coupons c WHERE c.program_id = ${programId} AND c.search_text IS NULL AND ${isFound(sql`c.code`)}`,
};

/** Newest first, including archived ones. A search lists the best match first. */
export async function listCoupons(ctx: Context, program: { readonly id: number }, request: CouponsRequest): Promise<FoundPage<Coupon>> {
	const { search, partnerId, partnerProgramId, archived, limit } = request;
	const filter = { partnerId, partnerProgramId, archived };
	if (search === undefined) {
		const membershipId = partnerId === undefined ? partnerProgramId : membershipIdOf(program.id, partnerId);
		const list = {
			order: newestFirst(coupons.id),
			where: membershipId === undefined ? eq(coupons.programId, program.id) : sql`${coupons.partnerProgramId} = ${membershipId}`,
			filter: archived === undefined ? undefined : sql`(${coupons.archivedAt} IS NOT NULL) = ${archived ? 1 : 0}`,
		};
		return readPage(ctx.db, list, request, (condition, most) => selectCoupons(ctx, program.id, { ...filter, condition }).limit(most));
	}
	const found = await findByText(ctx, program.id, COUPONS, search);
	const rows = await selectCoupons(ctx, program.id, { ...filter, found: { ids: foundAround(found, request), limit: limit + 1 } });
	const isFiltered = Object.values(filter).some((value) => value !== undefined);
	return { ...pageOf(inOrderOf(found.ids, rows), request, countedOf(found, request, isFiltered)), isComplete: found.isComplete };
}
