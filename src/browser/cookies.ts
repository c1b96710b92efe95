import { CLICK, type Click } from './click-id.ts';
import { domainsOf } from './hosts.ts';
import { ownOf } from './own-document.ts';
import { DAY_SECONDS } from './times.ts';

/** The partner of the kept click, so that another page of the same partner sends no request. */
export const PARTNER = 'tracker_aff';
const PROBE = 'tracker_probe';

/** All values of a cookie name, which may exist for several domains. None if cookies are blocked. */
export function readCookies(name: string): string[] {
	try {
		return ownOf('cookie')
			.split('; ')
			.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []));
	} catch {
		// A sandboxed frame throws.
		return [];
	}
}

/** Keeps the click and its partner on this domain only. */
export function writeClick({ id, partner }: Click, domain: string, days: number): void {
	forgetClick();
	writeCookie(CLICK, id, domain, days * DAY_SECONDS);
	writeCookie(PARTNER, partner, domain, days * DAY_SECONDS);
}

/** Deletes them on every domain that the page may write to. */
export function forgetClick(): void {
	for (const domain of domainsOf(location.hostname)) for (const name of [CLICK, PARTNER]) writeCookie(name, '', domain, 0);
}

/** The widest domain that accepts the page's cookies: the browser knows the public suffixes. Empty if none does. */
export function probeDomain(): string {
	return (
		domainsOf(location.hostname)
			.slice(1)
			.find((domain) => {
				writeCookie(PROBE, '1', domain, 9);
				const [isTaken] = readCookies(PROBE);
				writeCookie(PROBE, '', domain, 0);
				return isTaken;
			}) ?? ''
	);
}

function writeCookie(name: string, value: string, domain: string, seconds: number): void {
	const scope = (domain && `;domain=${domain}`) + (location.protocol === 'https:' ? ';secure' : '');
	try {
		Reflect.set(Document.prototype, 'cookie', `${name}=${value};path=/;samesite=lax;max-age=${seconds}${scope}`, document);
	} catch {
		// Cookies are blocked, so memory has to do.
	}
}
