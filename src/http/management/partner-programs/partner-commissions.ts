import { Hono } from 'hono';
import * as z from 'zod/mini';
import { explainedLines } from '../../../domain/commissions/explanation-of-lines.ts';
import { isoOf } from '../../../domain/instant.ts';
import { inZone } from '../../../domain/moment.ts';
import { remainderOf } from '../../../domain/payouts/payout.ts';
import { once } from '../../../once.ts';
import {
	listOwnCommissions,
	type OwnCommission,
	type OwnCommissionFilter,
	requireOwnCommission,
} from '../../../commissions/own-commission.ts';
import { summarizeOwnCommissions } from '../../../commissions/summarize-own-commissions.ts';
import type { AppEnv } from '../../app-env.ts';
import { wantsCsv } from '../../csv.ts';
import { answerList } from '../../csv-list.ts';
import { Currency, IsoDayOrInstant } from '../../fields.ts';
import { PageQuery } from '../../page.ts';
import { noQuery, params, query } from '../../validate.ts';
import { STATUSES, sumOnWire } from '../commissions/commissions.ts';
import { earnedByOnWire } from './partner-programs.ts';
import { requirePartnerProgram } from '../session.ts';

export const OwnSummaryQuery = once(() =>
	z.object({ currency: z.optional(Currency()), from: z.optional(IsoDayOrInstant()), to: z.optional(IsoDayOrInstant()) }),
);

export const OwnCommissionQuery = once(() =>
	z.extend(OwnSummaryQuery(), {
		...PageQuery().shape,
		status: z.optional(z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)),
	}),
);

export const OWN_COMMISSION_COLUMNS =
	'commission_id,status,state_reason,amount_cents,deducted_cents,remaining_cents,currency,product_id,sale_amount_cents,refunded_cents,type,percent,flat_amount_cents,hold_until,paid_at,payout_id,refund_reason,rejection_reason,created_at,created_day,sub_id,payout_status,payout_sent_at';

/** /api/v1/partner-programs/:id/commissions */
export const partnerCommissions = new Hono<AppEnv>()
	.get('/', requirePartnerProgram('ended'), query(OwnCommissionQuery), async (c) => {
		const { ctx, membership } = c.var;
		const { cursor, limit, total, status, ...sent } = c.req.valid('query');
		const filter = { status, ...filterOf(sent, membership.program.timeZone) };
		return answerList(c, {
			name: `commissions-${membership.id}`,
			header: OWN_COMMISSION_COLUMNS,
			isCsv: wantsCsv(c),
			page: { cursor, limit, total },
			read: (page) => listOwnCommissions(ctx, membership, { ...filter, ...page }),
			onWire: ownCommissionOnWire,
			inLine: csvRowOf,
		});
	})
	.get('/summary', requirePartnerProgram('ended'), query(OwnSummaryQuery), async (c) => {
		const { ctx, membership } = c.var;
		const sums = await summarizeOwnCommissions(ctx, membership, filterOf(c.req.valid('query'), membership.program.timeZone));
		return c.json({ success: true, data: sums.map(sumOnWire) });
	})
	.get('/:commissionId', requirePartnerProgram('ended'), noQuery, params(['commissionId']), async (c) => {
		const { ctx, membership } = c.var;
		const commission = await requireOwnCommission(ctx, membership, c.req.valid('param').commissionId);
		return c.json({ success: true, data: ownCommissionOnWire(commission) });
	});

function filterOf({ currency, from, to }: z.output<ReturnType<typeof OwnSummaryQuery>>, timeZone: string): OwnCommissionFilter {
	return { currency, from: from && inZone(from, timeZone), to: to && inZone(to, timeZone) };
}

export function ownCommissionOnWire(commission: OwnCommission) {
	const { sale } = commission;
	return {
		id: commission.id,
		status: commission.status,
		state_reason: commission.stateReason,
		amount_cents: commission.amountCents,
		deducted_cents: commission.deductedCents,
		remaining_cents: remainderOf(commission),
		currency: commission.currency,
		sale: {
			amount_cents: sale.amountCents,
			refunded_cents: sale.refundedCents,
			product_id: sale.productId,
			sub_id: sale.subId,
			created_at: isoOf(sale.createdAt),
		},
		rate: earnedByOnWire(commission.rate),
		lines: linesOnWire(commission),
		refunds: commission.refunds.map((refund) => ({
			amount_cents: refund.amountCents,
			deduction_cents: refund.deductionCents,
			withheld_cents: refund.withheldCents,
			outcome: refund.outcome,
			reason: refund.reason,
			created_at: isoOf(refund.createdAt),
		})),
		hold_until: isoOf(commission.holdUntil),
		paid_at: isoOf(commission.paidAt),
		payout_id: commission.payoutId,
		payout_failed: commission.isPayoutFailed,
		payout_status: commission.payoutStatus,
		payout_sent_at: isoOf(commission.payoutSentAt),
		refund_reason: commission.refundReason,
		rejection_reason: commission.rejectionReason,
		created_at: isoOf(commission.createdAt),
	};
}

function linesOnWire({ facts, lineRules }: OwnCommission) {
	if (!facts?.lines) return null;
	return explainedLines({ facts, lineRules }).map(({ rule, terms, baseCents, earning }) => ({
		product_id: rule?.productId ?? null,
		amount_cents: baseCents,
		rate: terms ? earnedByOnWire(terms) : null,
		earned_cents: earning.kind === 'earned' ? earning.amountCents : 0,
	}));
}

/** Omits single refunds, and adds the day that the list is filtered by. */
function csvRowOf(commission: OwnCommission) {
	const { sale, rate } = commission;
	return {
		...ownCommissionOnWire(commission),
		commission_id: commission.id,
		product_id: sale.productId,
		sale_amount_cents: sale.amountCents,
		refunded_cents: sale.refundedCents,
		type: rate.type,
		percent: rate.basisPoints === null ? null : rate.basisPoints / 100,
		flat_amount_cents: rate.amountCents,
		created_day: commission.createdDay,
		sub_id: sale.subId,
	};
}
