/** Lives as long as the isolate. Never cache a promise, request or other I/O object. */
export type IsolateCache<Value> = Map<string, { readonly value: Value; readonly freshUntil: number }>;

const LIMIT = 10_000;

export function cacheGet<Value>(cache: IsolateCache<Value>, key: string, now: number): Value | undefined {
	const kept = cache.get(key);
	return kept && kept.freshUntil > now ? kept.value : undefined;
}

/** Caches a value until `freshUntil`, ms. A full cache drops its oldest value. */
export function cacheSet<Value>(cache: IsolateCache<Value>, key: string, value: Value, freshUntil: number): void {
	if (cache.size >= LIMIT) {
		const oldest = cache.keys().next();
		if (!oldest.done) cache.delete(oldest.value);
	}
	cache.set(key, { value, freshUntil });
}
