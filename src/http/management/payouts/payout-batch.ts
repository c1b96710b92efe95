import { Hono } from 'hono';
import * as z from 'zod/mini';
import { BATCH_ROWS, batchAmountOf, batchReasonOf, referenceOf } from '../../../domain/payouts/payout-batch.ts';
import { PAYOUT_METHODS, type PayoutMethod } from '../../../domain/payouts/payout-details.ts';
import { Rejection } from '../../../domain/rejection.ts';
import { once } from '../../../once.ts';
import { type Batch, exportBatch, planBatch } from '../../../payouts/plan-batch.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { answerCsv, wantsCsv } from '../../csv.ts';
import { Currency, FreeText, Strict } from '../../fields.ts';
import { NextCursor } from '../../page.ts';
import { body, parseId, query } from '../../validate.ts';
import { fewGuesses, requireFewTries } from '../guesses.ts';
import { fromPrimary } from '../../replica-reads.ts';
import { requireProgram } from '../session.ts';

const LEFT_OUT_LIMIT = 500;

const STATUSES = ['made', 'sent'] as const;

const batchFields = once(() => ({
	method: z.enum(PAYOUT_METHODS, `must be one of ${PAYOUT_METHODS.join(', ')}`),
	currency: Currency(),
	status: z._default(z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`), 'made'),
}));

export const BatchQuery = once(() =>
	z.object({ ...batchFields(), source_currency: z.optional(Currency()), cursor: z.optional(NextCursor(parseId)) }),
);

/** A body, because a password must not be in a URL. */
export const BatchFileRequest = once(() =>
	Strict({ password: FreeText(200), ...batchFields(), source_currency: z.optional(Currency()), cursor: z.optional(NextCursor(parseId)) }),
);

/** PayPal's Payouts Web reads these columns by position and accepts no header. */
const PAYPAL_COLUMNS = 'recipient,amount,currency,customer_id,note,wallet';
/** Wise's template "Send by email". */
export const WISE_COLUMNS = 'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency';
/** Our own format, because banks have no common one. */
export const BANK_COLUMNS = 'payout_id,reference,name,currency,amount,iban,bic,country,account_number,routing_code';

/** The answer to clients that still use GET. */
const ASKS_FOR_PASSWORD =
	'The file contains unmasked payout details, so your password is required: POST {"password", "method", "currency"} to this path';

/** /api/v1/programs/:id/payouts/batch */
export const payoutBatch = new Hono<AppEnv>()
	.get('/', fromPrimary, requireProgram('admin'), query(BatchQuery), async (c) => {
		if (wantsCsv(c)) throw new Rejection('forbidden', { message: ASKS_FOR_PASSWORD });
		const { ctx, program } = c.var;
		const { source_currency: _sourceCurrency, ...request } = c.req.valid('query');
		const { rows, leftOut, nextCursor } = await planBatch(ctx, program, request);
		const { cursor: _cursor, ...selection } = request;
		return c.json({
			success: true,
			data: {
				...selection,
				payouts: rows.map(({ payout }) => ({ ...payoutOnWire(payout), account: payout.summary, reference: referenceOf(payout) })),
				most_payouts: BATCH_ROWS[request.method],
				left_out: leftOut
					.slice(0, LEFT_OUT_LIMIT)
					.map(({ payout, reason }) => ({ ...payoutOnWire(payout), reason, reason_text: batchReasonOf(reason, payout, request.method) })),
				left_out_count: leftOut.length,
				next_cursor: nextCursor === null ? null : String(nextCursor),
			},
		});
	})
	.post('/', fewGuesses, requireProgram('admin'), body(BatchFileRequest), async (c) => {
		const { ctx, program } = c.var;
		const { password, source_currency: sourceCurrency, ...request } = c.req.valid('json');
		const { method, currency } = request;
		await requireFewTries(c, { email: program.actor.email, what: 'password' });
		const { rows } = await exportBatch(ctx, program, request, password);
		const about = { sourceCurrency: sourceCurrency ?? currency, programName: program.name };
		return FILES[method](c, `payouts-${method}-${currency}`, rows, about);
	});

function payoutOnWire({ id, partner, currency, amountCents }: Batch['rows'][number]['payout']) {
	return { payout_id: id, partner, currency, amount_cents: amountCents };
}

interface About {
	/** The program pays Wise in this currency. */
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
				// The amount is what the partner receives; the sender pays Wise's fees on top.
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
