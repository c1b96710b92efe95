/** Two presses within this time are one double click, by the usual setting of operating systems. */
export const DOUBLE_CLICK_MS = 500;

export interface SendOnce {
	/** Whether to send this: not while the same is in progress, nor on the second press of a double click. */
	begin(input: unknown): boolean;
	/** The answer came. */
	end(input: unknown, isDone: boolean): void;
}

/**
 * Decides at once, before the page shows a pending state. After a success a pause begins with the answer, because a quick answer arrives
 * between two presses, while the form still fades out. After an error the next press is a new try.
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

/** Equal for equal inputs. */
function keyOf(input: unknown): string {
	return JSON.stringify(input instanceof FormData ? [...input] : input) ?? '';
}
