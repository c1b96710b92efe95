import { Rejection } from '../domain/rejection.ts';
import type { AppContext } from './app-env.ts';

/** The period of every limit in wrangler.toml, seconds. */
const PERIOD_SECONDS = 60;

/** Rejects with 429 and Retry-After once the key has used up its share of the period (decision 31). */
export async function requireWithinLimit(c: AppContext, limit: RateLimit, key: string): Promise<void> {
	const { success } = await limit.limit({ key });
	if (success) return;
	c.header('Retry-After', String(PERIOD_SECONDS));
	throw new Rejection('too_many_requests', { seconds: PERIOD_SECONDS });
}

/** The client's address as the platform gives it; one shared bucket where there is none (local development). */
export function clientAddress(c: AppContext): string {
	return c.req.header('CF-Connecting-IP') ?? 'local';
}
