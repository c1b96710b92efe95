import { eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { mintClickId } from '../customers/mint-click-id.ts';
import type { StatementContext, Param } from '../db/prepare.ts';
import { coupons } from '../db/schema/coupons.ts';
import { partnerPrograms, referralLinks } from '../db/schema/partners.ts';
import { clickTimeOf } from '../domain/attribution/click-id.ts';
import type { SentCoupon } from '../domain/attribution/coupon.ts';

type FoundCoupon = Awaited<ReturnType<typeof selectCoupon>>[number];

/** The active coupon, and the link that its sales count for: the partner's first link that accepts clicks, or else the first one. */
export function selectCoupon(ctx: StatementContext, programId: Param<number>, code: Param<string | undefined>) {
	return ctx.db
		.select({
			id: coupons.id,
			partnerProgramId: coupons.partnerProgramId,
			status: partnerPrograms.status,
			referralLinkId: sql<number | null>`coalesce(${firstLink(sql`${referralLinks.archivedAt} IS NULL`)}, ${firstLink(sql`true`)})`,
		})
		.from(coupons)
		.innerJoin(partnerPrograms, eq(partnerPrograms.id, coupons.partnerProgramId))
		.where(isInUse(programId, code));
}

function firstLink(condition: SQL): SQL {
	return sql`(SELECT ${referralLinks.id} FROM ${referralLinks}
		WHERE ${referralLinks.partnerProgramId} = ${coupons.partnerProgramId} AND ${condition} ORDER BY ${referralLinks.id} LIMIT 1)`;
}

export function isInUse(programId: Param<number>, code: Param<string | undefined>): SQL {
	return sql`${coupons.programId} = ${programId} AND ${coupons.code} = ${code} AND ${coupons.archivedAt} IS NULL`;
}

/**
 * The coupon of a sale paid at that time, with a placeholder click in case it attributes the customer. Like a link, a suspended partner's
 * coupon attributes nobody.
 */
export async function sentCoupon(ctx: Context, found: FoundCoupon | undefined, paidAt: number): Promise<SentCoupon | 'unknown'> {
	if (!found) return 'unknown';
	const { id, partnerProgramId, status, referralLinkId } = found;
	if (status !== 'active' || referralLinkId === null) return { id, partnerProgramId, click: undefined };
	const clickedAt = clickTimeOf(Math.min(paidAt, ctx.now));
	const clickId = await mintClickId(ctx, { referralLinkId, clickedAt, isTest: false });
	return { id, partnerProgramId, click: { clickId, clickedAt, referralLinkId, partnerProgramId, customers: 0, couponId: id } };
}
