import { Hono } from 'hono';
import * as z from 'zod/mini';
import { inZone } from '../../../domain/moment.ts';
import { remainderOf } from '../../../domain/payouts/payout.ts';
import { once } from '../../../once.ts';
import { approveCommissions } from '../../../commissions/approve-commissions.ts';
import type { CommissionFilter } from '../../../commissions/commission-filter.ts';
import { type Commission, requireCommission } from '../../../commissions/commission.ts';
import type { Choice } from '../../../commissions/commissions-to-decide.ts';
import { listCommissions } from '../../../commissions/list-commissions.ts';
import { rejectCommissions } from '../../../commissions/reject-commissions.ts';
import { summarizeCommissions } from '../../../commissions/summarize-commissions.ts';
import type { AppEnv } from '../../app-env.ts';
import { wantsCsv } from '../../csv.ts';
import { answerList } from '../../csv-list.ts';
import { PageQuery } from '../../page.ts';
import { Currency, FreeText, Id, Identifier, IdList, IsoDayOrInstant, QueryId, Strict, Whole } from '../../fields.ts';
import type { CommissionSum } from '../../../domain/commissions/commission-sums.ts';
import { isoOf } from '../../../domain/instant.ts';
import { body, noQuery, params, query } from '../../validate.ts';
import { requireProgram } from '../session.ts';

export const STATUSES = ['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded'] as const;
const STATUS = `must be one of ${STATUSES.join(', ')}`;

export const CommissionSummaryQuery = once(() =>
	z.object({
		partner_id: z.optional(QueryId()),
		currency: z.optional(Currency()),
		payout_id: z.optional(QueryId()),
		search: z.optional(Identifier()),
		from: z.optional(IsoDayOrInstant()),
		to: z.optional(IsoDayOrInstant()),
	}),
);

export const CommissionQuery = once(() =>
	z.extend(CommissionSummaryQuery(), {
		...PageQuery().shape,
		status: z.optional(z.enum(STATUSES, STATUS)),
	}),
);

export const COMMISSION_COLUMNS =
	'commission_id,status,state_reason,amount_cents,deducted_cents,currency,partner_id,partner_name,sale_id,transaction_id,sale_amount_cents,refunded_cents,rule_id,rule_version,rule_type,percent,rule_amount_cents,hold_until,paid_at,payout_id,refund_reason,rejection_reason,created_at,created_day,sub_id';

const CHOICE = 'Send either commission_ids, or filter and expected_count';

const choiceFields = once(() => ({
	commission_ids: z.optional(IdList()),
	filter: z.optional(DecisionFilter()),
	expected_count: z.optional(Whole(1, 500)),
}));

/** The filters of the list, as a body. */
export const DecisionFilter = once(() =>
	Strict({
		status: z.optional(z.enum(STATUSES, STATUS)),
		partner_id: z.optional(Id()),
		currency: z.optional(Currency()),
		from: z.optional(IsoDayOrInstant()),
		to: z.optional(IsoDayOrInstant()),
		search: z.optional(Identifier()),
	}),
);

export const ApproveRequest = once(() => Strict(choiceFields()).check(z.refine(isChoice, CHOICE)));

export const RejectRequest = once(() => Strict({ ...choiceFields(), reason: z.optional(FreeText(500)) }).check(z.refine(isChoice, CHOICE)));

/** /api/v1/programs/:id/commissions */
export const commissions = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(CommissionQuery), async (c) => {
		const { ctx, program } = c.var;
		const { cursor, limit, total, status, ...sent } = c.req.valid('query');
		const filter = { status, ...filterOf(sent, program.timeZone) };
		return answerList(c, {
			name: `commissions-${program.id}`,
			header: COMMISSION_COLUMNS,
			isCsv: wantsCsv(c),
			page: { cursor, limit, total },
			read: (page) => listCommissions(ctx, program, { ...filter, ...page }),
			onWire: commissionOnWire,
			inLine: csvRowOf,
		});
	})
	.get('/summary', requireProgram('member'), query(CommissionSummaryQuery), async (c) => {
		const { ctx, program } = c.var;
		const sums = await summarizeCommissions(ctx, program, filterOf(c.req.valid('query'), program.timeZone));
		return c.json({ success: true, data: sums.map(sumOnWire) });
	})
	.get('/:commissionId', requireProgram('member'), noQuery, params(['commissionId']), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: commissionOnWire(await requireCommission(ctx, program, c.req.valid('param').commissionId)) });
	})
	.post('/approve', requireProgram('admin'), body(ApproveRequest), async (c) => {
		const { ctx, program } = c.var;
		const choice = choiceOf(c.req.valid('json'), program.timeZone);
		return c.json({ success: true, data: await approveCommissions(ctx, program, choice) });
	})
	.post('/reject', requireProgram('admin'), body(RejectRequest), async (c) => {
		const { ctx, program } = c.var;
		const { reason, ...sent } = c.req.valid('json');
		return c.json({ success: true, data: await rejectCommissions(ctx, program, choiceOf(sent, program.timeZone), reason) });
	});

