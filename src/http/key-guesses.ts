import { SECOND_MS } from '../domain/calendar.ts';
import { Rejection, tooManyRequests } from '../domain/rejection.ts';
import { type IsolateCache, cacheGet, cacheSet } from '../isolate-cache.ts';
import type { AppContext } from './app-env.ts';
import { clientNetwork, PERIOD_SECONDS } from './limits.ts';

// Only unknown keys count, and only against their sender. A known key costs neither a query nor a limit check.

/** Networks that are blocked until the period ends, because they sent too many unknown keys. */
const barred: IsolateCache<true> = new Map();
/** Hashes of keys that have worked in this isolate. Any network may use them. */
const worked: IsolateCache<true> = new Map();

const TRUSTED_MS = 24 * 60 * 60 * SECOND_MS;

/** Rejects with 429 if a blocked network sends a key that has not worked yet. */
export async function requireNoGuessing(c: AppContext, keyHash: string): Promise<void> {
	const { now } = c.get('ctx');
	if (barred.size === 0 || cacheGet(worked, keyHash, now)) return;
	if (cacheGet(barred, await clientNetwork(c), now)) throw tooManyRequests(PERIOD_SECONDS);
}

export async function noteKey(c: AppContext): Promise<void> {
	const keyHash = c.get('keyHash');
	if (keyHash === undefined) return;
	const { now } = c.get('ctx');
	if (c.error === undefined) cacheSet(worked, keyHash, true, now + TRUSTED_MS);
	if (!(c.error instanceof Rejection) || c.error.code !== 'program_key_unknown') return;
	worked.delete(keyHash);
	const network = await clientNetwork(c);
	const { success } = await c.env.KEY_LIMIT.limit({ key: network });
	if (!success) cacheSet(barred, network, true, now + PERIOD_SECONDS * SECOND_MS);
}
