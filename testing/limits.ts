/** The same limit for every rate-limit binding of the Worker. */
export function eachLimit<Limit>(limit: Limit) {
	return {
		BROWSER_LIMIT: limit,
		SERVER_LIMIT: limit,
		SIGN_IN_LIMIT: limit,
		ACCOUNT_LIMIT: limit,
		KEY_LIMIT: limit,
		SESSION_LIMIT: limit,
	} satisfies Record<Extract<keyof Env, `${string}_LIMIT`>, Limit>;
}

/** One that nobody ever meets. */
export const UNLIMITED: RateLimit = { limit: async () => ({ success: true }) };
