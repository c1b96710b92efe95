import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { refundsOfSale } from './refunds-of-sale.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { subIdOfSale } from './sub-id-of-sale.ts';
import { commissionRuleVersions } from '../db/schema/commission-rules.ts';
import { commissions, payouts } from '../db/schema/money.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { factsOf } from '../domain/commissions/decision-facts.ts';
import { ownReasonOf } from '../domain/commissions/own-status.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import { notFound } from '../domain/rejection.ts';
import { type PayoutStatus, payoutStatusOf } from '../domain/payouts/payout-state.ts';
import type { CommissionStatus } from '../domain/refunds/reversal.ts';
import { rulesOfLines } from './rules-of-lines.ts';
import { type CommissionRange, rangeConditionsOf } from './commission-filter.ts';

type SelectedCommission = Awaited<ReturnType<typeof selectOwnCommissions>>[number];

/** Contains nothing that could identify the customer. */
export type OwnCommission = Omit<SelectedCommission, 'payout'> & {
	readonly payoutStatus: PayoutStatus | null;
	readonly payoutSentAt: number | null;
	readonly isPayoutFailed: boolean;
	/** Why it is in its state, in plain words. */
	readonly stateReason: string;
};

export interface OwnCommissionFilter extends CommissionRange {
	readonly currency?: string | undefined;
}

/** Newest first, in the order of the membership's index, as a statement for a batch. */
function selectOwnCommissions(ctx: Context, { id }: Pick<PartnerMembership, 'id'>, conditions: readonly (SQL | undefined)[]) {
	return ctx.db
		.select({
			id: commissions.id,
			status: commissions.status,
			amountCents: commissions.amountCents,
			deductedCents: commissions.deductedCents,
			statusBeforeRefund: commissions.statusBeforeRefund,
			currency: commissions.currency,
			sale: {
				amountCents: affiliateSaleEvents.amountCents,
				refundedCents: affiliateSaleEvents.refundedCents,
				productId: affiliateSaleEvents.productId,
				subId: subIdOfSale,
				createdAt: affiliateSaleEvents.createdAt,
			},
			rate: {
				type: commissionRuleVersions.type,
				basisPoints: commissionRuleVersions.basisPoints,
				amountCents: commissionRuleVersions.amountCents,
			},
			refunds: refundsOfSale(commissions.saleId, sql`is_test = 0 AND outcome <> 'skipped'`),
			holdUntil: commissions.holdUntil,
			/** The longest hold, if the sale's lines had several rules. */
			holdDays: sql<number>`(${commissions.holdUntil} - ${affiliateSaleEvents.createdAt}) / ${DAY_MS}`,
			facts: sql<ReturnType<typeof factsOf> | null>`${affiliateSaleEvents.decisionFacts}`.mapWith(factsOf),
			lineRules: rulesOfLines,
			paidAt: commissions.paidAt,
			payoutId: commissions.payoutId,
			payout: { amountCents: payouts.amountCents, sentAt: payouts.sentAt, failedAt: payouts.failedAt },
			refundReason: commissions.refundReason,
			rejectionReason: commissions.rejectionReason,
			createdAt: commissions.createdAt,
			createdDay: commissions.createdDay,
		})
		.from(commissions)
		.innerJoin(affiliateSaleEvents, eq(affiliateSaleEvents.id, commissions.saleId))
		.innerJoin(commissionRuleVersions, eq(commissionRuleVersions.id, commissions.ruleVersionId))
		.leftJoin(payouts, eq(payouts.id, commissions.payoutId))
		.where(and(eq(commissions.partnerProgramId, id), ...conditions))
		.orderBy(desc(commissions.id));
}

/** Newest first; with `payoutId`, those of that payout. One round trip. */
export async function listOwnCommissions(
	ctx: Context,
	membership: PartnerMembership,
	request: OwnCommissionFilter & PageRequest & { readonly status?: CommissionStatus | undefined; readonly payoutId?: number },
): Promise<Page<OwnCommission>> {
	const { status, payoutId } = request;
	const list = {
		order: newestFirst(commissions.id),
		where: and(eq(commissions.partnerProgramId, membership.id), payoutId === undefined ? undefined : eq(commissions.payoutId, payoutId)),
		filter: and(...conditionsOf(request), status === undefined ? undefined : eq(commissions.status, status)),
	};
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) => selectOwnCommissions(ctx, membership, [isOnPage]).limit(limit));
	return mapPage(page, (row) => explained(ctx, membership, row));
}

export function conditionsOf({ currency, ...range }: OwnCommissionFilter): (SQL | undefined)[] {
	return [...rangeConditionsOf(range), currency === undefined ? undefined : eq(commissions.currency, currency)];
}

/** One round trip. Rejects with 404. */
export async function requireOwnCommission(ctx: Context, membership: PartnerMembership, commissionId: number): Promise<OwnCommission> {
	const [commission] = await selectOwnCommissions(ctx, membership, [eq(commissions.id, commissionId)]);
	if (!commission) throw notFound('Commission');
	return explained(ctx, membership, commission);
}

function explained(ctx: Context, { program }: PartnerMembership, { payout, ...selected }: SelectedCommission): OwnCommission {
	const payoutStatus = payout && payoutStatusOf(payout);
	const commission = { ...selected, payoutStatus, payoutSentAt: payout?.sentAt ?? null, isPayoutFailed: payoutStatus === 'failed' };
	return { ...commission, stateReason: ownReasonOf(commission, { now: ctx.now, timeZone: program.timeZone }) };
}
