import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type DecisionFacts, recompute } from '../../../domain/commissions/decision-facts.ts';
import type { Earning } from '../../../domain/commissions/commission.ts';
import type { Step } from '../../../domain/commissions/explanation.ts';
import { type ExplainedLine, explainedLines } from '../../../domain/commissions/explanation-of-lines.ts';
import { QUERY_KINDS, type IdQuery } from '../../../domain/commissions/explanation-of-id.ts';
import { isoOf } from '../../../domain/instant.ts';
import { invalid } from '../../../domain/rejection.ts';
import { once } from '../../../once.ts';
import { explain, explainCommission, type ExplainedSale, type IdExplanation } from '../../../reporting/explain.ts';
import type { AppEnv } from '../../app-env.ts';
import { Identifier, percentOf } from '../../fields.ts';
import { noQuery, params, query } from '../../validate.ts';
import { refusalOnWire } from './refusals.ts';
import { requireProgram } from '../session.ts';

export const ExplainQuery = once(() =>
	z.object({
		transaction_id: z.optional(Identifier()),
		click_id: z.optional(Identifier()),
		customer_key: z.optional(Identifier()),
		payment_id: z.optional(Identifier()),
	}),
);

/** /api/v1/programs/:id/explain */
export const explanations = new Hono<AppEnv>().get('/', requireProgram('member'), query(ExplainQuery), async (c) => {
	const { ctx, program } = c.var;
	const asked = idQuery(c.req.valid('query'));
	return c.json({ success: true, data: { asked, ...explanationOnWire(await explain(ctx, program, asked)) } });
});

/** /api/v1/programs/:id/commissions/:commissionId/explanation */
export const commissionExplanation = new Hono<AppEnv>().get('/', requireProgram('member'), noQuery, params(['commissionId']), async (c) => {
	const { ctx, program } = c.var;
	return c.json({ success: true, data: saleOnWire(await explainCommission(ctx, program, c.req.valid('param').commissionId)) });
});

export const ONE_ID = 'Send exactly one of transaction_id, click_id, customer_key, payment_id';

function idQuery(sent: Partial<Record<IdQuery['kind'], string | undefined>>): IdQuery {
	const [id, ...others] = QUERY_KINDS.flatMap((kind) => (sent[kind] === undefined ? [] : [{ kind, value: sent[kind] }]));
	if (!id || others.length > 0) throw invalid(ONE_ID);
	return id;
}

function explanationOnWire({ conclusion, steps, click, customers, sales, refusals, events }: IdExplanation) {
	return {
		conclusion,
		steps: steps.map(stepOnWire),
		click: click
			? {
					genuine: click.verdict === 'own' || click.verdict === 'test',
					test: click.verdict === 'test',
					clicked_at: isoOf(click.clickedAt),
					short_link: click.shortLink,
					partner_name: click.partnerName,
					stored: click.isStored,
					coupon_code: click.couponCode,
				}
			: null,
		customers: customers.map((customer) => ({
			id: customer.id,
			status: customer.status,
			customer_key: customer.customerKey,
			click_id: customer.clickId,
			clicked_at: isoOf(customer.clickedAt),
			short_link: customer.shortLink,
			partner_name: customer.partnerName,
			coupon_code: customer.couponCode,
			signup_date: customer.signupDay,
		})),
		sales: sales.map(saleOnWire),
		refusals: refusals.map(refusalOnWire),
		events: events.map((event) => ({
			id: event.id,
			event_id: event.eventId,
			type: event.type,
			test: event.isTest,
			state: event.state,
			reason: event.reason,
			sale_id: event.saleId,
			received_at: isoOf(event.receivedAt),
			next_attempt_at: isoOf(event.nextAttemptAt),
			expires_at: isoOf(event.expiresAt),
		})),
	};
}

function stepOnWire({ at, kind, text }: Step) {
	return { at: isoOf(at), kind, text };
}

