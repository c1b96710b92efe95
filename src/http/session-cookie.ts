import { SESSION_DAYS } from '../accounts/session.ts';
import { DAY_MS, SECOND_MS } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';
import type { AppContext } from './app-env.ts';
import { cookieOf } from './visitor.ts';

// The pages carry their session in a cookie that no script can read. A browser adds it to whatever asks this host, also for a
// page of somebody else's: so what changes something with it has to come from a page of this very host (management, 1).

const NAME = 'tracker_session';

/** The token in the request's cookie. */
export function cookieTokenOf(c: AppContext): string | undefined {
	return cookieOf(c, placeOf(c, NAME).name);
}

/** For the answer that signs in. The request must be one of ours: else a foreign page could sign its reader in as somebody else. */
export function setSessionCookie(c: AppContext, token: string): void {
	putCookie(c, NAME, { value: token, days: SESSION_DAYS });
}

/** For the answer that ends the session of the cookie. */
export function clearSessionCookie(c: AppContext): void {
	putCookie(c, NAME, { value: '', days: 0 });
}

/** Rejects with 403 what does not come from a page of this very host, as its browser says: by either header, and none against it. */
export function requireOwnPage(c: AppContext): void {
	const [origin, site] = [c.req.header('Origin'), c.req.header('Sec-Fetch-Site')];
	const isOwn = (origin ?? site) !== undefined && (origin ?? ownOrigin(c)) === ownOrigin(c) && (site ?? 'same-origin') === 'same-origin';
	if (!isOwn) throw new Rejection('not_own_page');
}

function ownOrigin(c: AppContext): string {
	return new URL(c.req.url).origin;
}

/** A cookie that no script can read and no other host gets. */
export function putCookie(c: AppContext, called: string, { value, days }: { readonly value: string; readonly days: number }): void {
	const { name, secure } = placeOf(c, called);
	const seconds = days * (DAY_MS / SECOND_MS);
	c.header('Set-Cookie', `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly${secure}; SameSite=Lax`, { append: true });
}

/** `__Host-`: no host beside this one, and nobody on the way, can put a session of theirs in its place. Not every browser takes that locally. */
export function placeOf(c: AppContext, called: string): { readonly name: string; readonly secure: string } {
	const { protocol, hostname } = new URL(c.req.url);
	const isLocal = protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
	return isLocal ? { name: called, secure: '' } : { name: `__Host-${called}`, secure: '; Secure' };
}
