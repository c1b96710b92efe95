export const DEPTH_LIMIT = 32;

/** Not recursive, because the value could exhaust the stack. */
export function isTooDeep(value: unknown): boolean {
	let level: unknown[] = [value];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > DEPTH_LIMIT) return true;
		level = level.flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []));
	}
	return false;
}
