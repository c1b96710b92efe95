import { createMiddleware } from 'hono/factory';
import { isKnownNetwork } from '../../accounts/known-network.ts';
import { Rejection, tooManyRequests } from '../../domain/rejection.ts';
import type { AppContext, AppEnv } from '../app-env.ts';
import { isKnownDevice } from '../device-cookie.ts';
import { clientNetwork, isSiteWithinLimit, PERIOD_SECONDS, requireWithinLimit } from '../limits.ts';

// Limits how often a password may be tried, and from where (decisions 31 and 58).

/** Limits password guesses per client address, and so the work of hashing. */
export const fewGuesses = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.SIGN_IN_LIMIT, await clientNetwork(c));
	await next();
});

/** For strangers: the /48 of an IPv6 client is limited too. */
export const fewStrangers = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.SIGN_IN_LIMIT, await clientNetwork(c));
	await requireSiteWithinLimit(c);
	await next();
});

/** Rejects with 429 once strangers of the client's /48 have used up their share. */
export async function requireSiteWithinLimit(c: AppContext): Promise<void> {
	if (!(await isSiteWithinLimit(c))) throw tooManyRequests(PERIOD_SECONDS);
}

/** A kind of attempt at an account. Each has its own share, so that a flood of sign-ins does not block password resets. */
export interface Try {
	readonly email: string;
	readonly what: 'password' | 'reset';
	/** Whether the account was signed in to from this network. If undefined, the database is queried when it matters. */
	readonly isFromKnownNetwork?: boolean;
}

/**
 * Limits attempts at one account from anywhere, even for accounts that do not exist. Browsers and networks that signed in to it before have
 * their own shares, so that a flood from elsewhere does not lock out the owner.
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
