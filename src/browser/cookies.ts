import { CLICK, type Click } from './click-id.ts';
import { domainsOf } from './hosts.ts';
import { ownOf } from './own-document.ts';
import { DAY_SECONDS } from './times.ts';

/** The partner of the stored click, so that another landing from the same partner sends no request. */
export const PARTNER = 'tracker_aff';
const PROBE = 'tracker_probe';

/** A cookie may be set on several domains. Empty if cookies are blocked. */
export function readCookies(name: string): string[] {
	try {
		return ownOf('cookie')
			.split('; ')
			.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []));
	} catch {
		// Reading cookies throws in a sandboxed frame.
		return [];
	}
}

/** Stores the click on this domain only. */
export function writeClick({ id, partner }: Click, domain: string, days: number): void {
	forgetClick();
	writeCookie(CLICK, id, domain, days * DAY_SECONDS);
	writeCookie(PARTNER, partner, domain, days * DAY_SECONDS);
}

/** Deletes both cookies on every domain that the page may write to. */
export function forgetClick(): void {
	for (const domain of domainsOf(location.hostname)) for (const name of [CLICK, PARTNER]) writeCookie(name, '', domain, 0);
}

/** The widest domain on which the page can set cookies, or empty. Found by trying, because only the browser knows the public suffixes. */
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
		// Cookies are blocked, so only memory keeps the click.
	}
}
