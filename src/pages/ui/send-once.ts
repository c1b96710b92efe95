/** Two presses within this time are one double click: systems allow half a second between them. */
export const DOUBLE_CLICK_MS = 500;

export interface SendOnce {
	/** Whether to send this: not while the same is on its way, nor as the second press of a double click. */
	begin(input: unknown): boolean;
	/** The answer came. */
	end(input: unknown, isDone: boolean): void;
}

/**
 * Decides at once, before the page shows that something is on its way. After a success a pause begins with the answer: a quick one
 * comes between the two presses, and the form is still there while it fades away. After an error the next press is a new try.
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

/** Equal if the inputs are. */
function keyOf(input: unknown): string {
	return JSON.stringify(input instanceof FormData ? [...input] : input) ?? '';
}
