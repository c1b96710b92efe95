import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { refundsOfSale } from '../commissions/refunds-of-sale.ts';
import { subIdOfSale } from '../commissions/sub-id-of-sale.ts';
import { commissionRuleVersions } from '../db/schema/commission-rules.ts';
import { coupons } from '../db/schema/coupons.ts';
import { customers } from '../db/schema/customers.ts';
import { commissions, payouts } from '../db/schema/money.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';
import { affiliateSaleEvents as sales } from '../db/schema/sales.ts';
import type { NoCommissionReason } from '../domain/commissions/commission.ts';
import { factsOf } from '../domain/commissions/decision-facts.ts';
import { rulesOfLines } from '../commissions/rules-of-lines.ts';

export const TIMELINES = 10;
/** Refunds and ledger entries per sale. */
const PARTS = 50;

const Entries = z.array(
	z.object({
		id: z.number(),
		kind: z.string(),
		nominalCents: z.number(),
		appliedCents: z.number(),
		balanceAfterCents: z.number(),
		payoutId: z.nullable(z.number()),
		createdAt: z.number(),
	}),
);

const entriesOfCommission = sql<z.infer<typeof Entries>>`(
	SELECT json_group_array(json_object('id', id, 'kind', kind, 'nominalCents', nominal_cents, 'appliedCents', applied_cents,
		'balanceAfterCents', balance_after_cents, 'payoutId', payout_id, 'createdAt', created_at))
	FROM (SELECT * FROM ledger_entries WHERE commission_id = ${commissions.id} ORDER BY id LIMIT ${PARTS})
)`.mapWith((json: string) => Entries.parse(JSON.parse(json)));

const OF_COMMISSION = {
	commission: {
		id: commissions.id,
		status: commissions.status,
		amountCents: commissions.amountCents,
		deductedCents: commissions.deductedCents,
		statusBeforeRefund: commissions.statusBeforeRefund,
		currency: commissions.currency,
		holdUntil: commissions.holdUntil,
		paidAt: commissions.paidAt,
		payoutId: commissions.payoutId,
		refundReason: commissions.refundReason,
		rejectionReason: commissions.rejectionReason,
		createdAt: commissions.createdAt,
	},
	rule: {
		id: commissionRuleVersions.ruleId,
		version: commissionRuleVersions.version,
		type: commissionRuleVersions.type,
		basisPoints: commissionRuleVersions.basisPoints,
		amountCents: commissionRuleVersions.amountCents,
		currency: commissionRuleVersions.currency,
		recurringMonths: commissionRuleVersions.recurringMonths,
		holdDays: commissionRuleVersions.holdDays,
	},
	payout: {
		id: payouts.id,
		amountCents: payouts.amountCents,
		currency: payouts.currency,
		createdAt: payouts.createdAt,
		sentAt: payouts.sentAt,
		failedAt: payouts.failedAt,
		failureReason: payouts.failureReason,
	},
} as const;

const partnerOfCoupon = sql`SELECT p.name FROM partner_programs pp JOIN partners p ON p.id = pp.partner_id WHERE pp.id = ${coupons.partnerProgramId}`;

/** Newest first. */
export function selectTimelines(ctx: Context, programId: number, condition: SQL) {
	return (
		ctx.db
			.select({
				id: sales.id,
				transactionId: sales.transactionId,
				isTest: sales.isTest,
				amountCents: sales.amountCents,
				refundedCents: sales.refundedCents,
				currency: sales.currency,
				productId: sales.productId,
				lineItems: sales.lineItems,
				lineRules: rulesOfLines,
				subscriptionId: sales.subscriptionId,
				createdAt: sales.createdAt,
				commissionState: sales.commissionState,
				noCommissionReason: sql<NoCommissionReason | null>`${sales.noCommissionReason}`,
				duplicateOfSaleId: sales.duplicateOfSaleId,
				facts: sql<ReturnType<typeof factsOf> | null>`${sales.decisionFacts}`.mapWith(factsOf),
				customer: {
					id: customers.id,
					status: customers.status,
					customerKey: customers.customerKey,
					clickId: customers.clickId,
					clickedAt: customers.clickedAt,
					signupDay: customers.signupDate,
				},
				/** The link of the customer's click. */
				shortLink: sql<string | null>`${referralLinks.shortLink}`,
				subId: subIdOfSale,
				/** Attributes the customer. */
				customerCoupon: sql<string | null>`(SELECT code FROM coupons WHERE id = ${customers.couponId})`,
				partner: { id: partners.id, name: partners.name },
				/** Sent with the sale. */
				coupon: { code: coupons.code, partnerName: sql<string>`(${partnerOfCoupon})` },
				...OF_COMMISSION,
				refunds: refundsOfSale(sales.id, sql`true`, PARTS),
				entries: entriesOfCommission,
			})
			.from(sales)
			.leftJoin(customers, eq(customers.id, sales.customerId))
			.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
			.leftJoin(partnerPrograms, eq(partnerPrograms.id, sales.partnerProgramId))
			.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
			.leftJoin(commissions, eq(commissions.saleId, sales.id))
			.leftJoin(commissionRuleVersions, eq(commissionRuleVersions.id, commissions.ruleVersionId))
			.leftJoin(coupons, sql`${coupons.id} = ${sales.decisionFacts} ->> '$.coupon[1]'`)
			.leftJoin(payouts, eq(payouts.id, commissions.payoutId))
			// The condition finds few rows, and `+` keeps SQLite from scanning the whole program for the order.
			.where(and(sql`+${sales.programId} = ${programId}`, condition))
			.orderBy(desc(sales.id))
			.limit(TIMELINES)
	);
}
