import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 720px)');

/** Whether only a few columns fit. */
export function useNarrow(): boolean {
	return useSyncExternalStore(
		(changed) => {
			narrow.addEventListener('change', changed);
			return () => narrow.removeEventListener('change', changed);
		},
		() => narrow.matches,
	);
}
