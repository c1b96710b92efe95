import { forwardedAddress, networkOf, siteOf } from '../domain/people/client-network.ts';
import { tooManyRequests } from '../domain/rejection.ts';
import { isSameSecret } from '../secrets.ts';
import type { AppContext } from './app-env.ts';

/** The period of every limit in wrangler.toml, seconds. */
export const PERIOD_SECONDS = 60;

/** Rejects with 429 and Retry-After once the key's share of the period is used up (decision 31). */
export async function requireWithinLimit(limit: RateLimit, key: string): Promise<void> {
	const { success } = await limit.limit({ key });
	if (!success) throw tooManyRequests(PERIOD_SECONDS);
}

/** The client that a limit counts. If the platform gives no address (local development), all clients share one bucket. */
export async function clientNetwork(c: AppContext): Promise<string> {
	const address = await clientAddress(c);
	return address === null ? 'local' : networkOf(address);
}

/** Whether the /48 of an IPv6 client is within the strangers' share (decision 58). */
export async function isSiteWithinLimit(c: AppContext): Promise<boolean> {
	const site = siteOf((await clientAddress(c)) ?? '');
	return site === undefined || (await c.env.SITE_LIMIT.limit({ key: site })).success;
}

/**
 * The caller's address from the platform, or from a proxy with the PROXY_SECRET; without it anybody can invent X-Forwarded-For. Null if
 * unknown.
 */
export async function clientAddress(c: AppContext): Promise<string | null> {
	const connecting = c.req.header('CF-Connecting-IP');
	const forwarded = (await isTrustedProxy(c)) ? forwardedAddress(c.req.header('X-Forwarded-For') ?? '', connecting) : undefined;
	return forwarded ?? connecting ?? null;
}

async function isTrustedProxy(c: AppContext): Promise<boolean> {
	const received = c.req.header('X-Proxy-Secret');
	const expected = c.env.PROXY_SECRET;
	return received !== undefined && expected !== undefined && expected !== '' && (await isSameSecret(received, expected));
}
