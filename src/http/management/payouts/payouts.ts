import { Hono } from 'hono';
import * as z from 'zod/mini';
import { inZone } from '../../../domain/moment.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import type { Page } from '../../../domain/page.ts';
import { amountReasonOf, leftOutReasonOf, warningOf } from '../../../domain/payouts/payout.ts';
import { once } from '../../../once.ts';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { PAYOUT_STATUSES } from '../../../domain/payouts/payout-state.ts';
import { listPayouts } from '../../../payouts/list-payouts.ts';
import { markFailed } from '../../../payouts/mark-failed.ts';
import { markSent } from '../../../payouts/mark-sent.ts';
import { payCommissions } from '../../../payouts/pay-commissions.ts';
import type { Payout } from '../../../payouts/payout.ts';
import { type PreviewedPayout, previewPayouts } from '../../../payouts/preview-payouts.ts';
import { type ReadPayout, readPayout } from '../../../payouts/read-payout.ts';
import type { AppEnv } from '../../app-env.ts';
import { answerCsv, wantsCsv } from '../../csv.ts';
import { answerList } from '../../csv-list.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { body, noQuery, params, query } from '../../validate.ts';
import { Currency, FreeText, Identifier, IdList, IsoDayOrInstant, QueryId, QueryIdList, Strict, Whole } from '../../fields.ts';
import { isoOf } from '../../../domain/instant.ts';
import { fromPrimary } from '../../replica-reads.ts';
import { requireProgram } from '../session.ts';

export const NewPayout = once(() =>
	Strict({
		commission_ids: z.optional(IdList()),
		partner_ids: z.optional(IdList()),
		before: z.optional(IsoDayOrInstant()),
		minimum_cents: z.optional(Whole(0, MAX_AMOUNT_CENTS)),
	}).check(
		z.refine(
			(request) => request.commission_ids === undefined || Object.values(request).filter((value) => value !== undefined).length === 1,
			'commission_ids cannot be combined with partner_ids, before or minimum_cents',
		),
	),
);

const MINIMUM = `must be an integer from 0 to ${MAX_AMOUNT_CENTS}`;

/** NewPayout as a query. */
export const PreviewQuery = once(() =>
	z.object({
		partner_ids: z.optional(QueryIdList()),
		before: z.optional(IsoDayOrInstant()),
		minimum_cents: z.optional(z.pipe(z.string().check(z.regex(/^\d{1,11}$/, MINIMUM)), z.transform(Number))),
	}),
);

export const PayoutQuery = once(() =>
	z.extend(PageQuery(), {
		status: z.optional(z.enum(PAYOUT_STATUSES, `must be one of ${PAYOUT_STATUSES.join(', ')}`)),
		partner_id: z.optional(QueryId()),
		currency: z.optional(Currency()),
		method: z.optional(z.enum([...PAYOUT_METHODS, 'none'], `must be one of ${PAYOUT_METHODS.join(', ')}, none`)),
	}),
);

const SENT = { reference: z.optional(Identifier()), sent_at: z.optional(IsoDayOrInstant()) };

export const SentPayout = once(() => Strict(SENT));

export const SentPayouts = once(() => Strict({ payout_ids: IdList(), ...SENT }));

export const FailedPayout = once(() => Strict({ reason: FreeText(500).check(z.regex(/\S/, 'must not be blank')) }));

export const PAYOUT_COLUMNS =
	'payout_id,partner_id,partner_name,partner_email,currency,amount_cents,recovered_cents,commission_cents,surplus_cents,commission_ids,created_at,amount_reason,status,sent_at,reference,failed_at,failure_reason,commission_count';

