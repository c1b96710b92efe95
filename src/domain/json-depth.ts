/** How deep values may be nested that come from outside: far deeper than anyone means to, and no danger to the stack. */
export const DEPTH_LIMIT = 32;

/** Whether a value is nested deeper than that. Level by level, without recursion: such a value must not exhaust the stack here. */
export function isTooDeep(value: unknown): boolean {
	let level: unknown[] = [value];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > DEPTH_LIMIT) return true;
		level = level.flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []));
	}
	return false;
}
