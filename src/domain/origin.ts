import { bareHost } from './bare-host.ts';

/** An origin that a program may list, such as `https://shop.example` or `https://*.shop.example`. */
const LISTED = /^https?:\/\/(\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/;

/** Only for the developer's own machine: on other hosts, a port may belong to somebody else. */
const ANY_LOCAL_PORT = /^https?:\/\/(?:localhost|127\.0\.0\.1):\*$/;

const LENGTH_LIMIT = 267;

/** The canonical form of an origin; undefined if it is invalid. */
export function normaliseOrigin(text: string): string | undefined {
	const origin = bareHost(text.trim().toLowerCase().replace(/\/$/, ''));
	if (ANY_LOCAL_PORT.test(origin)) return origin;
	if (origin.length > LENGTH_LIMIT || !LISTED.test(origin)) return undefined;
	const host = URL.parse(origin.replace('://*.', '://'));
	if (!host || host.port === '0') return undefined;
	return origin.includes('://*.') ? host.origin.replace('://', '://*.') : host.origin;
}

export function isOrigin(text: string): boolean {
	return !text.includes('*') && normaliseOrigin(text) === text;
}

/** Whether a program with this list accepts calls from a page of `origin` (decision 27). `null` is never allowed. */
export function isOriginAllowed(origin: string, listed: readonly string[]): boolean {
	const candidates = originCandidates(origin);
	return listed.some((entry) => candidates.includes(entry));
}

/** Every entry that would allow the origin: itself, a wildcard for each parent domain, and any local port. */
export function originCandidates(origin: string): string[] {
	if (origin.length > LENGTH_LIMIT) return [];
	// No page has a `*` in its origin.
	const match = /^(https?:\/\/)([^/*]+)$/.exec(origin);
	if (!match) return [];
	const [, scheme = '', asked = ''] = match;
	const host = bareHost(asked);
	const labels = host.split('.');
	const parents = labels.slice(1).map((_, index) => `${scheme}*.${labels.slice(index + 1).join('.')}`);
	const anyPort = `${scheme}${host.replace(/:\d+$/, '')}:*`;
	return [`${scheme}${host}`, ...parents, ...(ANY_LOCAL_PORT.test(anyPort) ? [anyPort] : [])];
}

export function originsOfDomain(domain: string): string[] {
	const bare = domain.replace(/^www\./, '');
	return [`https://${bare}`, `https://www.${bare}`];
}
