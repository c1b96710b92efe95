import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 720px)');

/** Whether the screen only has room for a few columns. */
export function useNarrow(): boolean {
	return useSyncExternalStore(
		(changed) => {
			narrow.addEventListener('change', changed);
			return () => narrow.removeEventListener('change', changed);
		},
		() => narrow.matches,
	);
}
