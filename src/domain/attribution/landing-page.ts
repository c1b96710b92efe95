import { CLICK_COOKIE } from './click-cookie.ts';
import { parseWebAddress } from '../web-address.ts';

const OURS = ['aff', CLICK_COOKIE];
/** Query parameters that a link passes on: more than any campaign has, and cheap if somebody abuses it. */
export const PARAMETER_LIMIT = 100;

/** Where a referral link leads. */
export interface Destination {
	readonly destinationUrl: string | null;
	readonly domain: string | null;
}

/** The link's page, else the front page of the program's domain, else undefined. */
export function destinationOf({ destinationUrl, domain }: Destination): URL | undefined {
	const stored = destinationUrl ?? (domain === null ? null : `https://${domain}/`);
	return stored === null ? undefined : parseWebAddress(stored);
}

/**
 * The destination with the link's mark, the click id, and the query with which the link was followed, up to the limit. Only the query
 * changes.
 */
export function landingPage(
	destination: URL,
	shortLink: string,
	clickId: string | undefined,
	followedWith: Iterable<readonly [name: string, value: string]>,
): string {
	const page = new URL(destination);
	// Not the URL's own parameters, which would rewrite its query each time.
	const query = new URLSearchParams(page.search);
	const withheld = new Set([...query.keys(), ...OURS]);
	let room = PARAMETER_LIMIT;
	for (const [name, value] of followedWith) {
		if (room === 0) break;
		room -= 1;
		if (!withheld.has(name)) query.append(name, value);
	}
	for (const name of OURS) query.delete(name);
	query.append('aff', shortLink);
	if (clickId !== undefined) query.append(CLICK_COOKIE, clickId);
	page.search = query.toString();
	return page.href;
}