export function saleOnWire(explained: ExplainedSale) {
	const { customer, facts } = explained;
	return {
		conclusion: explained.conclusion,
		steps: explained.steps.map(stepOnWire),
		sale: {
			id: explained.id,
			transaction_id: explained.transactionId,
			test: explained.isTest,
			amount_cents: explained.amountCents,
			refunded_cents: explained.refundedCents,
			currency: explained.currency,
			product_id: explained.productId,
			subscription_id: explained.subscriptionId,
			sub_id: explained.subId,
			duplicate_of_sale_id: explained.duplicateOfSaleId,
			no_commission_reason: explained.noCommissionReason,
			created_at: isoOf(explained.createdAt),
		},
		customer: customer && {
			id: customer.id,
			status: customer.status,
			customer_key: customer.customerKey,
			click_id: customer.clickId,
			clicked_at: isoOf(customer.clickedAt),
			short_link: explained.shortLink,
			coupon_code: explained.customerCoupon,
			signup_date: customer.signupDay,
		},
		partner: explained.partner,
		decision: facts ? factsOnWire(facts, explained) : null,
		...commissionOnWire(explained),
		refunds: explained.refunds.map((refund) => ({
			id: refund.id,
			refund_id: refund.refundId,
			amount_cents: refund.amountCents,
			deduction_cents: refund.deductionCents,
			withheld_cents: refund.withheldCents,
			outcome: refund.outcome,
			source: refund.source,
			reason: refund.reason,
			created_at: isoOf(refund.createdAt),
		})),
		ledger: explained.entries.map((entry) => ({
			id: entry.id,
			kind: entry.kind,
			nominal_cents: entry.nominalCents,
			applied_cents: entry.appliedCents,
			balance_after_cents: entry.balanceAfterCents,
			payout_id: entry.payoutId,
			created_at: isoOf(entry.createdAt),
		})),
	};
}

function commissionOnWire({ rule, commission, payout }: ExplainedSale) {
	return {
		rule: rule && {
			id: rule.id,
			version: rule.version,
			type: rule.type,
			percent: rule.basisPoints === null ? null : percentOf(rule.basisPoints),
			amount_cents: rule.amountCents,
			currency: rule.currency,
			recurring_months: rule.recurringMonths,
			hold_days: rule.holdDays,
		},
		commission: commission && {
			id: commission.id,
			status: commission.status,
			amount_cents: commission.amountCents,
			deducted_cents: commission.deductedCents,
			currency: commission.currency,
			hold_until: isoOf(commission.holdUntil),
			paid_at: isoOf(commission.paidAt),
			created_at: isoOf(commission.createdAt),
		},
		payout: payout && {
			id: payout.id,
			amount_cents: payout.amountCents,
			currency: payout.currency,
			created_at: isoOf(payout.createdAt),
			sent_at: isoOf(payout.sentAt),
			failed_at: isoOf(payout.failedAt),
			failure_reason: payout.failureReason,
		},
	};
}

/** The facts behind the decision, and the decision recomputed from them. */
function factsOnWire(facts: DecisionFacts, { coupon, lineRules }: Pick<ExplainedSale, 'coupon' | 'lineRules'>) {
	const { insideWindow, earning } = recompute(facts);
	return {
		found_by: facts.foundBy,
		other_click: facts.hadOtherClick,
		clicked_at: isoOf(facts.clickedAt),
		recorded_at: isoOf(facts.soldAt),
		paid_at: isoOf(facts.paidAt),
		subscribed_at: isoOf(facts.subscribedAt ?? null),
		trial_began_at: isoOf(facts.trialBeganAt ?? null),
		cookie_window_days: facts.windowDays,
		inside_window: insideWindow,
		partner_status: facts.partnerStatus,
		amount_cents: facts.amountCents,
		currency: facts.currency,
		sale_day: facts.saleDay,
		renews_sale_of: facts.renewalOfDay ?? null,
		coupon: facts.coupon
			? {
					verdict: facts.coupon.verdict,
					id: facts.coupon.id ?? null,
					code: coupon?.code ?? null,
					partner_name: coupon?.partnerName ?? null,
				}
			: null,
		rules: facts.rules.map((rule) => ({
			rule_version_id: rule.ruleVersionId,
			scope: rule.scope,
			type: rule.type,
			percent: rule.basisPoints === null ? null : percentOf(rule.basisPoints),
			amount_cents: rule.amountCents,
			currency: rule.currency,
			recurring_months: rule.recurringMonths,
			hold_days: rule.holdDays,
			used: isUsed(rule.ruleVersionId, facts, earning),
		})),
		lines: facts.lines ? explainedLines({ facts, lineRules }).map(lineOnWire) : null,
		earned_cents: earning.kind === 'earned' ? earning.amountCents : null,
	};
}

function isUsed(ruleVersionId: number, { lines }: DecisionFacts, earning: Earning): boolean {
	if (earning.kind === 'none') return false;
	return lines ? lines.some((line) => line.ruleVersionId === ruleVersionId) : earning.ruleVersionId === ruleVersionId;
}

function lineOnWire({ rule, terms, baseCents, earning }: ExplainedLine) {
	return {
		rule_version_id: terms?.ruleVersionId ?? null,
		rule_id: rule?.id ?? null,
		product_id: rule?.productId ?? null,
		amount_cents: baseCents,
		earned_cents: earning.kind === 'earned' ? earning.amountCents : 0,
		no_commission_reason: earning.kind === 'none' ? earning.reason : null,
	};
}
