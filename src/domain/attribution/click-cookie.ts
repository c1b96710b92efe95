import { DAY_MS, SECOND_MS } from '../calendar.ts';
import { bareHost } from '../bare-host.ts';
import { parseWebAddress } from '../web-address.ts';

/** The first-party cookie that holds the click id (contract, section 8). */
export const CLICK_COOKIE = 'tracker_click_id';
/** Beside it: the `aff` value of that click, so that the script need not ask again on every page. */
const PARTNER_COOKIE = 'tracker_aff';

export interface CookieScope {
	/** A domain without a port; the cookie is for it and what lies under it. */
	readonly domain: string;
	readonly isSecure: boolean;
}

/** The `Set-Cookie` values of a click. Scripts may read them: the page takes the click id to its own backend. */
export function clickCookies(
	click: { readonly clickId: string; readonly shortLink: string; readonly cookieWindowDays: number },
	{ domain, isSecure }: CookieScope,
): string[] {
	const seconds = click.cookieWindowDays * (DAY_MS / SECOND_MS);
	const attributes = `Path=/; Domain=${domain}; Max-Age=${seconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`;
	return [`${CLICK_COOKIE}=${click.clickId}; ${attributes}`, `${PARTNER_COOKIE}=${click.shortLink}; ${attributes}`];
}

/**
 * The scope of a cookie that a page asks for, or undefined where the page does not lie under the domain. Whether the
 * answer comes from there too needs no check: a browser drops a cookie of a domain that the answer is not from.
 */
export function cookieScopeOf(origin: string | undefined, domain: string | undefined): CookieScope | undefined {
	const page = parseWebAddress(origin ?? '');
	if (!page || domain === undefined || !/^[a-z0-9.-]+$/.test(domain) || !isWithin(page.hostname, domain)) return undefined;
	return { domain, isSecure: page.protocol === 'https:' };
}

/** Whether the host is the domain or lies under it. */
export function isWithin(host: string, domain: string): boolean {
	return `.${bareHost(host)}`.endsWith(`.${domain}`);
}
