import { DAY_MS, SECOND_MS } from '../calendar.ts';
import { bareHost } from '../bare-host.ts';
import { parseWebAddress } from '../web-address.ts';

/** The first-party cookie with the click id (contract, section 8). */
export const CLICK_COOKIE = 'tracker_click_id';
/** Caches the click's `aff` value, so that the script need not request it on every page. */
const PARTNER_COOKIE = 'tracker_aff';

export interface CookieScope {
	/** A domain without a port; the cookie covers it and its subdomains. */
	readonly domain: string;
	readonly isSecure: boolean;
}

/** The `Set-Cookie` values of a click. Scripts may read them, because the page sends the click id to its backend. */
export function clickCookies(
	click: { readonly clickId: string; readonly shortLink: string; readonly cookieWindowDays: number },
	{ domain, isSecure }: CookieScope,
): string[] {
	const seconds = click.cookieWindowDays * (DAY_MS / SECOND_MS);
	const attributes = `Path=/; Domain=${domain}; Max-Age=${seconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`;
	return [`${CLICK_COOKIE}=${click.clickId}; ${attributes}`, `${PARTNER_COOKIE}=${click.shortLink}; ${attributes}`];
}

/** The scope of a requested cookie; undefined if the page is outside the domain. Browsers check the response's host themselves. */
export function cookieScopeOf(origin: string | undefined, domain: string | undefined): CookieScope | undefined {
	const page = parseWebAddress(origin ?? '');
	if (!page || domain === undefined || !/^[a-z0-9.-]+$/.test(domain) || !isWithin(page.hostname, domain)) return undefined;
	return { domain, isSecure: page.protocol === 'https:' };
}

export function isWithin(host: string, domain: string): boolean {
	return `.${bareHost(host)}`.endsWith(`.${domain}`);
}
