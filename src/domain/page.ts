/** Lists count their rows up to here, and say "more than" beyond. */
export const MOST_COUNTED = 1_000;

/** Where a page starts: behind a row of the list, or, on the way back, in front of it. */
export interface Cursor<Position = number> {
	readonly position: Position;
	readonly isBack: boolean;
}

/** Which page of a list. */
export interface PageRequest<Position = number> {
	/** Undefined: the first page. */
	readonly cursor?: Cursor<Position> | undefined;
	readonly limit: number;
	/** Whether to count the rows of the whole list. */
	readonly total?: boolean | undefined;
	/** How many rows are counted at most; undefined: as many as a page shows. */
	readonly countTo?: number | undefined;
}

export interface Page<Row, Position = number> {
	readonly rows: readonly Row[];
	/** The row after which the next page starts; null on the last page. */
	readonly nextCursor: Position | null;
	/** The row in front of which the page before ends; null on the first page. */
	readonly previousCursor: Position | null;
	/** Undefined unless the request asks for it. */
	readonly total?: Total | undefined;
}

export interface Total {
	readonly count: number;
	/** Whether the list has more rows than were counted. */
	readonly isMore: boolean;
	/** How many rows come before this page; null if it lies beyond the counted rows. */
	readonly offset: number | null;
}

/** What was counted of a list, from its start. */
export interface Counted {
	readonly rows: number;
	/** Whether counting stopped before the end of the list. */
	readonly isMore: boolean;
	/** How many of the rows come before the cursor; null if the cursor lies beyond the counted rows. */
	readonly ahead: number | null;
}

/**
 * A page of a list. `rows` are in the order of the list and have one row more than the limit if there is another page:
 * the last one, or the first one if the cursor leads back.
 */
export function pageOf<Row extends { readonly id: number }>(rows: readonly Row[], request: PageRequest, counted?: Counted): Page<Row> {
	return pageAt(rows, request, { positionOf: ({ id }) => id, counted });
}

/** The same for a list whose rows are not ordered by their ids alone. */
export function pageAt<Row, Position>(
	rows: readonly Row[],
	{ cursor, limit, countTo }: PageRequest<Position>,
	{ positionOf, counted }: { readonly positionOf: (row: Row) => Position; readonly counted?: Counted | undefined },
): Page<Row, Position> {
	const isBack = cursor?.isBack ?? false;
	const hasMore = rows.length > limit;
	const shown = isBack && hasMore ? rows.slice(-limit) : rows.slice(0, limit);
	const [first, last] = [shown[0], shown.at(-1)];
	const hasNext = isBack || hasMore;
	const hasPrevious = isBack ? hasMore : cursor !== undefined;
	return {
		rows: shown,
		nextCursor: hasNext && last !== undefined ? positionOf(last) : null,
		previousCursor: hasPrevious && first !== undefined ? positionOf(first) : null,
		total: counted && totalOf(counted, { shown: isBack ? shown.length : 0, most: countTo ?? MOST_COUNTED }),
	};
}

function totalOf({ rows, isMore, ahead }: Counted, { shown, most }: { readonly shown: number; readonly most: number }): Total {
	return {
		count: Math.min(rows, most),
		isMore: isMore || rows > most,
		offset: ahead === null ? null : Math.max(0, ahead - shown),
	};
}

/** The page with its rows in another form. */
export function mapPage<Row, Other, Position>({ rows, ...page }: Page<Row, Position>, other: (row: Row) => Other): Page<Other, Position> {
	return { ...page, rows: rows.map(other) };
}
