import * as z from 'zod/mini';
import { isMissingValue } from '../../domain/attribution/customer-key.ts';
import { parseDayOrInstant } from '../../domain/moment.ts';
import { isCurrency, MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { once } from '../../once.ts';
import { Parsed } from '../../parsed.ts';
import { firstProblem } from './first-problem.ts';
import { identifierIn } from '../reading/fields.ts';

// Events of a business's own backend, in our terms. The backend reads the answer, so a wrong field is refused by name and nothing is
// stored; the corrected body may reuse the id.

export const EVENT_TYPES = ['payment', 'renewal', 'refund', 'dispute', 'signup', 'subscription_end'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const ID = 'must be a text of 1 to 255 characters, without control characters and without leading or trailing blanks';
const KEY = 'must be your own id of the customer: this is a missing value that was turned into text';
const TIMESTAMP = 'must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z';
const POSITIVE = `must be an integer of minor units from 1 to ${MAX_AMOUNT_CENTS}`;
const NATURAL = `must be an integer of minor units from 0 to ${MAX_AMOUNT_CENTS}`;
const INTERVALS = ['monthly', 'quarterly', 'annual'] as const;
const INTERVAL = 'must be monthly, quarterly or annual';
const FLAG = 'must be true or false';
const LONGEST_LINE_ITEMS = 65_536;
const WHO = 'must have customer_key or click_id';

const Id = () => Parsed(ID, (text) => (identifierIn(text) === text ? text : undefined));
const Key = () => Id().check(z.refine((key) => !isMissingValue(key), KEY));
const Amount = () => z.int(POSITIVE).check(z.minimum(1, POSITIVE), z.maximum(MAX_AMOUNT_CENTS, POSITIVE));
const Part = () => z.int(NATURAL).check(z.minimum(0, NATURAL), z.maximum(MAX_AMOUNT_CENTS, NATURAL));
const Currency = () =>
	Parsed('must be an ISO 4217 code, such as USD', (text) => (isCurrency(text.toUpperCase()) ? text.toUpperCase() : undefined));

/** Stored as JSON with the sale. Drops anything too long or of the wrong type, instead of refusing the payment. */
const LineItems = () =>
	z.pipe(
		z.optional(z.unknown()),
		z.transform((items) => {
			const text = typeof items === 'object' && items !== null ? JSON.stringify(items) : undefined;
			return text !== undefined && text.length <= LONGEST_LINE_ITEMS ? text : undefined;
		}),
	);

const who = () => ({ customer_key: z.optional(Key()), click_id: z.optional(Id()) });

const paid = () => ({
	payment_id: Id(),
	amount_cents: Amount(),
	tax_cents: z.optional(Part()),
	shipping_cents: z.optional(Part()),
	currency: Currency(),
	...who(),
	product_id: z.optional(Id()),
	subscription_interval: z.optional(z.enum(INTERVALS, INTERVAL)),
	line_items: LineItems(),
});

const taxWithin = () =>
	z.refine<{ readonly amount_cents: number; readonly tax_cents?: number | undefined }>(
		({ amount_cents: paidCents, tax_cents: taxCents = 0 }) => taxCents <= paidCents,
		{ path: ['tax_cents'], message: 'must not be more than amount_cents' },
	);

const refundFields = () => ({ payment_id: Id(), amount_cents: Amount(), currency: Currency(), reason: z.optional(Id()) });

export const DATA = {
	payment: once(() =>
		z.object({ ...paid(), subscription_id: z.optional(Id()) }, 'must be an object').check(
			taxWithin(),
			z.refine(
				(data) => [data.customer_key, data.click_id, data.subscription_id].some((id) => id !== undefined),
				'must have customer_key, click_id or subscription_id',
			),
		),
	),
	renewal: once(() =>
		z.object({ ...paid(), subscription_id: Id(), proration: z.optional(z.boolean(FLAG)) }, 'must be an object').check(taxWithin()),
	),
	refund: once(() =>
		z.object(
			{
				refund_id: Id(),
				...refundFields(),
				status: z.optional(z.enum(['pending', 'succeeded', 'failed', 'canceled'], 'must be pending, succeeded, failed or canceled')),
			},
			'must be an object',
		),
	),
	dispute: once(() =>
		z.object(
			{ dispute_id: Id(), ...refundFields(), status: z.optional(z.enum(['open', 'lost', 'won'], 'must be open, lost or won')) },
			'must be an object',
		),
	),
	signup: once(() =>
		z
			.object({ ...who(), subscription_id: z.optional(Id()), trial: z.optional(z.boolean(FLAG)) }, 'must be an object')
			.check(z.refine((data) => data.customer_key !== undefined || data.click_id !== undefined, WHO)),
	),
	subscription_end: once(() => z.object({ subscription_id: Id() }, 'must be an object')),
} as const satisfies Readonly<Record<EventType, () => z.ZodMiniType>>;

const STATUSES = ['pending', 'succeeded', 'failed', 'canceled', 'open', 'lost', 'won'] as const;

/** A field is validated even if the event's type does not use it. */
const AnyData = () =>
	z.looseObject({
		payment_id: z.optional(Id()),
		amount_cents: z.optional(Amount()),
		tax_cents: z.optional(Part()),
		shipping_cents: z.optional(Part()),
		currency: z.optional(Currency()),
		...who(),
		subscription_id: z.optional(Id()),
		subscription_interval: z.optional(z.enum(INTERVALS, INTERVAL)),
		product_id: z.optional(Id()),
		proration: z.optional(z.boolean(FLAG)),
		refund_id: z.optional(Id()),
		dispute_id: z.optional(Id()),
		status: z.optional(z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)),
		reason: z.optional(Id()),
		trial: z.optional(z.boolean(FLAG)),
	});

export const CustomEvent = once(() =>
	z.object(
		{
			type: z.enum(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(', ')}`),
			timestamp: Parsed(TIMESTAMP, instantIn),
			test: z.optional(z.boolean(FLAG)),
			data: z.pipe(z.pipe(z.looseObject({}, 'must be an object'), z.transform(present)), AnyData()),
		},
		'The body must be a JSON object with type, timestamp and data',
	),
);

export type DataOf<Type extends EventType> = z.output<ReturnType<(typeof DATA)[Type]>>;

export type CustomEvent = {
	[Type in EventType]: {
		readonly type: Type;
		/** In ms. */
		readonly timestamp: number;
		readonly test: boolean;
		readonly data: DataOf<Type>;
	};
}[EventType];

/** The event, or what makes the body invalid, starting with the field's name. */
export function customEventIn(body: unknown): { readonly event: CustomEvent } | { readonly problem: string } {
	const outer = z.safeParse(CustomEvent(), presentFields(body));
	if (!outer.success) return { problem: firstProblem(outer.error) };
	const { type, timestamp, test = false } = outer.data;
	const at = { timestamp, test };
	switch (type) {
		case 'payment':
			return eventOf(z.safeParse(DATA.payment(), outer.data.data), (data) => ({ type, ...at, data }));
		case 'renewal':
			return eventOf(z.safeParse(DATA.renewal(), outer.data.data), (data) => ({ type, ...at, data }));
		case 'refund':
			return eventOf(z.safeParse(DATA.refund(), outer.data.data), (data) => ({ type, ...at, data }));
		case 'dispute':
			return eventOf(z.safeParse(DATA.dispute(), outer.data.data), (data) => ({ type, ...at, data }));
		case 'signup':
			return eventOf(z.safeParse(DATA.signup(), outer.data.data), (data) => ({ type, ...at, data }));
		case 'subscription_end':
			return eventOf(z.safeParse(DATA.subscription_end(), outer.data.data), (data) => ({ type, ...at, data }));
	}
}

function eventOf<Data>(parsed: z.core.util.SafeParseResult<Data>, made: (data: Data) => CustomEvent) {
	return parsed.success ? { event: made(parsed.data) } : { problem: firstProblem(parsed.error, 'data') };
}

function instantIn(text: string): number | undefined {
	const moment = parseDayOrInstant(text);
	return moment?.kind === 'instant' && moment.at >= 0 ? moment.at : undefined;
}

/** Treats null as missing, because backends send it for missing values. */
function present(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

function presentFields(body: unknown): unknown {
	return typeof body === 'object' && body !== null && !Array.isArray(body) ? present({ ...body }) : body;
}
