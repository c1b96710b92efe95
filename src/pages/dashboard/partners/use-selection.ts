import { useState } from 'react';
import type { Selection } from 'react-aria-components';

const NONE: Selection = new Set();

/** What is selected in a table, as long as it shows the same rows: nothing is chosen that is not seen. */
export function useSelection(shown: unknown) {
	const of = JSON.stringify(shown);
	const [selection, setSelection] = useState({ of, keys: NONE });
	return {
		keys: selection.of === of ? selection.keys : NONE,
		onChange: (keys: Selection) => setSelection({ of, keys }),
		clear: () => setSelection({ of, keys: NONE }),
	};
}
