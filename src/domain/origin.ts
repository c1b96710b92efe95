import { bareHost } from './bare-host.ts';

/** An origin as a program may list it: `https://shop.example`, `http://localhost:3000`, `https://*.shop.example`. */
const LISTED = /^https?:\/\/(\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/;

/** Any port of one's own machine, where each tool opens its pages on another one. Of no other host: its ports may be others'. */
const ANY_LOCAL_PORT = /^https?:\/\/(?:localhost|127\.0\.0\.1):\*$/;

/** `https://`, a host name of 253 characters, `:65535`. What is longer is no origin, and must not cost what its length would. */
const LENGTH_LIMIT = 267;

/** The canonical form of an origin to list, or undefined where it is none. */
export function normaliseOrigin(text: string): string | undefined {
	const origin = bareHost(text.trim().toLowerCase().replace(/\/$/, ''));
	if (ANY_LOCAL_PORT.test(origin)) return origin;
	if (origin.length > LENGTH_LIMIT || !LISTED.test(origin)) return undefined;
	const host = URL.parse(origin.replace('://*.', '://'));
	if (!host || host.port === '0') return undefined;
	return origin.includes('://*.') ? host.origin.replace('://', '://*.') : host.origin;
}

/** Whether a page may have this origin, and a program list it as it is. */
export function isOrigin(text: string): boolean {
	return !text.includes('*') && normaliseOrigin(text) === text;
}

/** Whether a program that lists `listed` answers a page of `origin` (decision 27). `null` is never allowed. */
export function isOriginAllowed(origin: string, listed: readonly string[]): boolean {
	const candidates = originCandidates(origin);
	return listed.some((entry) => candidates.includes(entry));
}

/** Every entry that would allow the origin: itself, a wildcard for each parent domain, and any port of one's own machine. */
export function originCandidates(origin: string): string[] {
	if (origin.length > LENGTH_LIMIT) return [];
	// A `*` is for lists: no page has it in its origin.
	const match = /^(https?:\/\/)([^/*]+)$/.exec(origin);
	if (!match) return [];
	const [, scheme = '', asked = ''] = match;
	const host = bareHost(asked);
	const labels = host.split('.');
	const parents = labels.slice(1).map((_, index) => `${scheme}*.${labels.slice(index + 1).join('.')}`);
	const anyPort = `${scheme}${host.replace(/:\d+$/, '')}:*`;
	return [`${scheme}${host}`, ...parents, ...(ANY_LOCAL_PORT.test(anyPort) ? [anyPort] : [])];
}

/** What a program with this domain lists by itself. */
export function originsOfDomain(domain: string): string[] {
	const bare = domain.replace(/^www\./, '');
	return [`https://${bare}`, `https://www.${bare}`];
}
