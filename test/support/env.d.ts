import type { D1Migration } from 'cloudflare:test';

declare global {
	namespace Cloudflare {
		interface Env {
			MIGRATIONS: D1Migration[];
			LOW_LIMIT: RateLimit;
			EMPTY_DB: D1Database;
			EXAMPLES_DB: D1Database;
			UPGRADED_DB: D1Database;
			UPGRADED_CLICKS_DB: D1Database;
			ALERTS_DB: D1Database;
			MANY_PROGRAMS_DB: D1Database;
			NOBODY_DB: D1Database;
		}
	}
}
