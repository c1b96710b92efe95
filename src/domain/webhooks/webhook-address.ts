import { parseWebAddress } from '../web-address.ts';

/** Names that are not in the public DNS but belong to private networks. */
const OWN_NETWORK = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|onion|test|invalid)$/;
const MAX_LENGTH = 2_000;

/**
 * What is wrong with a webhook URL. IP addresses are refused in every notation, so that it cannot lead into a private network; `isAnyTaken`
 * allows them, for local development.
 */
export function addressProblem(text: string, isAnyTaken = false): string | undefined {
	const url = text.length > MAX_LENGTH ? undefined : parseWebAddress(text);
	if (!url) return 'url must be an https address of at most 2000 characters';
	if (url.username !== '' || url.password !== '') return 'url must not contain a user name or password';
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
