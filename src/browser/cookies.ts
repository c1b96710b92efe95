import { CLICK, type Click } from './click-id.ts';
import { domainsOf } from './hosts.ts';
import { ownOf } from './own-document.ts';
import { DAY_SECONDS } from './times.ts';

/** The `aff` value that the click came by, so that a page of the same partner needs no request. */
export const PARTNER = 'tracker_aff';
const PROBE = 'tracker_probe';

/** Every value under the name: cookies of one name can be there for several domains. None where cookies are blocked. */
export function readCookies(name: string): string[] {
	try {
		return ownOf('cookie')
			.split('; ')
			.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []));
	} catch {
		// A sandboxed frame throws here.
		return [];
	}
}

/** Keeps the click and its partner, on this domain alone. */
export function writeClick({ id, partner }: Click, domain: string, days: number): void {
	forgetClick();
	writeCookie(CLICK, id, domain, days * DAY_SECONDS);
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
		// Blocked: what the page knows in memory must do.
	}
}
