import { Hono } from 'hono';
import * as z from 'zod/mini';
import { inZone } from '../../domain/moment.ts';
import { once } from '../../once.ts';
import { approveCommissions } from '../../partners/approve-commissions.ts';
import { type Commission, requireCommission } from '../../partners/commission.ts';
import { listCommissions } from '../../partners/list-commissions.ts';
import { rejectCommissions } from '../../partners/reject-commissions.ts';
import type { AppEnv } from '../app-env.ts';
import { metaOf, PageQuery } from '../page.ts';
import { FreeText, IdList, IsoMoment, QueryId, Strict } from '../fields.ts';
import { isoOf } from '../../domain/instant.ts';
import { body, noQuery, params, query } from '../validate.ts';
import { requireProgram } from './session.ts';

const STATUSES = ['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded'] as const;

export const CommissionQuery = once(() =>
	z.extend(PageQuery(), {
		status: z.optional(z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)),
		partner_id: z.optional(QueryId()),
		from: z.optional(IsoMoment()),
		to: z.optional(IsoMoment()),
	}),
);

export const ApproveRequest = once(() => Strict({ commission_ids: IdList() }));

export const RejectRequest = once(() => Strict({ commission_ids: IdList(), reason: z.optional(FreeText(500)) }));

/** /api/v1/programs/:id/commissions */
export const commissions = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(CommissionQuery), async (c) => {
		const { ctx, program } = c.var;
		const { status, partner_id: partnerId, from, to, cursor, limit } = c.req.valid('query');
		const range = { from: from && inZone(from, program.timeZone), to: to && inZone(to, program.timeZone) };
		const page = await listCommissions(ctx, program, { status, partnerId, ...range, cursor, limit });
		return c.json({ success: true, data: page.rows.map(commissionOnWire), meta: metaOf(page) });
	})
	.get('/:commissionId', requireProgram('member'), noQuery, params(['commissionId']), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: commissionOnWire(await requireCommission(ctx, program, c.req.valid('param').commissionId)) });
	})
	.post('/approve', requireProgram('admin'), body(ApproveRequest), async (c) => {
		const { ctx, program } = c.var;
		const { commission_ids: ids } = c.req.valid('json');
		return c.json({ success: true, data: await approveCommissions(ctx, program, ids) });
	})
	.post('/reject', requireProgram('admin'), body(RejectRequest), async (c) => {
		const { ctx, program } = c.var;
		const { commission_ids: ids, reason } = c.req.valid('json');
		return c.json({ success: true, data: await rejectCommissions(ctx, program, ids, reason) });
	});

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
			created_at: isoOf(sale.createdAt),
		},
		rule: ruleOnWire(commission.rule),
		refunds: commission.refunds.map((refund) => ({
			id: refund.id,
			refund_id: refund.refundId,
			amount_cents: refund.amountCents,
			deduction_cents: refund.deductionCents,
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

/** The terms that made the commission, as a rule is written. */
function ruleOnWire({ id, version, type, basisPoints, amountCents }: Commission['rule']) {
	return type === 'percent' ? { id, version, type, percent: (basisPoints ?? 0) / 100 } : { id, version, type, amount_cents: amountCents };
}
