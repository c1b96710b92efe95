/** An origin as a program may list it: `https://shop.example`, `http://localhost:3000`, `https://*.shop.example`. */
const LISTED = /^https?:\/\/(\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/;

/** `https://`, a host name of 253 characters, `:65535`. What is longer is no origin, and must not cost what its length would. */
const LENGTH_LIMIT = 267;

/** The canonical form of an origin to list, or undefined where it is none. */
export function normaliseOrigin(text: string): string | undefined {
	const origin = text.trim().toLowerCase().replace(/\/$/, '');
	if (origin.length > LENGTH_LIMIT || !LISTED.test(origin)) return undefined;
	const host = URL.parse(origin.replace('://*.', '://'));
	if (!host || host.port === '0') return undefined;
	return origin.includes('://*.') ? host.origin.replace('://', '://*.') : host.origin;
}

/** Whether a program that lists `listed` answers a page of `origin` (decision 27). `null` is never allowed. */
export function isOriginAllowed(origin: string, listed: readonly string[]): boolean {
	const candidates = originCandidates(origin);
	return listed.some((entry) => candidates.includes(entry));
}

/** Every entry that would allow the origin: itself, and a wildcard for each parent domain. */
export function originCandidates(origin: string): string[] {
	if (origin.length > LENGTH_LIMIT) return [];
	// A `*` is for lists: no page has it in its origin.
	const match = /^(https?:\/\/)([^/*]+)$/.exec(origin);
	if (!match) return [];
	const [, scheme = '', host = ''] = match;
	const labels = host.split('.');
	return [origin, ...labels.slice(1).map((_, index) => `${scheme}*.${labels.slice(index + 1).join('.')}`)];
}

/** What a program with this domain lists by itself. */
export function originsOfDomain(domain: string): string[] {
	const bare = domain.replace(/^www\./, '');
	return [`https://${bare}`, `https://www.${bare}`];
}
