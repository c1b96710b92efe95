import * as z from 'zod';
import { isCurrency, MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { Email, FreeText, Identifier } from './schema.ts';

// The bodies of the tracking routes (contract, section 4). Fields that are not named here are ignored.
// The order of the fields is the order of the checks.

const TRANSACTION_ID = 'transaction_id is required and must be a string';
const AMOUNT_CENTS = 'amount_cents is required and must be a positive integer';
const REFUND_AMOUNT_CENTS = 'refund_amount_cents must be a positive integer, or 0 or left out for a full refund';

/** Null and blank count as left out: backends send what a missing cookie left them. */
function optional<Schema extends z.ZodType>(schema: Schema) {
	return z.preprocess(
		(value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
		schema.optional(),
	);
}

/** Page details are cut to their limit, never a reason for a 400 (decision 9). */
function cut(limit: number) {
	return z
		.unknown()
		.optional()
		.transform((value) => (typeof value === 'string' ? value.slice(0, limit).toWellFormed().replaceAll('\u0000', '') || null : null));
}

const AdditionalData = z
	.object({ test_mode: z.boolean('must be true or false').optional() }, 'must be an object')
	.nullish()
	.transform((data) => data?.test_mode === true);

export const ClickRequest = z.object({
	affiliate_url: z
		.string({
			error: (issue) => (issue.input === undefined || issue.input === null ? 'affiliate_url is required' : 'Invalid affiliate_url'),
		})
		.refine((url) => url.trim() !== '', { error: 'affiliate_url is required', abort: true })
		.max(4096, 'Invalid affiliate_url'),
	additional_data: AdditionalData,
	existing_click_id: z
		.unknown()
		.optional()
		.transform((value) => (typeof value === 'string' ? value : undefined)),
	page_url: cut(2048),
	page_title: cut(300),
	referrer_url: cut(2048),
	session_id: cut(128),
	user_agent: cut(512),
	language: cut(35),
	timezone: cut(64),
});

export const LeadRequest = z
	.object({
		click_id: optional(Identifier()),
		customer_key: optional(Identifier()),
		email: optional(Email),
		additional_data: AdditionalData,
	})
	.refine((lead) => lead.click_id !== undefined || lead.customer_key !== undefined, 'click_id or customer_key is required');

const saleDetails = {
	customer_key: optional(Identifier()),
	click_id: optional(Identifier()),
	currency: optional(
		z
			.string('must be an ISO 4217 code')
			.transform((code) => code.trim().toUpperCase())
			.refine(isCurrency, 'must be an ISO 4217 code, e.g. USD'),
	),
	sale_type: optional(z.enum(['payment', 'subscription'], 'must be payment or subscription')),
	line_items: optional(
		z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())], 'must be an object').transform((items) => JSON.stringify(items)),
	),
	is_recurring: optional(z.boolean('must be true or false')),
	subscription_id: optional(Identifier()),
	subscription_interval: optional(z.enum(['monthly', 'quarterly', 'annual'], 'must be monthly, quarterly or annual')),
	product_id: optional(Identifier()),
	additional_data: AdditionalData,
};

const TransactionId = z
	.string(TRANSACTION_ID)
	.refine((id) => id.trim() !== '', { error: TRANSACTION_ID, abort: true })
	.pipe(Identifier());

const AmountCents = z.int(AMOUNT_CENTS).min(1, AMOUNT_CENTS).max(MAX_AMOUNT_CENTS, AMOUNT_CENTS);

export const SaleRequest = z.object({ transaction_id: TransactionId, amount_cents: AmountCents, ...saleDetails });

/** In test mode the id and the amount may be left out. */
export const TestSaleRequest = z.object({ transaction_id: TransactionId.optional(), amount_cents: AmountCents.optional(), ...saleDetails });

export const RefundRequest = z.object({
	transaction_id: z
		.string('transaction_id is required')
		.refine((id) => id.trim() !== '', { error: 'transaction_id is required', abort: true })
		.pipe(Identifier()),
	refund_amount_cents: z
		.int(REFUND_AMOUNT_CENTS)
		.min(0, REFUND_AMOUNT_CENTS)
		.optional()
		.transform((cents) => (cents === 0 ? undefined : cents)),
	refund_reason: optional(FreeText(1000)),
	refund_id: optional(Identifier()),
	additional_data: AdditionalData,
});

/** Whether a body asks for test mode, before its schema is chosen. */
export function asksForTestMode(body: unknown): boolean {
	return z.object({ additional_data: z.object({ test_mode: z.literal(true) }) }).safeParse(body).success;
}
