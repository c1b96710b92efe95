import { Hono } from 'hono';
import { isoOf } from '../../../domain/instant.ts';
import { listOwnCommissions } from '../../../commissions/own-commission.ts';
import { listOwnPayouts, type OwnPayout, requireOwnPayout } from '../../../payouts/own-payout.ts';
import type { AppEnv } from '../../app-env.ts';
import { wantsCsv } from '../../csv.ts';
import { answerList } from '../../csv-list.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { params, query } from '../../validate.ts';
import { ownCommissionOnWire } from './partner-commissions.ts';
import { requirePartnerProgram } from '../session.ts';

export const OWN_PAYOUT_COLUMNS =
	'payout_id,status,state_reason,currency,amount_cents,amount_reason,commission_cents,recovered_cents,surplus_cents,commission_count,created_at,sent_at,reference,failed_at,failure_reason';

/** /api/v1/partner-programs/:id/payouts */
export const partnerPayouts = new Hono<AppEnv>()
	.get('/', requirePartnerProgram('ended'), query(PageQuery), async (c) => {
		const { ctx, membership } = c.var;
		return answerList(c, {
			name: `payouts-${membership.id}`,
			header: OWN_PAYOUT_COLUMNS,
			isCsv: wantsCsv(c),
			page: c.req.valid('query'),
			read: (page) => listOwnPayouts(ctx, membership, page),
			onWire: payoutOnWire,
			inLine: (payout) => ({ ...payoutOnWire(payout), payout_id: payout.id }),
		});
	})
	.get('/:payoutId', requirePartnerProgram('ended'), query(PageQuery), params(['payoutId']), async (c) => {
		const { ctx, membership } = c.var;
		const payout = await requireOwnPayout(ctx, membership, c.req.valid('param').payoutId);
		const page = await listOwnCommissions(ctx, membership, { ...c.req.valid('query'), payoutId: payout.id });
		const data = { ...payoutOnWire(payout), commissions: page.rows.map(ownCommissionOnWire) };
		return c.json({ success: true, data, meta: metaOf(page) });
	});

function payoutOnWire(payout: OwnPayout) {
	return {
		id: payout.id,
		status: payout.status,
		state_reason: payout.stateReason,
		currency: payout.currency,
		amount_cents: payout.amountCents,
		amount_reason: payout.amountReason,
		commission_cents: payout.commissionCents,
		recovered_cents: payout.recoveredCents,
		surplus_cents: payout.surplusCents,
		commission_count: payout.commissionCount,
		created_at: isoOf(payout.createdAt),
		sent_at: isoOf(payout.sentAt),
		reference: payout.sentReference,
		failed_at: isoOf(payout.failedAt),
		failure_reason: payout.failureReason,
	};
}
