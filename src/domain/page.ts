/** Which page of a list. */
export interface PageRequest {
	/** The id after which it starts; undefined: the first page. */
	readonly cursor?: number | undefined;
	readonly limit: number;
}

export interface Page<Row> {
	readonly rows: readonly Row[];
	/** The id after which the next page starts; null on the last page. */
	readonly nextCursor: number | null;
}

/** A page of a list, from one row more than the limit: that row tells whether there is a next page. */
export function pageOf<Row extends { readonly id: number }>(rows: readonly Row[], limit: number): Page<Row> {
	const shown = rows.slice(0, limit);
	return { rows: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
