import * as z from 'zod/mini';
import { EVENT_TYPES, type EventType, parsePosition } from '../domain/reporting/event-position.ts';
import { MOST_COUNTED } from '../domain/page.ts';
import { invalid } from '../domain/rejection.ts';
import { once } from '../once.ts';
import { Parsed } from '../parsed.ts';
import type { EventFilter } from '../reporting/list-events.ts';
import { CountryCode, Identifier, IsoDayOrInstant, QueryCount, QueryFlag, QueryId } from './fields.ts';
import { PageCursor, PageQuery, TotalFlag } from './page.ts';

// Accepts our parameter names and those of earlier clients.

/** Earlier clients do not know refunds. */
const EARLIER_TYPES = { click: 'click', lead: 'lead', conversion: 'sale' } as const satisfies Record<string, EventType>;
const EARLIER_PAGE_SIZE = 10;
/** A numbered page reads all pages before it, so page numbers end here. */
const NUMBERED_EVENTS = 1_000;

export const EventQuery = once(() =>
	z.object({
		type: z.optional(Parsed(`must be one or more of ${EVENT_TYPES.join(', ')}, separated by commas`, typesOf)),
		test: z.optional(QueryFlag()),
		partner_id: z.optional(QueryId()),
		link_id: z.optional(QueryId()),
		country: z.optional(CountryCode()),
		customer_id: z.optional(QueryId()),
		customer_key: z.optional(Identifier()),
		transaction_id: z.optional(Identifier()),
		from: z.optional(IsoDayOrInstant()),
		to: z.optional(IsoDayOrInstant()),
		dateFrom: z.optional(IsoDayOrInstant()),
		dateTo: z.optional(IsoDayOrInstant()),
		cursor: z.optional(PageCursor(parsePosition)),
		limit: PageQuery().shape.limit,
		total: z.optional(TotalFlag()),
		eventType: z.optional(z.enum(['click', 'lead', 'conversion'], 'must be click, lead or conversion')),
		page: z.optional(QueryCount(NUMBERED_EVENTS)),
		pageSize: z.optional(QueryCount(200)),
	}),
);

function typesOf(text: string): readonly EventType[] | undefined {
	const names = text.split(',').map((name) => name.trim());
	const types = EVENT_TYPES.filter((type) => names.includes(type));
	return types.length > 0 && types.length === new Set(names).size ? types : undefined;
}

export interface EventListQuery {
	readonly filter: EventFilter;
	/** Whether the query uses names of earlier clients. If so, the response has both names. */
	readonly isEarlier: boolean;
	/** Set if an earlier client requests numbered pages. */
	readonly page: number | undefined;
	/** CSV without a limit has the whole range. */
	readonly isLimited: boolean;
}

/** Parameters that have two names. */
const NAMES = [
	['from', 'dateFrom'],
	['to', 'dateTo'],
	['type', 'eventType'],
	['limit', 'pageSize'],
	['cursor', 'page'],
] as const;

/** Numbered pages do not support these filters. */
const FILTERS = ['partner_id', 'link_id', 'country', 'customer_id', 'customer_key', 'transaction_id'] as const;
const EARLIER_NAMES = ['eventType', 'page', 'pageSize'] as const;
const OTHER_NAMES = [...NAMES, ...EARLIER_NAMES.flatMap((name) => FILTERS.map((filter) => [name, filter] as const))];

export type SentEventQuery = z.output<ReturnType<typeof EventQuery>>;

/** `sent` is the raw query. Rejects with 400 and names the parameter. */
export function eventListQuery(query: SentEventQuery, sent: Readonly<Record<string, string>>): EventListQuery {
	for (const [name, other] of OTHER_NAMES) if (name in sent && other in sent) throw invalid(`Send either ${name} or ${other}`);
	const { eventType, page: number = 1, pageSize = EARLIER_PAGE_SIZE, cursor, test } = query;
	const isEarlier = EARLIER_NAMES.some((name) => name in sent);
	const limit = isEarlier && !('limit' in sent) ? pageSize : query.limit;
	const page = isEarlier && !cursor ? number : undefined;
	const skip = page === undefined ? 0 : (page - 1) * limit;
	if (skip >= NUMBERED_EVENTS) {
		throw invalid(`page reaches only the newest ${NUMBERED_EVENTS} events. Follow next_cursor or request a shorter range`);
	}
	const ofEarlier = eventType ? [EARLIER_TYPES[eventType]] : Object.values(EARLIER_TYPES);
	return {
		filter: {
			types: query.type ?? (isEarlier ? ofEarlier : EVENT_TYPES),
			isTest: test === undefined ? (isEarlier ? false : undefined) : test === 'true',
			from: query.from ?? query.dateFrom,
			to: query.to ?? query.dateTo,
			values: {
				partnerId: query.partner_id,
				linkId: query.link_id,
				country: query.country,
				customerId: query.customer_id,
				customerKey: query.customer_key,
				transactionId: query.transaction_id,
			},
			cursor,
			limit,
			skip,
			countUpTo: page !== undefined ? NUMBERED_EVENTS : query.total ? MOST_COUNTED + 1 : undefined,
		},
		isEarlier,
		page,
		isLimited: isEarlier || 'limit' in sent,
	};
}
