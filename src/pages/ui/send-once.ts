/** Two presses within this time are one double click: systems allow half a second between them. */
export const DOUBLE_CLICK_MS = 500;

export interface SendOnce {
	/** Whether to send this: not while the same is on its way, nor as the second press of a double click. */
	begin(input: unknown): boolean;
	/** The answer came. */
	end(input: unknown, isDone: boolean): void;
}

/**
 * Decides at once, before the page shows that something is on its way. After a success, the pause begins with the answer: a quick
 * one comes between the two presses, and the form is still there while it fades away. After an error it begins with the press, so
 * that somebody can soon try again.
 */
export function sendOnce(pauseMs = DOUBLE_CLICK_MS, clock: () => number = () => performance.now()): SendOnce {
	const pending = new Map<string, number>();
	let last = { key: '', until: 0 };
	return {
		begin(input) {
			const key = keyOf(input);
			const now = clock();
			if (pending.has(key) || (key === last.key && now < last.until)) return false;
			pending.set(key, now);
			return true;
		},
		end(input, isDone) {
			const key = keyOf(input);
			last = { key, until: (isDone ? clock() : (pending.get(key) ?? 0)) + pauseMs };
			pending.delete(key);
		},
	};
}

/** Equal if the inputs are. */
function keyOf(input: unknown): string {
	return JSON.stringify(input instanceof FormData ? [...input] : input) ?? '';
}
