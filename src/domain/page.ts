/** Lists count up to this many rows; above that, they show "more than". */
export const MOST_COUNTED = 1_000;

/** A page starts after this row or, backwards, before it. */
export interface Cursor<Position = number> {
	readonly position: Position;
	readonly isBack: boolean;
}

export interface PageRequest<Position = number> {
	readonly cursor?: Cursor<Position> | undefined;
	readonly limit: number;
	readonly total?: boolean | undefined;
	readonly countTo?: number | undefined;
}

export interface Page<Row, Position = number> {
	readonly rows: readonly Row[];
	/** Null on the last page. */
	readonly nextCursor: Position | null;
	/** Null on the first page. */
	readonly previousCursor: Position | null;
	readonly total?: Total | undefined;
}

export interface Total {
	readonly count: number;
	readonly isMore: boolean;
	/** Null beyond the counted rows. */
	readonly offset: number | null;
}

export interface Counted {
	readonly rows: number;
	readonly isMore: boolean;
	/** Null beyond the counted rows. */
	readonly ahead: number | null;
}

/**
 * One page of a list. `rows` are in order. If there is another page, they include one row beyond the limit: the last row, or the first when
 * paging backwards.
 */
export function pageOf<Row extends { readonly id: number }>(rows: readonly Row[], request: PageRequest, counted?: Counted): Page<Row> {
	return pageAt(rows, request, { positionOf: ({ id }) => id, counted });
}

/** For a list that is not ordered by id alone. */
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

export function mapPage<Row, Other, Position>({ rows, ...page }: Page<Row, Position>, other: (row: Row) => Other): Page<Other, Position> {
	return { ...page, rows: rows.map(other) };
}
