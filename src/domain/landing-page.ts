import { CLICK_COOKIE, isWithin } from './click-cookie.ts';

const OURS = ['aff', CLICK_COOKIE];

/** What a referral link says of where it leads. */
export interface Destination {
	readonly destinationUrl: string | null;
	/** The program's domain. */
	readonly domain: string | null;
}

/** The link's stored page, else the front page of the program's domain; undefined where it has neither. */
export function destinationOf({ destinationUrl, domain }: Destination): URL | undefined {
	const stored = destinationUrl ?? (domain === null ? null : `https://${domain}/`);
	const url = stored === null ? null : URL.parse(stored);
	return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined;
}

/**
 * The destination as a visitor is sent to it: with the link's mark, the id of the click that was recorded, and what the
 * link was followed with (`utm_source` and the like). Only the query is added to, never the rest.
 */
export function landingPage(destination: URL, shortLink: string, clickId: string | undefined, followedWith: URLSearchParams): string {
	const page = new URL(destination);
	for (const [name, value] of followedWith) {
		if (!OURS.includes(name) && !destination.searchParams.has(name)) page.searchParams.append(name, value);
	}
	for (const name of OURS) page.searchParams.delete(name);
	page.searchParams.append('aff', shortLink);
	if (clickId !== undefined) page.searchParams.append(CLICK_COOKIE, clickId);
	return page.href;
}

/** The shop's own domain, if one of the hosts that the link was followed on lies in it. */
export function ownDomain({ domain }: Pick<Destination, 'domain'>, hosts: readonly string[]): string | undefined {
	const bare = domain?.replace(/^www\./, '');
	return bare !== undefined && hosts.some((host) => isWithin(host, bare)) ? bare : undefined;
}
