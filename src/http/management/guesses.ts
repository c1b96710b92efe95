import { createMiddleware } from 'hono/factory';
import { isKnownNetwork } from '../../accounts/known-network.ts';
import { Rejection, tooManyRequests } from '../../domain/rejection.ts';
import type { AppContext, AppEnv } from '../app-env.ts';
import { isKnownDevice } from '../device-cookie.ts';
import { clientNetwork, isSiteWithinLimit, PERIOD_SECONDS, requireWithinLimit } from '../limits.ts';

// Limits of password attempts, by account and by network (decisions 31 and 58).

/** Also limits the cost of hashing passwords. */
export const fewGuesses = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.SIGN_IN_LIMIT, await clientNetwork(c));
	await next();
});

/** For callers without a session: also limits the /48 of an IPv6 client. */
export const fewStrangers = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.SIGN_IN_LIMIT, await clientNetwork(c));
	await requireSiteWithinLimit(c);
	await next();
});

export async function requireSiteWithinLimit(c: AppContext): Promise<void> {
	if (!(await isSiteWithinLimit(c))) throw tooManyRequests(PERIOD_SECONDS);
}

/** Each kind has its own limit, so that a flood of sign-ins does not block password resets. */
export interface Try {
	readonly email: string;
	readonly what: 'password' | 'reset';
	/** If undefined, the database is queried only when it matters. */
	readonly isFromKnownNetwork?: boolean;
}

/**
 * Limits attempts on one account from all sources, even if it does not exist. Browsers and networks that have signed in to it have their
 * own limits, so that a flood from elsewhere does not lock out the owner.
 */
export async function requireFewTries(c: AppContext, { email, what, isFromKnownNetwork }: Try): Promise<void> {
	const ctx = c.get('ctx');
	const { ACCOUNT_LIMIT } = c.env;
	const share = `${what} ${await ctx.secrets.pseudonym(email)}`;
	if (await isKnownDevice(c, email)) return requireWithinLimit(ACCOUNT_LIMIT, `device ${share}`);
	const isWithin = (await isSiteWithinLimit(c)) && (await ACCOUNT_LIMIT.limit({ key: share })).success;
	if (isWithin) return;
	const isKnown = isFromKnownNetwork ?? (await isKnownNetwork(ctx, email, await clientNetwork(c)));
	if (!isKnown) throw new Rejection('too_many_tries', { seconds: PERIOD_SECONDS });
	await requireWithinLimit(ACCOUNT_LIMIT, `network ${share}`);
}
