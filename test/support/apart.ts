/**
 * The second of two calls starts this many ms later; if negative, the first. At ±Infinity, one ends before the other begins, even on a busy
 * machine.
 */
export const APART = [-Infinity, -3, -2, -1, 0, 1, 2, 3, Infinity] as const;

/** `late` is one of `APART`. */
export async function apart<One, Other>(late: number, one: () => Promise<One>, other: () => Promise<Other>): Promise<[One, Other]> {
	if (late === Infinity) return [await one(), await other()];
	if (late === -Infinity) {
		const before = await other();
		return [await one(), before];
	}
	return Promise.all([scheduler.wait(Math.max(-late, 0)).then(one), scheduler.wait(Math.max(late, 0)).then(other)]);
}
