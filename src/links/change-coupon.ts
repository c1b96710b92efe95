import { and, eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { coupons } from '../db/schema/coupons.ts';
import { notFound } from '../domain/rejection.ts';
import { searchTextOf } from '../domain/search-text.ts';
import { type Coupon, orRefused, selectCoupons } from './coupon.ts';

export interface CouponChanges {
	/** Sales with the old code stay with the coupon. */
	readonly code?: string | undefined;
	/** An archived coupon attributes no sales; it can be restored. */
	readonly archived?: boolean | undefined;
}

/**
 * Changes a coupon's code or state, never its partner. Needs an admin. Rejects with 404, and with 409 if another active coupon has the code
 * or the membership has ended.
 */
export async function changeCoupon(ctx: Context, program: ManagedProgram, couponId: number, changes: CouponChanges): Promise<Coupon> {
	const [coupon] = await selectCoupons(ctx, program.id, { couponId });
	if (!coupon) throw notFound('Coupon');
	const { code, archived } = changes;
	try {
		const { changed } = await write(
			ctx.db,
			[
				ctx.db
					.update(coupons)
					.set({
						...(code === undefined ? { code: sql`${coupons.code}` } : { code, searchText: searchTextOf([code]) }),
						...(archived !== undefined && { archivedAt: archivedAtOf(ctx, archived) }),
					})
					.where(and(eq(coupons.id, couponId), eq(coupons.programId, program.id))),
				auditProgram(ctx, program, {
					action: 'coupon.change',
					subjectId: couponId,
					detail: { renamed: code !== undefined, archived },
				}),
			],
			{ changed: selectCoupons(ctx, program.id, { couponId }) },
		);
		return changed[0] ?? coupon;
	} catch (error) {
		throw orRefused(error, code ?? coupon.code);
	}
}

/** An archived coupon keeps its date. */
function archivedAtOf(ctx: Context, archived: boolean) {
	return archived ? sql`coalesce(${coupons.archivedAt}, ${ctx.now})` : null;
}
