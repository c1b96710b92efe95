import { SESSION_DAYS } from '../accounts/session.ts';
import { DAY_MS, SECOND_MS } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';
import type { AppContext } from './app-env.ts';
import { cookieOf } from './visitor.ts';

// No script can read the session cookie. Browsers may send it with requests from other sites' pages, so writes must come from a page of
// this host (management, 1).

const NAME = 'tracker_session';

export function cookieTokenOf(c: AppContext): string | undefined {
	return cookieOf(c, placeOf(c, NAME).name);
}

/**
 * For responses that sign somebody in. Only our pages may request it, or another site could sign its visitor in to a different account.
 */
export function setSessionCookie(c: AppContext, token: string): void {
	putCookie(c, NAME, { value: token, days: SESSION_DAYS });
}

export function clearSessionCookie(c: AppContext): void {
	putCookie(c, NAME, { value: '', days: 0 });
}

/**
 * Rejects with 403 unless the browser reports a page of this host. At least one of the two headers must say so, and neither may contradict
 * it.
 */
export function requireOwnPage(c: AppContext): void {
	const [origin, site] = [c.req.header('Origin'), c.req.header('Sec-Fetch-Site')];
	const isOwn = (origin ?? site) !== undefined && (origin ?? ownOrigin(c)) === ownOrigin(c) && (site ?? 'same-origin') === 'same-origin';
	if (!isOwn) throw new Rejection('not_own_page');
}

function ownOrigin(c: AppContext): string {
	return new URL(c.req.url).origin;
}

export function putCookie(c: AppContext, called: string, { value, days }: { readonly value: string; readonly days: number }): void {
	const { name, secure } = placeOf(c, called);
	const seconds = days * (DAY_MS / SECOND_MS);
	c.header('Set-Cookie', `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly${secure}; SameSite=Lax`, { append: true });
}

/**
 * The prefix `__Host-` prevents other hosts, and anybody on the network, from replacing the cookie. Some browsers refuse it on localhost.
 */
export function placeOf(c: AppContext, called: string): { readonly name: string; readonly secure: string } {
	const { protocol, hostname } = new URL(c.req.url);
	const isLocal = protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
	return isLocal ? { name: called, secure: '' } : { name: `__Host-${called}`, secure: '; Secure' };
}
