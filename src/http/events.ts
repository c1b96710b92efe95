import { Hono } from 'hono';
import * as z from 'zod/mini';
import { EVENT_TYPES, type EventType, formatPosition, parsePosition } from '../domain/event-position.ts';
import { invalid } from '../domain/rejection.ts';
import { once } from '../once.ts';
import type { TrackedEvent } from '../reporting/event.ts';
import { type EventFilter, type EventPage, listEvents } from '../reporting/list-events.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { type CsvValue, streamCsv, wantsCsv } from './csv.ts';
import { IsoMoment, isoOf } from './management/filters.ts';
import { PageQuery, query, sentQuery } from './management/session.ts';
import { requireReportedProgram } from './program-session.ts';

const CSV_PAGE_ROWS = 1_000;
/** D1 answers 1,000 statements to one request; a page is up to four. */
const CSV_PAGES = 240;

const TYPES = `must be one or more of ${EVENT_TYPES.join(', ')}, separated by commas`;

export const EventQuery = once(() =>
	z.object({
		type: z._default(
			z.pipe(
				z.string(),
				z.transform((text: string, refinement): readonly EventType[] => {
					const names = text.split(',').map((name) => name.trim());
					const types = EVENT_TYPES.filter((type) => names.includes(type));
					if (types.length > 0 && types.length === new Set(names).size) return types;
					refinement.issues.push({ code: 'custom', message: TYPES, input: text });
					return z.NEVER;
				}),
			),
			EVENT_TYPES,
		),
		test: z.optional(z.enum(['true', 'false'], 'must be true or false')),
		from: z.optional(IsoMoment()),
		to: z.optional(IsoMoment()),
		dateFrom: z.optional(IsoMoment()),
		dateTo: z.optional(IsoMoment()),
		cursor: z.optional(
			z
				.pipe(z.string(), z.transform(parsePosition))
				.check(z.refine((position) => position !== undefined, 'must be a next_cursor of this list')),
		),
		limit: PageQuery().shape.limit,
	}),
);

/** GET /api/tracking/events/:programId, for signed-in members of the program's workspace. */
export const events = new Hono<AppEnv>();

events.get('/:programId', async (c) => answerEvents(c, await requireReportedProgram(c)));

/** The events of a program as JSON, a page at a time, or as CSV: all of the range, unless a limit is given (contract, 4.6). */
export async function answerEvents(c: AppContext, program: { readonly id: number; readonly timeZone: string }): Promise<Response> {
	const sent = query(c, EventQuery);
	const { type: types, test, cursor, limit } = sent;
	const from = oneOf({ from: sent.from, dateFrom: sent.dateFrom });
	const to = oneOf({ to: sent.to, dateTo: sent.dateTo });
	const filter: EventFilter = { types, isTest: test === undefined ? undefined : test === 'true', from, to, cursor, limit };
	c.header('Cache-Control', 'no-store');
	c.header('Vary', 'Accept', { append: true });
	const isWhole = wantsCsv(c) && sentQuery(c)['limit'] === undefined;
	const page = await listEvents(c.get('ctx'), program, isWhole ? { ...filter, limit: CSV_PAGE_ROWS } : filter);
	if (isWhole) return streamCsv(c, `events-${program.id}`, COLUMNS, pagesFrom(c, program, filter, page));
	if (!wantsCsv(c)) return c.json({ success: true, data: page.events.map(eventOnWire), meta: { next_cursor: cursorOf(page) } });
	c.header('X-Next-Cursor', cursorOf(page) ?? undefined);
	return streamCsv(c, `events-${program.id}`, COLUMNS, [page.events]);
}

/** What was sent under one of two names for the same. Rejects with 400 both. */
function oneOf<Value>(named: Readonly<Record<string, Value | undefined>>): Value | undefined {
	const sent = Object.values(named).filter((value) => value !== undefined);
	if (sent.length > 1) throw invalid(`Send either ${Object.keys(named).join(' or ')}`);
	return sent[0];
}

/** The pages of a whole range, each read when the one before is on its way. */
async function* pagesFrom(
	c: AppContext,
	program: { readonly id: number; readonly timeZone: string },
	filter: EventFilter,
	first: EventPage,
) {
	let page = first;
	for (let count = 1; ; count += 1) {
		yield page.events;
		if (page.nextCursor === null) return;
		// A file that broke off is seen to be incomplete; one that ended early is not.
		if (count === CSV_PAGES) throw new Error(`More than ${CSV_PAGES * CSV_PAGE_ROWS} events: ask for a shorter range`);
		page = await listEvents(c.get('ctx'), program, { ...filter, cursor: page.nextCursor, limit: CSV_PAGE_ROWS });
	}
}

function cursorOf({ nextCursor }: EventPage): string | null {
	return nextCursor && formatPosition(nextCursor);
}

export function eventOnWire(event: TrackedEvent) {
	return {
		type: event.type,
		id: event.id,
		at: isoOf(event.at),
		is_test: event.isTest,
		is_bot: event.isBot,
		click_id: event.clickId,
		customer_key: event.customerKey,
		sale_id: event.saleId,
		transaction_id: event.transactionId,
		product_id: event.productId,
		amount_cents: event.amountCents,
		currency: event.currency,
		commission_id: event.commissionId,
		deduction_cents: event.deductionCents,
		refund_id: event.refundId,
		outcome: event.outcome,
		source: event.source,
		reason: event.reason,
		partner: event.partner,
		short_link: event.shortLink,
		country: event.country,
	};
}

const COLUMNS: Readonly<Record<string, (event: TrackedEvent) => CsvValue>> = {
	type: (event) => event.type,
	id: (event) => event.id,
	at: (event) => isoOf(event.at),
	is_test: (event) => event.isTest,
	is_bot: (event) => event.isBot,
	click_id: (event) => event.clickId,
	customer_key: (event) => event.customerKey,
	sale_id: (event) => event.saleId,
	transaction_id: (event) => event.transactionId,
	product_id: (event) => event.productId,
	amount_cents: (event) => event.amountCents,
	currency: (event) => event.currency,
	commission_id: (event) => event.commissionId,
	deduction_cents: (event) => event.deductionCents,
	refund_id: (event) => event.refundId,
	outcome: (event) => event.outcome,
	source: (event) => event.source,
	reason: (event) => event.reason,
	partner_id: (event) => event.partner?.id ?? null,
	partner_name: (event) => event.partner?.name ?? null,
	short_link: (event) => event.shortLink,
	country: (event) => event.country,
};