interface SentChoice {
	readonly commission_ids?: readonly number[] | undefined;
	readonly filter?: z.output<ReturnType<typeof DecisionFilter>> | undefined;
	readonly expected_count?: number | undefined;
}

function isChoice({ commission_ids: ids, filter, expected_count: count }: SentChoice): boolean {
	return ids === undefined ? filter !== undefined && count !== undefined : filter === undefined && count === undefined;
}

function choiceOf({ commission_ids: ids, filter, expected_count: expectedCount = 0 }: SentChoice, timeZone: string): Choice {
	if (ids) return ids;
	const { status, ...sent } = filter ?? {};
	return { filter: { status, ...filterOf(sent, timeZone) }, expectedCount };
}

type SentFilter = z.output<ReturnType<typeof CommissionSummaryQuery>>;

export function filterOf(
	{ partner_id: partnerId, payout_id: payoutId, from, to, ...filter }: SentFilter,
	timeZone: string,
): CommissionFilter {
	return { ...filter, partnerId, payoutId, from: from && inZone(from, timeZone), to: to && inZone(to, timeZone) };
}

export function sumOnWire({ status, currency, count, amountCents, deductedCents }: CommissionSum) {
	return {
		status,
		currency,
		count,
		amount_cents: amountCents,
		deducted_cents: deductedCents,
		remaining_cents: remainderOf({ amountCents, deductedCents }),
	};
}

function commissionOnWire(commission: Commission) {
	const { sale } = commission;
	return {
		id: commission.id,
		status: commission.status,
		state_reason: commission.stateReason,
		amount_cents: commission.amountCents,
		deducted_cents: commission.deductedCents,
		currency: commission.currency,
		partner: commission.partner,
		sale: {
			id: sale.id,
			transaction_id: sale.transactionId,
			amount_cents: sale.amountCents,
			refunded_cents: sale.refundedCents,
			sub_id: sale.subId,
			created_at: isoOf(sale.createdAt),
		},
		rule: ruleOnWire(commission.rule),
		refunds: commission.refunds.map((refund) => ({
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
		hold_until: isoOf(commission.holdUntil),
		paid_at: isoOf(commission.paidAt),
		payout_id: commission.payoutId,
		refund_reason: commission.refundReason,
		rejection_reason: commission.rejectionReason,
		created_at: isoOf(commission.createdAt),
	};
}

/** The terms that the commission was calculated with, in the format of a rule. */
function ruleOnWire({ id, version, type, basisPoints, amountCents }: Commission['rule']) {
	return type === 'percent' ? { id, version, type, percent: (basisPoints ?? 0) / 100 } : { id, version, type, amount_cents: amountCents };
}

/** Omits single refunds, and adds the day that the list is filtered by. */
function csvRowOf(commission: Commission) {
	const { sale, rule } = commission;
	return {
		...commissionOnWire(commission),
		commission_id: commission.id,
		partner_id: commission.partner.id,
		partner_name: commission.partner.name,
		sale_id: sale.id,
		transaction_id: sale.transactionId,
		sale_amount_cents: sale.amountCents,
		refunded_cents: sale.refundedCents,
		rule_id: rule.id,
		rule_version: rule.version,
		rule_type: rule.type,
		percent: rule.type === 'percent' ? (rule.basisPoints ?? 0) / 100 : null,
		rule_amount_cents: rule.amountCents,
		created_day: commission.createdDay,
		sub_id: sale.subId,
	};
}
