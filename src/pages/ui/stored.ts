import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/** A text that this browser keeps for all its tabs. Null if there is none. */
export function useStored(key: string): string | null {
	return useSyncExternalStore(subscribe, () => localStorage.getItem(key));
}

/** Null removes it. */
export function store(key: string, text: string | null): void {
	if (text === null) localStorage.removeItem(key);
	else localStorage.setItem(key, text);
	for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
	listeners.add(changed);
	// Sent only to the other tabs.
	addEventListener('storage', changed);
	return () => {
		listeners.delete(changed);
		removeEventListener('storage', changed);
	};
}
