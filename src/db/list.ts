import { and, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Counted, MOST_COUNTED, type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type Database, read } from './client.ts';
import type { Read } from './statement.ts';

/** The rows of a filtered list that are read for a page or its total. Slices of a file read more. */
const WINDOW = 1_200;

export interface List {
	readonly order: ListOrder;
	/** Conditions that an index covers, in the list's order. */
	readonly where: SQL | undefined;
	/** Conditions that no index covers. */
	readonly filter?: SQL | undefined;
}

type Sign = '<' | '<=' | '>' | '>=';

/** A list's cursor is the id of a row. */
export interface ListOrder {
	/** The table, joined with the tables that the conditions need. */
	readonly from: SQL;
	readonly id: SQL;
	readonly keys: readonly SQL[];
	readonly isDescending: boolean;
	readonly compare: (sign: Sign, id: SQL) => SQL;
}

export function newestFirst(id: SQLiteColumn): ListOrder {
	return { ...oldestFirst(id), isDescending: true };
}

export function oldestFirst(id: SQLiteColumn): ListOrder {
	const compare = (sign: Sign, other: SQL) => sql`${id} ${sql.raw(sign)} ${other}`;
	return { from: sql`${id.table}`, id: sql`${id}`, keys: [sql`${id}`], isDescending: false, compare };
}

type Select<Row> = (isOnPage: SQL | undefined, limit: number) => Read & PromiseLike<Row[]>;

/**
 * Reads a page, and the total if requested, in one round trip. A filtered page reads only `WINDOW` rows, so it may be short; the next page
 * continues from there.
 */
export async function readPage<Row extends { readonly id: number }>(
	db: Database,
	list: List,
	request: PageRequest,
	select: Select<Row>,
): Promise<Page<Row>> {
	const { limit } = request;
	if (!list.filter) {
		const rows: Read & PromiseLike<Row[]> = select(isOnPage(list, request), limit + 1);
		const found = await read(db, { rows, counted: selectCounted(db, list, request) });
		return pageOf(found.rows, request, countedOf(found.counted));
	}
	const { rows, end, counted } = await readWindow(db, list, request, select);
	return continuedAt(pageOf(rows, request, countedOf(counted)), request, end);
}

/** `end` is the window's last row if more may follow. */
async function readWindow<Row extends { readonly id: number }>(db: Database, list: List, request: PageRequest, select: Select<Row>) {
	const window = windowOf(db, list, request);
	const query: Read & PromiseLike<Row[]> = select(isOnPage(window.list, request), request.limit + 1);
	const { rows, end, counted } = await read(db, { rows: query, end: window.end, counted: selectCounted(db, list, request) });
	const listed: readonly Row[] = rows;
	return { rows: listed, end: end[0]?.id ?? null, counted };
}

/** Limits the list to one window, and selects the window's last row if more may follow. */
export function windowOf(db: Database, list: List, { cursor, limit }: PageRequest, size = limit > WINDOW ? limit * 4 : WINDOW) {
	const { order, where, filter } = list;
	const isDescending = order.isDescending !== (cursor?.isBack ?? false);
	const isBehind = cursor && order.compare(isDescending ? '<' : '>', sql`${cursor.position}`);
	const walked = and(where, isBehind);
	const ids = (last: SQL) => sql`(SELECT ${order.id} FROM ${walk(order, walked)} ORDER BY ${last})`;
	const end = sql`coalesce(${ids(sql`${sortedBy(order, isDescending)} LIMIT 1 OFFSET ${size - 1}`)}, ${ids(sql`${sortedBy(order, !isDescending)} LIMIT 1`)})`;
	return {
		list: { ...list, filter: and(filter, order.compare(isDescending ? '>=' : '<=', end)) },
		end: db
			.select({ id: sql<number>`${order.id}` })
			.from(sql`${order.from}`)
			.where(walked)
			.orderBy(sortedBy(order, isDescending))
			.limit(1)
			.offset(size - 1),
	};
}

/** A short page continues after the last row that was read. */
export function continuedAt<Row>(page: Page<Row>, request: PageRequest, end: number | null): Page<Row> {
	if (isBackwards(request)) return { ...page, previousCursor: page.previousCursor ?? end };
	return { ...page, nextCursor: page.nextCursor ?? end };
}

function isBackwards({ cursor }: PageRequest): boolean {
	return cursor?.isBack ?? false;
}

/** Callers select one extra row, which shows whether another page follows. */
export function isOnPage({ order, where, filter }: List, { cursor, limit }: PageRequest): SQL | undefined {
	// The bound of a window comes first: of two bounds on the same column SQLite searches by the one that it reads first.
	const isListed = and(filter, where);
	if (!cursor) return isListed;
	const position = sql`${cursor.position}`;
	const [before, after] = order.isDescending ? (['>', '<'] as const) : (['<', '>'] as const);
	if (!cursor.isBack) return and(isListed, order.compare(after, position));
	// A previous page is also selected in the list's order, so its first row must be found first.
	const isBefore = and(isListed, order.compare(before, position));
	const first = sql`coalesce(
		(SELECT ${order.id} FROM ${order.from} WHERE ${isBefore} ORDER BY ${sortedBy(order, !order.isDescending)} LIMIT 1 OFFSET ${limit}),
		(SELECT ${order.id} FROM ${walk(order, where)} ORDER BY ${sortedBy(order)} LIMIT 1))`;
	return and(isBefore, order.compare(`${after}=`, first));
}

function walk({ from }: ListOrder, where: SQL | undefined): SQL {
	return sql`${from} WHERE ${where ?? sql`true`}`;
}

export function sortedBy({ keys, isDescending }: ListOrder, descending = isDescending): SQL {
	return sql.join(descending ? keys.map((key) => sql`${key} DESC`) : [...keys], sql`, `);
}

/** Counts a list from its start; undefined if no total is requested. */
export function selectCounted(db: Database, { order, where, filter }: List, { cursor, total, countTo }: PageRequest) {
	if (total !== true) return undefined;
	// A page counts within one window, because it must not wait for rare matches. A file reads all rows anyway.
	const sifted = countTo === undefined ? filter : undefined;
	const most = countTo === undefined ? (filter ? WINDOW : MOST_COUNTED + 1) : countTo + 1;
	const looked = sql`(
		SELECT ${sifted ? sql`coalesce(${sifted}, 0)` : sql`1`} AS is_listed, ${isAhead(order, cursor)} AS is_ahead
		FROM ${walk(order, sifted ? where : and(where, filter))} ORDER BY ${sortedBy(order)} LIMIT ${most})`;
	return db
		.select({
			rows: sql<number>`coalesce(sum(is_listed), 0)`,
			isMore: sql`count(*) = ${most}`.mapWith(Boolean),
			isReached: sql`count(*) < ${most} OR sum(is_ahead) < count(*)`.mapWith(Boolean),
			ahead: sql<number>`coalesce(sum(is_listed AND is_ahead), 0)`,
		})
		.from(looked);
}

function isAhead({ compare, isDescending }: ListOrder, cursor: PageRequest['cursor']): SQL {
	if (!cursor) return sql`0`;
	const sign = isDescending ? '>' : '<';
	return compare(cursor.isBack ? sign : `${sign}=`, sql`${cursor.position}`);
}

type CountedRow = Counted & { readonly ahead: number; readonly isReached: boolean };

export function countedOf([found]: readonly CountedRow[]): Counted | undefined {
	return found && { rows: found.rows, isMore: found.isMore, ahead: found.isReached ? found.ahead : null };
}
