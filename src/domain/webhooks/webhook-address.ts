import { parseWebAddress } from '../web-address.ts';

/** Names that no public zone has: what answers by them is in somebody's own network. */
const OWN_NETWORK = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|onion|test|invalid)$/;
const MAX_LENGTH = 2_000;

/**
 * What is wrong with an address to send webhooks to, by the field's name; undefined: nothing. It must not lead into a private network,
 * so no address by number is taken, however it is spelled: a URL has every IPv4 address with four decimal numbers, and IPv6 in brackets.
 * `isAnyTaken` is for a service on one's own machine, whose receivers are there too.
 */
export function addressProblem(text: string, isAnyTaken = false): string | undefined {
	const url = text.length > MAX_LENGTH ? undefined : parseWebAddress(text);
	if (!url) return 'url must be an https address of at most 2000 characters';
	if (url.username !== '' || url.password !== '') return 'url must not hold a user name or password';
	if (isAnyTaken) return undefined;
	if (url.protocol !== 'https:') return 'url must begin with https://';
	if (url.port !== '') return 'url must be on port 443';
	return isPublicName(url.hostname) ? undefined : 'url must be on a public host name';
}

function isPublicName(hostname: string): boolean {
	const name = hostname.replace(/\.$/, '');
	const labels = name.split('.');
	const top = labels.at(-1) ?? '';
	return (
		labels.length > 1 && labels.every((label) => label !== '') && /[a-z]/.test(top) && !name.startsWith('[') && !OWN_NETWORK.test(name)
	);
}
