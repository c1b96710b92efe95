import { createMiddleware } from 'hono/factory';
import { isKnownNetwork } from '../../accounts/known-network.ts';
import { Rejection, tooManyRequests } from '../../domain/rejection.ts';
import type { AppContext, AppEnv } from '../app-env.ts';
import { isKnownDevice } from '../device-cookie.ts';
import { clientNetwork, isSiteWithinLimit, PERIOD_SECONDS, requireWithinLimit } from '../limits.ts';

// Who may try a password, and how often (decisions 31 and 58).

/** Limits password guesses per client address, and so the work of hashing. */
export const fewGuesses = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.SIGN_IN_LIMIT, await clientNetwork(c));
	await next();
});

/** For strangers: an IPv6 client also counts with its /48. */
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
	/** Whether the account was signed in to from this network; undefined: ask the database if it matters. */
	readonly email: string;
	readonly what: 'password' | 'reset';
	/**
	 * Limits attempts at one account from anywhere, also for accounts that do not exist. Known browsers and networks have their own
	 * shares, so that a flood does not lock out the owner.
	 */
	readonly isFromKnownNetwork?: boolean;
}

/**
 * Tries at one account are limited wherever they come from, alike for accounts that nobody has. Browsers and networks that it was
 * signed in from have shares of their own: a flood from elsewhere uses up its own share, not the owner's.
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
