import * as z from 'zod/mini';
import { CLICK_TEXT_BYTES, cutText } from '../domain/cut-text.ts';
import { catch as recovering } from 'zod/mini';
import { couponCodeOf } from '../domain/attribution/coupon-code.ts';
import { isMissingValue } from '../domain/attribution/customer-key.ts';
import { keptAddress } from '../domain/attribution/kept-address.ts';
import { MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { subIdOf } from '../domain/attribution/sub-id.ts';
import { once } from '../once.ts';
import { Parsed } from '../parsed.ts';
import { currencyOf, Email, FreeText, Identifier } from './fields.ts';

// The bodies of the tracking routes (contract, section 4). Unknown fields are ignored. Fields are checked in this order.

const TRANSACTION_ID = 'transaction_id is required and must be a string';
const AMOUNT_CENTS = 'amount_cents is required and must be a positive integer';
const NOT_AN_ID =
	'must be your own id of the customer: this is a missing value that was turned into text, and all such customers would share it';
const REFUND_AMOUNT_CENTS = 'refund_amount_cents must be a positive integer, or 0 or left out for a full refund';

/**
 * Removes blank and null fields, which backends send for missing cookies. `refund_amount_cents` stays, so that no refund becomes a full one
 * by mistake. `additional_data` only loses null fields, and `line_items` stay as sent.
 */
export function presentFields(sent: unknown): unknown {
	if (!isFields(sent)) return sent;
	const present = Object.entries(sent).filter(([field, value]) => field === 'refund_amount_cents' || !isBlank(value));
	return Object.fromEntries(present.map(([field, value]) => [field, field === 'additional_data' ? withoutNull(value) : value]));
}

function withoutNull(sent: unknown): unknown {
	return isFields(sent) ? Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) : sent;
}

function isFields(sent: unknown): sent is object {
	return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}

function isBlank(value: unknown): boolean {
	return value === null || (typeof value === 'string' && value.trim() === '');
}

/** Page details are cut to their limit in bytes and never refused, because anybody can set them (decision 9). */
function cut(limitBytes: number, keep = (text: string) => text) {
	return z.pipe(
		z.optional(z.unknown()),
		z.transform((value) => (typeof value === 'string' ? cutText(keep(value), limitBytes).replaceAll('\u0000', '') || null : null)),
	);
}

const AdditionalData = once(() =>
	z.pipe(
		z.optional(z.object({ test_mode: z.optional(z.boolean('must be true or false')) }, 'must be an object')),
		z.transform((data) => ({ isTest: data?.test_mode === true })),
	),
);

function missingOr(missing: string, wrongType: string) {
	return { error: (issue: { readonly input?: unknown }) => (issue.input === undefined ? missing : wrongType) };
}

export const ClickRequest = once(() =>
	z.object({
		affiliate_url: z
			.string(missingOr('affiliate_url is required', 'Invalid affiliate_url'))
			.check(z.maxLength(4096, 'Invalid affiliate_url')),
		additional_data: AdditionalData(),
		existing_click_id: z.pipe(
			z.optional(z.unknown()),
			z.transform((value) => (typeof value === 'string' ? value : undefined)),
		),
		cookie_domain: cut(253),
		page_url: cut(CLICK_TEXT_BYTES, keptAddress),
		page_title: cut(300),
		referrer_url: cut(CLICK_TEXT_BYTES, keptAddress),
		session_id: cut(128),
		user_agent: cut(CLICK_TEXT_BYTES),
		language: cut(35),
		timezone: cut(64),
		sub_id: z.pipe(z.optional(z.unknown()), z.transform(subIdOf)),
	}),
);

/** A missing value that became text, such as "undefined", would merge all customers into one. */
const CustomerKey = once(() => Identifier().check(z.refine((key) => !isMissingValue(key), NOT_AN_ID)));

/** Undefined if it is not valid, because the lead must not be lost (decision 10a). */
const UsableEmail = once(() => recovering(z.optional(Email()), undefined));

export const LeadRequest = once(() =>
	z
		.object({
			click_id: z.optional(Identifier()),
			customer_key: z.optional(CustomerKey()),
			email: UsableEmail(),
			additional_data: AdditionalData(),
		})
		.check(z.refine((lead) => lead.click_id !== undefined || lead.customer_key !== undefined, 'click_id or customer_key is required')),
);

/** A malformed code matches no coupon, but must not cost the sale. */
const CouponCode = once(() =>
	recovering(
		z.optional(
			z.pipe(
				z.string(),
				z.transform((code) => couponCodeOf(code) ?? ''),
			),
		),
		'',
	),
);

const saleDetails = once(() => ({
	customer_key: z.optional(CustomerKey()),
	click_id: z.optional(Identifier()),
	currency: z.optional(Parsed('must be an ISO 4217 code, e.g. USD', (code) => currencyOf(code.trim()))),
	sale_type: z.optional(z.enum(['payment', 'subscription'], 'must be payment or subscription')),
	line_items: z.optional(
		z.pipe(
			z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())], 'must be an object'),
			z.transform((items) => JSON.stringify(items)),
		),
	),
	is_recurring: z.optional(z.boolean('must be true or false')),
	subscription_id: z.optional(Identifier()),
	subscription_interval: z.optional(z.enum(['monthly', 'quarterly', 'annual'], 'must be monthly, quarterly or annual')),
	product_id: z.optional(Identifier()),
	coupon_code: CouponCode(),
	additional_data: AdditionalData(),
}));

const TransactionId = once(() => Identifier(255, TRANSACTION_ID));

const AmountCents = once(() => z.int(AMOUNT_CENTS).check(z.minimum(1, AMOUNT_CENTS), z.maximum(MAX_AMOUNT_CENTS, AMOUNT_CENTS)));

export const SaleRequest = once(() => z.object({ transaction_id: TransactionId(), amount_cents: AmountCents(), ...saleDetails() }));

/** A test sale needs neither an id nor an amount. */
export const TestSaleRequest = once(() =>
	z.object({
		transaction_id: z.optional(TransactionId()),
		amount_cents: z.optional(AmountCents()),
		...saleDetails(),
	}),
);

export const RefundRequest = once(() =>
	z.object({
		transaction_id: Identifier(255, 'transaction_id is required'),
		refund_amount_cents: z.pipe(
			z.optional(z.int(REFUND_AMOUNT_CENTS).check(z.minimum(0, REFUND_AMOUNT_CENTS))),
			z.transform((cents) => (cents === 0 ? undefined : cents)),
		),
		refund_reason: z.optional(FreeText(1000)),
		refund_id: z.optional(Identifier()),
		additional_data: AdditionalData(),
	}),
);

const TestMode = once(() => z.object({ additional_data: z.object({ test_mode: z.literal(true) }) }));

/** Checked first, because test mode has its own schema. */
export function asksForTestMode(body: unknown): boolean {
	return z.safeParse(TestMode(), body).success;
}
