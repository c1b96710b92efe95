import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { coupons } from '../db/schema/coupons.ts';
import { notFound } from '../domain/rejection.ts';
import { searchTextOf } from '../domain/search-text.ts';
import { selectMembers } from '../partners/selected-partners.ts';
import { type Coupon, orRefused, selectCoupons } from './coupon.ts';

export interface NewCoupon {
	readonly partnerId: number;
	readonly code: string;
}

/**
 * Needs an admin. Rejects with 404 for an unknown partner, and with 409 if the membership has ended or another active coupon has the code.
 */
export async function createCoupon(ctx: Context, program: ManagedProgram, { partnerId, code }: NewCoupon): Promise<Coupon> {
	const [member] = await selectMembers(ctx, program.id, [partnerId]);
	if (!member) throw notFound('Partner');
	const newest = sql<number>`(SELECT max(${coupons.id}) FROM ${coupons})`;
	const inserted = {
		programId: program.id,
		partnerProgramId: member.partnerProgramId,
		code,
		createdAt: ctx.now,
		searchText: searchTextOf([code]),
	};
	try {
		const { made } = await write(
			ctx.db,
			[
				ctx.db.insert(coupons).values(inserted),
				auditProgram(ctx, program, { action: 'coupon.create', subjectId: newest, detail: { partner_id: partnerId } }),
			],
			{ made: selectCoupons(ctx, program.id, { couponId: newest }) },
		);
		if (!made[0]) throw new Error('The new coupon is gone');
		return made[0];
	} catch (error) {
		throw orRefused(error, code);
	}
}
