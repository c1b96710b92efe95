import { CLICK } from './click-id.ts';
import { domainsOf } from './hosts.ts';

const DAY_SECONDS = 86_400;
/** The `aff` value that the click came by, so that a page of the same partner needs no request. */
export const PARTNER = 'tracker_aff';
const PROBE = 'tracker_probe';

/** Every value under the name: cookies of one name can be there for several domains. None where cookies are blocked. */
export function readCookies(name: string): string[] {
	try {
		return document.cookie
			.split('; ')
			.filter((pair) => pair.startsWith(`${name}=`))
			.map((pair) => pair.slice(name.length + 1));
	} catch {
		// A sandboxed frame throws here.
		return [];
	}
}

/** Keeps the click and its partner, on this domain alone. */
export function writeClick(clickId: string, partner: string, domain: string, days: number): void {
	forgetClick();
	writeCookie(CLICK, clickId, domain, days * DAY_SECONDS);
	writeCookie(PARTNER, partner, domain, days * DAY_SECONDS);
}

/** On every domain that the page may write to. */
export function forgetClick(): void {
	for (const domain of domainsOf(location.hostname)) for (const name of [CLICK, PARTNER]) writeCookie(name, '', domain, 0);
}

/**
 * The widest domain that takes the page's cookies, asked of the browser, which knows what is a public suffix: `shop.co.uk`
 * for `www.shop.co.uk`. Empty where none does.
 */
export function probeDomain(): string {
	return domainsOf(location.hostname).find(takesCookies) ?? '';
}

function takesCookies(domain: string): boolean {
	if (domain === '') return false;
	writeCookie(PROBE, '1', domain, 9);
	const isTaken = readCookies(PROBE).length > 0;
	writeCookie(PROBE, '', domain, 0);
	return isTaken;
}

function writeCookie(name: string, value: string, domain: string, seconds: number): void {
	const scope = (domain && `;domain=${domain}`) + (location.protocol === 'https:' ? ';secure' : '');
	try {
		document.cookie = `${name}=${value};path=/;samesite=lax;max-age=${seconds}${scope}`;
	} catch {
		// Blocked: what the page knows in memory must do.
	}
}
