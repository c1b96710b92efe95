import { CLICK_COOKIE } from './click-cookie.ts';
import { parseWebAddress } from '../web-address.ts';

const OURS = ['aff', CLICK_COOKIE];
/** More than any campaign uses, and cheap if abused. */
export const PARAMETER_LIMIT = 100;

export interface Destination {
	readonly destinationUrl: string | null;
	readonly domain: string | null;
}

/** The link's page, or else the program's front page; undefined if there is neither. */
export function destinationOf({ destinationUrl, domain }: Destination): URL | undefined {
	const stored = destinationUrl ?? (domain === null ? null : `https://${domain}/`);
	return stored === null ? undefined : parseWebAddress(stored);
}

/** The destination with `aff`, the click id, and the query parameters of the request, up to the limit. Only the query changes. */
export function landingPage(
	destination: URL,
	shortLink: string,
	clickId: string | undefined,
	followedWith: Iterable<readonly [name: string, value: string]>,
): string {
	const page = new URL(destination);
	// A copy, because `page.searchParams` would rewrite the URL at each change.
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
