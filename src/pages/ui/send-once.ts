/** Two presses within this time are one double click, as operating systems usually define it. */
export const DOUBLE_CLICK_MS = 500;

export interface SendOnce {
	/** False while the input is in progress, and on the second press of a double click. */
	begin(input: unknown): boolean;
	end(input: unknown, isDone: boolean): void;
}

/**
 * Decides before the page shows a pending state. A success blocks the next press briefly, because a quick answer may arrive between the
 * presses of a double click. After an error, the next press is sent.
 */
export function sendOnce(pauseMs = DOUBLE_CLICK_MS, clock: () => number = () => performance.now()): SendOnce {
	const pending = new Set<string>();
	let last = { key: '', until: 0 };
	return {
		begin(input) {
			const key = keyOf(input);
			if (pending.has(key) || (key === last.key && clock() < last.until)) return false;
			pending.add(key);
			return true;
		},
		end(input, isDone) {
			const key = keyOf(input);
			pending.delete(key);
			if (isDone) last = { key, until: clock() + pauseMs };
		},
	};
}

/** Equal inputs have equal keys. */
function keyOf(input: unknown): string {
	return JSON.stringify(input instanceof FormData ? [...input] : input) ?? '';
}
