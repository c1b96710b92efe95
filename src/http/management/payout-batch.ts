import { Hono } from 'hono';
import * as z from 'zod/mini';
import { BATCH_ROWS, batchAmountOf, batchReasonOf, referenceOf } from '../../domain/payout-batch.ts';
import { PAYOUT_METHODS, type PayoutMethod } from '../../domain/payout-details.ts';
import { once } from '../../once.ts';
import { type Batch, exportBatch, planBatch } from '../../partners/plan-batch.ts';
import type { AppContext, AppEnv } from '../app-env.ts';
import { answerCsv, wantsCsv } from '../csv.ts';
import { Currency } from '../fields.ts';
import { query } from '../validate.ts';
import { requireProgram } from './session.ts';

/** The most payouts that are told to be left out. */
const LEFT_OUT_LIMIT = 500;

const STATUSES = ['made', 'sent'] as const;

export const BatchQuery = once(() =>
	z.object({
		method: z.enum(PAYOUT_METHODS, `must be one of ${PAYOUT_METHODS.join(', ')}`),
		currency: Currency(),
		status: z._default(z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`), 'made'),
		source_currency: z.optional(Currency()),
	}),
);

/** What Payouts Web reads from the left to the right; it takes no header. */
const PAYPAL_COLUMNS = 'recipient,amount,currency,customer_id,note,wallet';
/** Those of the template "Send by email". */
export const WISE_COLUMNS = 'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency';
/** Ours: banks agree on no such file. */
export const BANK_COLUMNS = 'payout_id,reference,name,currency,amount,iban,bic,country,account_number,routing_code';

/** /api/v1/programs/:id/payouts/batch */
export const payoutBatch = new Hono<AppEnv>().get('/', requireProgram('admin'), query(BatchQuery), async (c) => {
	const { ctx, program } = c.var;
	const { method, currency, status, source_currency: sourceCurrency = currency } = c.req.valid('query');
	const request = { method, currency, status };
	if (wantsCsv(c)) {
		const { rows } = await exportBatch(ctx, program, request);
		return FILES[method](c, `payouts-${method}-${currency}`, rows, { sourceCurrency, programName: program.name });
	}
	const { rows, leftOut } = await planBatch(ctx, program, request);
	return c.json({
		success: true,
		data: {
			...request,
			payouts: rows.map(({ payout }) => ({ ...payoutOnWire(payout), account: payout.summary, reference: referenceOf(payout) })),
			most_payouts: BATCH_ROWS[method],
			left_out: leftOut
				.slice(0, LEFT_OUT_LIMIT)
				.map(({ payout, reason }) => ({ ...payoutOnWire(payout), reason, reason_text: batchReasonOf(reason, payout, method) })),
			left_out_count: leftOut.length,
		},
	});
});

function payoutOnWire({ id, partner, currency, amountCents }: Batch['rows'][number]['payout']) {
	return { payout_id: id, partner, currency, amount_cents: amountCents };
}

interface About {
	/** What Wise is paid in. */
	readonly sourceCurrency: string;
	readonly programName: string;
}

const FILES = {
	paypal: (c: AppContext, name: string, rows: Batch['rows'], { programName }: About) =>
		answerCsv(c, name, PAYPAL_COLUMNS, {
			nextCursor: null,
			isBare: true,
			rows: rows.map(({ payout, details }) => ({
				recipient: details.email,
				amount: batchAmountOf(payout, 'paypal'),
				currency: payout.currency,
				customer_id: referenceOf(payout),
				note: `Payout ${payout.id} of ${programName}`,
				wallet: 'PAYPAL',
			})),
		}),
	wise: (c: AppContext, name: string, rows: Batch['rows'], { sourceCurrency }: About) =>
		answerCsv(c, name, WISE_COLUMNS, {
			nextCursor: null,
			rows: rows.map(({ payout, details }) => ({
				name: details.holder,
				recipientEmail: details.email,
				paymentReference: referenceOf(payout),
				receiverType: details.receiverType === 'business' ? 'INSTITUTION' : 'PERSON',
				// The partner gets all of it: Wise's fees are the sender's.
				amountCurrency: 'target',
				amount: batchAmountOf(payout, 'wise'),
				sourceCurrency,
				targetCurrency: payout.currency,
			})),
		}),
	bank: (c: AppContext, name: string, rows: Batch['rows']) =>
		answerCsv(c, name, BANK_COLUMNS, {
			nextCursor: null,
			rows: rows.map(({ payout, details }) => ({
				payout_id: payout.id,
				reference: referenceOf(payout),
				name: details.holder,
				currency: payout.currency,
				amount: batchAmountOf(payout, 'bank'),
				iban: details.iban,
				bic: details.bic,
				country: details.country,
				account_number: details.accountNumber,
				routing_code: details.routingCode,
			})),
		}),
} satisfies Record<PayoutMethod, unknown>;
