import { createMiddleware } from 'hono/factory';
import { isKnownNetwork } from '../../accounts/known-network.ts';
import { Rejection, tooManyRequests } from '../../domain/rejection.ts';
import type { AppContext, AppEnv } from '../app-env.ts';
import { isKnownDevice } from '../device-cookie.ts';
import { clientNetwork, isSiteWithinLimit, PERIOD_SECONDS, requireWithinLimit } from '../limits.ts';

// Who may try a password, and how often (decisions 31 and 58).

/** Guessing passwords is limited per client address, and so is the work that hashing them costs. */
export const fewGuesses = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.SIGN_IN_LIMIT, await clientNetwork(c));
	await next();
});

/** The same where whoever asks is a stranger: an IPv6 client counts with its /48 too. */
export const fewStrangers = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.SIGN_IN_LIMIT, await clientNetwork(c));
	await requireSiteWithinLimit(c);
	await next();
});

/** Rejects with 429 once strangers of the client's /48 have tried often enough. */
export async function requireSiteWithinLimit(c: AppContext): Promise<void> {
	if (!(await isSiteWithinLimit(c))) throw tooManyRequests(PERIOD_SECONDS);
}

/** What is tried at an account. Each has shares of its own, so that a flood of sign-ins leaves the way open to reset the password. */
export interface Try {
	/** Normalised. */
	readonly email: string;
	readonly what: 'password' | 'reset';
	/** Whether the account was signed in to from this network; undefined: ask the database where it matters. */
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
