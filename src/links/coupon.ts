import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, violates } from '../db/client.ts';
import { coupons } from '../db/schema/coupons.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { unindexed } from '../db/unindexed.ts';
import { conflict } from '../domain/rejection.ts';
import { type FoundRows, isOnPage } from '../partners/find-by-text.ts';
import { membershipIdOf } from '../partners/membership-id.ts';

/** Counting stops here, because a list of coupons must not read all sales. */
const SALES_COUNTED = 1_000;

export type Coupon = Awaited<ReturnType<typeof selectCoupons>>[number];

export interface CouponFilter {
	readonly couponId?: number | SQL<number> | undefined;
	readonly partnerId?: number | undefined;
	readonly partnerProgramId?: number | undefined;
	readonly found?: FoundRows;
	readonly archived?: boolean | undefined;
	readonly condition?: SQL | undefined;
}

/** A statement for any batch, newest first. */
export function selectCoupons(ctx: Context, programId: number, only: CouponFilter) {
	return ctx.db
		.select({
			id: coupons.id,
			code: coupons.code,
			partner: { id: sql<number>`${partners.id}`, name: sql<string>`${partners.name}` },
			sales: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM affiliate_sale_events s WHERE s.coupon_id = ${coupons.id} LIMIT ${SALES_COUNTED}))`,
			lastSaleAt: sql<
				number | null
			>`(SELECT s.created_at FROM affiliate_sale_events s WHERE s.coupon_id = ${coupons.id} ORDER BY s.id DESC LIMIT 1)`,
			createdAt: coupons.createdAt,
			archivedAt: coupons.archivedAt,
		})
		.from(coupons)
		.innerJoin(partnerPrograms, eq(partnerPrograms.id, coupons.partnerProgramId))
		.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(only.found ? isOnPage('coupons', only.found, and(...conditions(programId, only))) : and(...conditions(programId, only)))
		.orderBy(desc(coupons.id));
}

function conditions(programId: number, only: CouponFilter): (SQL | undefined)[] {
	const { couponId, partnerId, partnerProgramId, archived, condition, found } = only;
	const isFoundOtherwise = [couponId, partnerId, partnerProgramId, found].some((key) => key !== undefined);
	return [
		isFoundOtherwise ? unindexed(coupons.programId, programId) : eq(coupons.programId, programId),
		couponId === undefined ? undefined : eq(coupons.id, couponId),
		partnerId === undefined ? undefined : sql`${coupons.partnerProgramId} = ${membershipIdOf(programId, partnerId)}`,
		partnerProgramId === undefined ? undefined : eq(coupons.partnerProgramId, partnerProgramId),
		archived === undefined ? undefined : sql`(${coupons.archivedAt} IS NOT NULL) = ${archived ? 1 : 0}`,
		condition,
	];
}

/** 409 if the code is in use or the membership has ended. */
export function orRefused(error: unknown, code: string): unknown {
	if (violates(error, 'coupons.code')) return conflict(`Coupon ${code} is already in use`);
	return refusedWith(error, 'coupons: of no member') ? conflict("The partner's membership has ended: add the partner again") : error;
}
