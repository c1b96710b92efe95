import { useState } from 'react';
import type { Key, Selection } from 'react-aria-components';

const NONE: ReadonlySet<Key> = new Set();

/** Resets when the table shows other rows, so that no hidden or new row is ever selected. */
export function useSelection(shown: unknown, ids: readonly Key[]) {
	const of = JSON.stringify(shown);
	const [selection, setSelection] = useState({ of, keys: NONE });
	return {
		keys: selection.of === of ? selection.keys : NONE,
		onChange: (keys: Selection) => setSelection({ of, keys: new Set(keys === 'all' ? ids : keys) }),
		clear: () => setSelection({ of, keys: NONE }),
	};
}
