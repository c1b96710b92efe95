import { useState } from 'react';
import type { Key, Selection } from 'react-aria-components';
import { toast } from '../ui/toasts.tsx';

/** The service changes at most this many by id. */
const MOST = 500;

interface Chosen<Row> {
	readonly row: Row;
	/** The cursor of the page where it was selected. */
	readonly page: string | undefined;
}

/**
 * The selected rows of a list, over all its pages. `selectable` are the rows of this page. With other filters the selection is empty again,
 * so that no hidden row is ever changed.
 */
export function useSelection<Row extends { readonly id: Key }>(
	{ cursor: page, ...filters }: { readonly cursor?: string | undefined },
	selectable: readonly Row[],
) {
	const of = JSON.stringify({ ...filters, limit: undefined, open: undefined, opened: undefined });
	const [selection, setSelection] = useState<{ readonly of: string; readonly chosen: readonly Chosen<Row>[] }>({ of, chosen: [] });
	const here = new Map(selectable.map((row) => [row.id, row]));
	// A row of this page that can no longer be selected has changed since.
	const chosen = selection.of === of ? selection.chosen.filter((it) => it.page !== page || here.has(it.row.id)) : [];
	const ids = new Set(chosen.map(({ row }) => row.id));
	return {
		/** Of this page. */
		keys: new Set(selectable.map(({ id }) => id).filter((id) => ids.has(id))),
		rows: chosen.map(({ row }) => here.get(row.id) ?? row),
		onChange: (keys: Selection) => {
			const elsewhere = chosen.filter(({ row }) => !here.has(row.id));
			const added = selectable.filter(({ id }) => keys === 'all' || keys.has(id)).map((row) => ({ row, page }));
			const all = [...elsewhere, ...added];
			if (all.length > MOST) toast({ title: `At most ${MOST} rows can be selected together` });
			setSelection({ of, chosen: all.slice(0, MOST) });
		},
		clear: () => setSelection({ of, chosen: [] }),
	};
}