/** /api/v1/programs/:id/payouts */
export const payouts = new Hono<AppEnv>()
	.post('/', requireProgram('admin'), body(NewPayout), async (c) => {
		const { ctx, program } = c.var;
		const request = c.req.valid('json');
		const rows = await payCommissions(ctx, program, {
			commissionIds: request.commission_ids,
			partnerIds: request.partner_ids,
			before: request.before && inZone(request.before, program.timeZone),
			minimumCents: request.minimum_cents,
		});
		const page = { rows, nextCursor: null, previousCursor: null };
		if (wantsCsv(c)) return answerCsv(c, 'payouts', PAYOUT_COLUMNS, { rows: rows.map(csvRowOf), nextCursor: null, status: 201 });
		return c.json(pageOnWire(page), 201);
	})
	.get('/', requireProgram('member'), query(PayoutQuery), async (c) => {
		const { ctx, program } = c.var;
		const { partner_id: partnerId, cursor, limit, total, ...only } = c.req.valid('query');
		return answerList(c, {
			name: 'payouts',
			header: PAYOUT_COLUMNS,
			isCsv: wantsCsv(c),
			page: { cursor, limit, total },
			read: (page) => listPayouts(ctx, program, { ...only, partnerId, ...page }),
			onWire: payoutOnWire,
			inLine: csvRowOf,
		});
	})
	.get('/preview', fromPrimary, requireProgram('member'), query(PreviewQuery), async (c) => {
		const { ctx, program } = c.var;
		const { partner_ids: partnerIds, before, minimum_cents: minimumCents } = c.req.valid('query');
		const preview = await previewPayouts(ctx, program, {
			partnerIds,
			before: before && inZone(before, program.timeZone),
			minimumCents,
		});
		return c.json({
			success: true,
			data: {
				payouts: preview.payouts.map((payout) => ({
					...plannedOnWire(payout),
					amount_reason: amountReasonOf({ ...payout, currency: payout.account.currency }),
					warning: warningOf(payout.partner) ?? null,
				})),
				without_payout_method: preview.payouts.filter(({ partner }) => partner.payoutMethod === null).length,
				left_out: preview.leftOut.map((payout) => ({
					...plannedOnWire(payout),
					reason: payout.leftOut,
					reason_text: leftOutReasonOf(payout, preview.minimum),
				})),
				left_out_count: preview.leftOutCount,
			},
		});
	})
	.post('/sent', requireProgram('admin'), body(SentPayouts), async (c) => {
		const { ctx, program } = c.var;
		const { payout_ids: payoutIds, reference, sent_at: sentAt } = c.req.valid('json');
		const sent = await markSent(ctx, program, { payoutIds, reference, sentAt });
		return c.json({ success: true, data: sent.map(payoutOnWire) });
	})
	.get('/:payoutId', requireProgram('member'), noQuery, params(['payoutId']), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: readOnWire(await readPayout(ctx, program, c.req.valid('param').payoutId)) });
	})
	.post('/:payoutId/sent', requireProgram('admin'), params(['payoutId']), body(SentPayout), async (c) => {
		const { ctx, program } = c.var;
		const { reference, sent_at: sentAt } = c.req.valid('json');
		const sent = await markSent(ctx, program, { payoutIds: [c.req.valid('param').payoutId], reference, sentAt });
		return c.json({ success: true, data: sent.map(payoutOnWire)[0] });
	})
	.post('/:payoutId/failed', requireProgram('admin'), params(['payoutId']), body(FailedPayout), async (c) => {
		const { ctx, program } = c.var;
		const failed = await markFailed(ctx, program, c.req.valid('param').payoutId, c.req.valid('json').reason);
		return c.json({ success: true, data: failed.map(payoutOnWire)[0] });
	});

function plannedOnWire(payout: PreviewedPayout) {
	const { payoutMethod, ...partner } = payout.partner;
	return {
		partner: { ...partner, payout_method: payoutMethod },
		currency: payout.account.currency,
		amount_cents: payout.amountCents,
		recovered_cents: payout.recoveredCents,
		commission_cents: payout.commissionCents,
		surplus_cents: payout.surplusCents,
		commission_count: payout.commissions.length,
		commission_ids: payout.commissions.map(({ id }) => id).toSorted((a, b) => a - b),
	};
}

function pageOnWire(page: Page<Payout>) {
	return { success: true, data: page.rows.map(payoutOnWire), meta: metaOf(page) };
}

function payoutOnWire(payout: Payout) {
	return {
		id: payout.id,
		status: payout.status,
		partner: { id: payout.partnerId, name: payout.partnerName },
		currency: payout.currency,
		amount_cents: payout.amountCents,
		amount_reason: amountReasonOf(payout),
		recovered_cents: payout.recoveredCents,
		commission_cents: payout.commissionCents,
		surplus_cents: payout.surplusCents,
		commission_count: payout.commissionCount,
		commission_ids: payout.commissionIds,
		created_at: isoOf(payout.createdAt),
		sent_at: isoOf(payout.sentAt),
		reference: payout.sentReference,
		failed_at: isoOf(payout.failedAt),
		failure_reason: payout.failureReason,
	};
}

function readOnWire({ payout, commissions, entries }: ReadPayout) {
	return {
		...payoutOnWire(payout),
		commissions: commissions.map((commission) => ({
			id: commission.id,
			status: commission.status,
			amount_cents: commission.amountCents,
			deducted_cents: commission.deductedCents,
			paid_cents: -commission.entry.movedCents,
			transaction_id: commission.transactionId,
			created_at: isoOf(commission.createdAt),
		})),
		ledger_entries: entries.map((entry) => ({
			id: entry.id,
			kind: entry.kind,
			commission_id: entry.commissionId,
			amount_cents: entry.movedCents,
			balance_after_cents: entry.balanceAfterCents,
			created_at: isoOf(entry.createdAt),
		})),
	};
}

function csvRowOf(payout: Payout) {
	return {
		...payoutOnWire(payout),
		payout_id: payout.id,
		partner_id: payout.partnerId,
		partner_name: payout.partnerName,
		partner_email: payout.partnerEmail,
		commission_ids: payout.commissionIds.join(' '),
	};
}
