import { CLICK_COOKIE } from './click-cookie.ts';
import { parseWebAddress } from '../web-address.ts';

const OURS = ['aff', CLICK_COOKIE];
/** How many parameters of a link's query are handed on: more than any campaign has, and what anybody may write must cost little. */
export const PARAMETER_LIMIT = 100;

/** What a referral link says of where it leads. */
export interface Destination {
	readonly destinationUrl: string | null;
	/** The program's domain. */
	readonly domain: string | null;
}

/** The link's stored page, else the front page of the program's domain; undefined where it has neither. */
export function destinationOf({ destinationUrl, domain }: Destination): URL | undefined {
	const stored = destinationUrl ?? (domain === null ? null : `https://${domain}/`);
	return stored === null ? undefined : parseWebAddress(stored);
}

/**
 * The destination as a visitor is sent to it: with the link's mark, the id of the click that was recorded, and what the
 * link was followed with (`utm_source` and the like), of which anything beyond the limit is dropped. Only the query is added
 * to, never the rest.
 */
export function landingPage(
	destination: URL,
	shortLink: string,
	clickId: string | undefined,
	followedWith: Iterable<readonly [name: string, value: string]>,
): string {
	const page = new URL(destination);
	// Apart from its URL, which would write its whole query anew with each parameter.
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
