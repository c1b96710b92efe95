import { useState } from 'react';

const NONE: ReadonlySet<string> = new Set();

/** Ids of rows that arrived while the list `watched` was shown; none if it is undefined. */
export function useArrivals(ids: readonly string[] | undefined, watched: string | undefined): ReadonlySet<string> {
	const [begun, setBegun] = useState<{ readonly watched: string | undefined; readonly known: ReadonlySet<string> }>();
	if (ids && begun?.watched !== watched) setBegun({ watched, known: new Set(ids) });
	if (!ids || !begun || watched === undefined || begun.watched !== watched) return NONE;
	return new Set(ids.filter((id) => !begun.known.has(id)));
}
