import { and, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { leadsNear } from '../customers/read-journey.ts';
import { type EventPosition, type EventType, rangeAhead, rangeBehind } from '../domain/reporting/event-position.ts';
import type { Cursor } from '../domain/page.ts';
import { linksOf } from './filtered-rows.ts';
import { saleIdsBy } from './sale-ids.ts';

/** Selects the newest `limit` events of each type or, going back, the oldest before the cursor. */
export interface EventRange {
	readonly programId: number;
	readonly isTest: boolean | undefined;
	/** ms, inclusive. */
	readonly from: number | undefined;
	/** ms, exclusive. */
	readonly until: number | undefined;
	readonly cursor: Cursor<EventPosition> | undefined;
	readonly limit: number;
	readonly values: EventValues;
}

/** A customer's events count for the click that attributes the customer, as in reports. */
export interface EventValues {
	readonly partnerId?: number | undefined;
	readonly linkId?: number | undefined;
	readonly country?: string | undefined;
	readonly customerId?: number | undefined;
	readonly customerKey?: string | undefined;
	readonly transactionId?: string | undefined;
}

/**
 * The most events of each type that a page searches for a partner, link or country; the next page goes on. An index would cost another row
 * per event.
 */
const LOOKED_THROUGH = 5_000;

const TABLES = {
	click: {
		table: 'affiliate_click_events',
		key: 'click_id',
		time: 'clicked_at',
		columns: 'click_id, id, clicked_at, referral_link_id, country',
	},
	lead: { table: 'affiliate_lead_events', key: 'id', time: 'created_at', columns: 'id, created_at, customer_id' },
	sale: { table: 'affiliate_sale_events', key: 'id', time: 'created_at', columns: 'id, created_at, customer_id, partner_program_id' },
	refund: { table: 'refund_events', key: 'id', time: 'created_at', columns: 'id, created_at, sale_id' },
} as const satisfies Record<EventType, Readonly<Record<'table' | 'key' | 'time' | 'columns', string>>>;

export function newest(range: EventRange, type: EventType): SQL {
	const { table, key, time } = TABLES[type];
	const found = amongFound(range, type);
	const conditions = conditionsOf(range, type);
	const last = sql`ORDER BY ${inOrder(range, time)} LIMIT ${range.limit}`;
	// `+` disables the index on the program, because these conditions already find few rows.
	if (found) return sql`(SELECT ${sql.raw(`${key} FROM ${table}`)} WHERE ${and(found, within(range, type, '+'), ...conditions)} ${last})`;
	if (conditions.length === 0) return sql`(SELECT ${sql.raw(key)} FROM ${indexed(range, type)} WHERE ${within(range, type)} ${last})`;
	return sql`(SELECT ${sql.raw(key)} FROM (${lookedThrough(range, type)}) WHERE ${and(...conditions)} ${last})`;
}

/** Whether a page may end before the whole range is searched. */
export function isLookedThrough({ values }: EventRange): boolean {
	const { partnerId, linkId, country } = values;
	return !isFound(values) && [partnerId, linkId, country].some((value) => value !== undefined);
}

/** The last searched event of each type, if there may be more. */
export function selectReached(ctx: Context, range: EventRange, types: readonly EventType[]) {
	if (!isLookedThrough(range)) return undefined;
	const ends = types.map((type) => {
		const time = sql.raw(TABLES[type].time);
		return sql`SELECT ${type} AS type, at, id FROM (SELECT ${time} AS at, id FROM ${indexed(range, type)} WHERE ${within(range, type)}
			ORDER BY ${inOrder(range, TABLES[type].time)} LIMIT 1 OFFSET ${LOOKED_THROUGH - 1})`;
	});
	return ctx.db
		.select({ type: sql<EventType>`type`, at: sql<number>`at`, id: sql<number>`id` })
		.from(sql`(${sql.join(ends, sql` UNION ALL `)})`);
}

function lookedThrough(range: EventRange, type: EventType): SQL {
	const { time, columns } = TABLES[type];
	return sql`SELECT ${sql.raw(columns)} FROM ${indexed(range, type)} WHERE ${within(range, type)}
		ORDER BY ${inOrder(range, time)} LIMIT ${LOOKED_THROUGH}`;
}

function inOrder({ cursor }: EventRange, time: string): SQL {
	return sql.raw(cursor?.isBack ? `${time}, id` : `${time} DESC, id DESC`);
}

/** Names the index, because the planner may otherwise read all real events to find a few tests. */
function indexed({ isTest }: EventRange, type: EventType): SQL {
	const { table } = TABLES[type];
	return sql.raw(`${table} INDEXED BY ${table}_${isTest === true ? 'tests' : 'by_program'}`);
}

function within(range: EventRange, type: EventType, unindexed: '' | '+' = ''): SQL | undefined {
	const at = sql.raw(TABLES[type].time);
	const behind = range.cursor?.isBack === false ? rangeBehind(range.cursor.position, type) : undefined;
	const ahead = range.cursor?.isBack ? rangeAhead(range.cursor.position, type) : undefined;
	// Uses only the tighter bound: with both, the planner may use the wrong one for the index.
	const beyond = behind && (behind.belowId === undefined ? behind.before : behind.before + 1);
	const until = range.until === undefined || beyond === undefined ? (range.until ?? beyond) : Math.min(range.until, beyond);
	const since = range.from === undefined || ahead === undefined ? (range.from ?? ahead?.from) : Math.max(range.from, ahead.from);
	return and(
		sql`${sql.raw(unindexed)}program_id = ${range.programId}`,
		range.isTest === undefined ? undefined : sql.raw(`is_test = ${range.isTest ? 1 : 0}`),
		since === undefined ? undefined : sql`${at} >= ${since}`,
		until === undefined ? undefined : sql`${at} < ${until}`,
		behind?.belowId === undefined ? undefined : sql`(${at} < ${behind.before} OR id < ${behind.belowId})`,
		ahead?.aboveId === undefined ? undefined : sql`(${at} > ${ahead.from} OR id > ${ahead.aboveId})`,
	);
}

function isFound({ customerId, customerKey, transactionId }: EventValues): boolean {
	return [customerId, customerKey, transactionId].some((value) => value !== undefined);
}

/** A customer or transaction has few events, which are found by its id. */
function amongFound({ programId, values }: EventRange, type: EventType): SQL | undefined {
	if (!isFound(values)) return undefined;
	const { customerId, customerKey, transactionId } = values;
	const customer = and(
		sql`program_id = ${programId}`,
		customerId === undefined ? undefined : sql`id = ${customerId}`,
		customerKey === undefined ? undefined : sql`customer_key = ${customerKey}`,
	);
	return and(
		transactionId === undefined ? undefined : ofSales(type, saleIdsBy(transactionId, programId)),
		customerId === undefined && customerKey === undefined ? undefined : ofCustomer(type, sql`(SELECT id FROM customers WHERE ${customer})`),
	);
}

/** Clicks and leads have no transaction. */
function ofSales(type: EventType, saleIds: SQL): SQL {
	if (type === 'sale') return sql`id IN (${saleIds})`;
	return type === 'refund' ? sql`sale_id IN (${saleIds})` : sql`0`;
}

/** Test records have no customer. */
function ofCustomer(type: EventType, customerId: SQL): SQL {
	switch (type) {
		case 'click':
			return sql`click_id = (SELECT click_id FROM customers WHERE id = ${customerId})`;
		case 'lead':
			return sql`id IN (SELECT id FROM (${leadsNear(customerId)}) WHERE customer_id = ${customerId})`;
		case 'sale':
			return sql`customer_id = ${customerId}`;
		case 'refund':
			return sql`sale_id IN (SELECT id FROM affiliate_sale_events WHERE customer_id = ${customerId})`;
	}
}

function conditionsOf({ programId, values: { partnerId, linkId, country } }: EventRange, type: EventType): SQL[] {
	const membership = sql`(SELECT id FROM partner_programs WHERE program_id = ${programId} AND partner_id = ${partnerId})`;
	const ofPartner =
		type === 'click' ? sql`referral_link_id IN (SELECT id FROM ${linksOf(membership)})` : sql`partner_program_id = ${membership}`;
	const conditions = [
		...(partnerId === undefined ? [] : [ofPartner]),
		...(linkId === undefined ? [] : [sql`referral_link_id = ${linkId}`]),
		...(country === undefined ? [] : [sql`country = ${country}`]),
	];
	if (type === 'click' || conditions.length === 0) return conditions;
	const customerId = type === 'refund' ? sql`(SELECT customer_id FROM affiliate_sale_events WHERE id = sale_id)` : sql`customer_id`;
	return [sql`(SELECT ${and(...conditions)} FROM customers WHERE id = ${customerId})`];
}
