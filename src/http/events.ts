import { Hono } from 'hono';
import { formatPosition } from '../domain/reporting/event-position.ts';
import type { TrackedEvent } from '../reporting/event.ts';
import { readEvent } from '../reporting/read-event.ts';
import { type EventFilter, type EventPage, hasMoreEvents, listEvents } from '../reporting/list-events.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { CSV_SLICE_ROWS, MOST_CSV_ROWS, requireForward, requireSendable, streamCsv, wantsCsv, wholeList } from './csv.ts';
import { askedEvent, timelineOnWire } from './event.ts';
import { eventOnWire } from './event-on-wire.ts';
import { type EventListQuery, eventListQuery, EventQuery, type SentEventQuery } from './event-query.ts';
import { isoOf } from '../domain/instant.ts';
import { metaAt } from './page.ts';
import { requireReportedProgram } from './program-session.ts';
import { noQuery, query, sentQuery } from './validate.ts';

export const EVENT_COLUMNS =
	'type,id,at,is_test,is_bot,click_id,customer_key,sale_id,transaction_id,product_id,amount_cents,currency,commission_id,deduction_cents,refund_id,outcome,source,reason,partner_id,partner_name,short_link,country,sale_type,is_recurring,subscription_id,subscription_interval';

interface EventsProgram {
	readonly id: number;
	readonly timeZone: string;
}

/** GET /api/tracking/events/:programId, for members of the program's workspace. */
export const events = new Hono<AppEnv>()
	.get('/:programId', requireReportedProgram, query(EventQuery), async (c) =>
		answerEvents(c, c.var.program, c.req.valid('query'), wantsCsv(c)),
	)
	.get('/:programId/:type/:eventId', requireReportedProgram, noQuery, async (c) => {
		c.header('Cache-Control', 'no-store');
		return c.json({ success: true, data: timelineOnWire(await readEvent(c.var.ctx, c.var.program, askedEvent(c))) });
	});

/** Sends JSON or CSV (contract, 4.6). The CSV has the whole range unless a limit is given. */
export async function answerEvents(c: AppContext, program: EventsProgram, sent: SentEventQuery, isCsv: boolean) {
	const request = eventListQuery(sent, sentQuery(c));
	const { filter } = request;
	c.header('Cache-Control', 'no-store');
	c.header('Vary', 'Accept', { append: true });
	const isWhole = isCsv && !request.isLimited;
	if (isWhole) requireForward(filter.cursor);
	const page = await listEvents(c.get('ctx'), program, isWhole ? { ...filter, limit: CSV_SLICE_ROWS } : filter);
	if (isCsv) c.header('X-Clicks-Retired-Until', page.clicksRetiredUntil ?? undefined);
	if (isWhole) {
		requireSendable(page.nextCursor !== null && (await hasMoreEvents(c.get('ctx'), program, filter, MOST_CSV_ROWS)));
		return streamCsv(c, `events-${program.id}`, EVENT_COLUMNS, pagesFrom(c, program, filter, page));
	}
	if (!isCsv) return c.json(pageOnWire(request, page));
	c.header('X-Next-Cursor', cursorOf(page) ?? undefined);
	return streamCsv(c, `events-${program.id}`, EVENT_COLUMNS, [page.events.map(csvRowOf)]);
}

function pageOnWire(
	{ filter: { limit: pageSize }, isEarlier, page: number }: EventListQuery,
	{ total: inList, clicksRetiredUntil, ...page }: EventPage,
) {
	const { counted: total } = page;
	const pagination = number === undefined ? undefined : { page: number, pageSize, pageCount: Math.ceil(total / pageSize), total };
	return {
		success: true,
		data: page.events.map((event) => (isEarlier ? { ...eventOnWire(event), ...earlierNamesOf(event) } : eventOnWire(event))),
		meta: {
			...metaAt(pagination ? page : { ...page, total: inList }, formatPosition),
			clicks_retired_until: clicksRetiredUntil,
			...(pagination ? { pagination } : {}),
		},
	};
}

async function* pagesFrom(c: AppContext, program: EventsProgram, filter: EventFilter, first: EventPage) {
	const readAfter = (position: NonNullable<EventPage['nextCursor']>) =>
		listEvents(c.get('ctx'), program, { ...filter, cursor: { position, isBack: false }, limit: CSV_SLICE_ROWS });
	for await (const page of wholeList(first, readAfter)) yield page.events.map(csvRowOf);
}

function cursorOf({ nextCursor }: Pick<EventPage, 'nextCursor'>): string | null {
	return nextCursor && formatPosition(nextCursor);
}

function earlierNamesOf({ type, at, transactionId }: TrackedEvent) {
	const timestamp = isoOf(at);
	return { event_type: type === 'sale' ? 'conversion' : type, timestamp, createdAt: timestamp, processor_event_id: transactionId };
}

function csvRowOf(event: TrackedEvent) {
	const { partner, ...row } = eventOnWire(event);
	return { ...row, partner_id: partner?.id ?? null, partner_name: partner?.name ?? null };
}
