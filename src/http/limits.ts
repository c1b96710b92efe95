import { forwardedAddress, networkOf, siteOf } from '../domain/people/client-network.ts';
import { tooManyRequests } from '../domain/rejection.ts';
import { isSameSecret } from '../secrets.ts';
import type { AppContext } from './app-env.ts';

/** The period of every limit in wrangler.toml. */
export const PERIOD_SECONDS = 60;

/** Rejects with 429 and Retry-After if the key exceeds its limit (decision 31). */
export async function requireWithinLimit(limit: RateLimit, key: string): Promise<void> {
	const { success } = await limit.limit({ key });
	if (!success) throw tooManyRequests(PERIOD_SECONDS);
}

/** The client for rate limits. In local development there is no address, so all clients share one limit. */
export async function clientNetwork(c: AppContext): Promise<string> {
	const address = await clientAddress(c);
	return address === null ? 'local' : networkOf(address);
}

/** Whether an IPv6 client's /48 is within the limit for strangers (decision 58). */
export async function isSiteWithinLimit(c: AppContext): Promise<boolean> {
	const site = siteOf((await clientAddress(c)) ?? '');
	return site === undefined || (await c.env.SITE_LIMIT.limit({ key: site })).success;
}

/**
 * The caller's address from the platform, or from a proxy that sends the PROXY_SECRET. Without the secret, anybody could invent
 * X-Forwarded-For.
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
