/** The same limit for every rate-limit binding. */
export function eachLimit<Limit>(limit: Limit) {
	return {
		BROWSER_LIMIT: limit,
		SERVER_LIMIT: limit,
		SIGN_IN_LIMIT: limit,
		SITE_LIMIT: limit,
		ACCOUNT_LIMIT: limit,
		KEY_LIMIT: limit,
		SESSION_LIMIT: limit,
	} satisfies Record<Extract<keyof Env, `${string}_LIMIT`>, Limit>;
}

export const UNLIMITED: RateLimit = { limit: async () => ({ success: true }) };

/** Has no time window, whose edge could make a test flaky. */
export function limitOf(calls: number): RateLimit {
	const counts = new Map<string, number>();
	return {
		limit: async ({ key }) => {
			const count = (counts.get(key) ?? 0) + 1;
			counts.set(key, count);
			return { success: count <= calls };
		},
	};
}
