import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refundsOfSale } from './refunds-of-sale.ts';
import { subIdOfSale } from './sub-id-of-sale.ts';
import { commissionRules, commissionRuleVersions } from '../db/schema/commission-rules.ts';
import { commissions, payouts } from '../db/schema/money.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { unindexed } from '../db/unindexed.ts';
import { stateReasonOf } from '../domain/commissions/commission-state.ts';
import { notFound } from '../domain/rejection.ts';

type SelectedCommission = Awaited<ReturnType<typeof selectCommissions>>[number];

/** A commission with its sale, rule and refunds. */
export type Commission = SelectedCommission & {
	/** Why it is in its state, in plain words. */
	readonly stateReason: string;
};

/** The index to use: the program's, by day, or one that the conditions select, such as the partner's. */
export type CommissionKey = 'program' | 'other';

/** Newest first, as a statement for a batch. */
export function selectCommissions(
	ctx: Context,
	programId: number,
	conditions: readonly (SQL | undefined)[],
	key: CommissionKey = 'program',
) {
	const isOfProgram = key === 'program' ? eq(commissions.programId, programId) : unindexed(commissions.programId, programId);
	return (
		ctx.db
			.select({
				id: commissions.id,
				status: commissions.status,
				amountCents: commissions.amountCents,
				deductedCents: commissions.deductedCents,
				statusBeforeRefund: commissions.statusBeforeRefund,
				currency: commissions.currency,
				partner: { id: partners.id, name: partners.name },
				sale: {
					id: affiliateSaleEvents.id,
					transactionId: affiliateSaleEvents.transactionId,
					amountCents: affiliateSaleEvents.amountCents,
					refundedCents: affiliateSaleEvents.refundedCents,
					subId: subIdOfSale,
					createdAt: affiliateSaleEvents.createdAt,
				},
				rule: {
					id: commissionRules.id,
					version: commissionRuleVersions.version,
					type: commissionRuleVersions.type,
					basisPoints: commissionRuleVersions.basisPoints,
					amountCents: commissionRuleVersions.amountCents,
				},
				refunds: refundsOfSale(commissions.saleId, sql`is_test = 0`),
				holdUntil: commissions.holdUntil,
				paidAt: commissions.paidAt,
				payoutId: commissions.payoutId,
				isPayoutFailed: sql`${payouts.failedAt} IS NOT NULL`.mapWith(Boolean),
				refundReason: commissions.refundReason,
				rejectionReason: commissions.rejectionReason,
				createdAt: commissions.createdAt,
				createdDay: commissions.createdDay,
			})
			.from(commissions)
			.innerJoin(partnerPrograms, eq(partnerPrograms.id, commissions.partnerProgramId))
			.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
			.innerJoin(affiliateSaleEvents, eq(affiliateSaleEvents.id, commissions.saleId))
			.innerJoin(commissionRuleVersions, eq(commissionRuleVersions.id, commissions.ruleVersionId))
			.innerJoin(commissionRules, eq(commissionRules.id, commissionRuleVersions.ruleId))
			.leftJoin(payouts, eq(payouts.id, commissions.payoutId))
			.where(and(isOfProgram, ...conditions))
			// The order of the program's index. Days and ids increase together.
			.orderBy(...(key === 'program' ? [desc(commissions.createdDay)] : []), desc(commissions.id))
	);
}

export function explained(commission: SelectedCommission, now: number): Commission {
	return { ...commission, stateReason: stateReasonOf(commission, now) };
}

/** One round trip. Rejects with 404. */
export async function requireCommission(ctx: Context, program: { readonly id: number }, commissionId: number): Promise<Commission> {
	const [commission] = await selectCommissions(ctx, program.id, [eq(commissions.id, commissionId)]);
	if (!commission) throw notFound('Commission');
	return explained(commission, ctx.now);
}
