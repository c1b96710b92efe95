import { and, desc, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { payouts } from '../db/schema/money.ts';
import { paidReasonOf, sentReasonOf } from '../domain/commissions/own-status.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import { notFound } from '../domain/rejection.ts';
import { commissionCount, payoutStatus } from './payout.ts';

type SelectedPayout = Awaited<ReturnType<typeof selectOwnPayouts>>[number];

export type OwnPayout = SelectedPayout & {
	readonly amountReason: string;
	readonly stateReason: string;
};

function selectOwnPayouts(ctx: Context, { id }: Pick<PartnerMembership, 'id'>, condition: SQL | undefined) {
	return ctx.db
		.select({
			id: payouts.id,
			status: payoutStatus,
			currency: payouts.currency,
			amountCents: payouts.amountCents,
			/** Deducted for an earlier debt. */
			recoveredCents: payouts.recoveredCents,
			/** The commissions after their deductions. */
			commissionCents: sql<number>`${payouts.dueCents} - ${payouts.surplusCents}`,
			surplusCents: payouts.surplusCents,
			commissionCount,
			createdAt: payouts.createdAt,
			sentAt: payouts.sentAt,
			sentReference: payouts.sentReference,
			failedAt: payouts.failedAt,
			failureReason: payouts.failureReason,
		})
		.from(payouts)
		.where(and(eq(payouts.partnerProgramId, id), condition))
		.orderBy(desc(payouts.id));
}

/** By currency and whether they were sent, as a statement for a batch. A failed payout is in the balance again. */
export function selectOwnPayoutSums(ctx: Context, { id }: Pick<PartnerMembership, 'id'>) {
	return ctx.db
		.select({
			currency: payouts.currency,
			isSent: sql`${payouts.sentAt} IS NOT NULL`.mapWith(Boolean),
			payouts: sql<number>`count(*)`,
			amountCents: sql<number>`sum(${payouts.amountCents})`,
			newestId: sql<number>`max(${payouts.id})`,
		})
		.from(payouts)
		.where(and(eq(payouts.partnerProgramId, id), isNull(payouts.failedAt), ne(payouts.amountCents, 0)))
		.groupBy(payouts.currency, sql`${payouts.sentAt} IS NOT NULL`);
}

/** Newest first. One round trip. */
export async function listOwnPayouts(ctx: Context, membership: PartnerMembership, request: PageRequest): Promise<Page<OwnPayout>> {
	const list = { order: newestFirst(payouts.id), where: eq(payouts.partnerProgramId, membership.id) };
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) => selectOwnPayouts(ctx, membership, isOnPage).limit(limit));
	return mapPage(page, (row) => explained(membership, row));
}

/** One round trip. Rejects with 404. */
export async function requireOwnPayout(ctx: Context, membership: PartnerMembership, payoutId: number): Promise<OwnPayout> {
	const [payout] = await selectOwnPayouts(ctx, membership, eq(payouts.id, payoutId));
	if (!payout) throw notFound('Payout');
	return explained(membership, payout);
}

function explained({ program }: PartnerMembership, payout: SelectedPayout): OwnPayout {
	return { ...payout, amountReason: paidReasonOf(payout), stateReason: sentReasonOf(payout, program) };
}
