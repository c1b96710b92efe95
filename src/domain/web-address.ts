/** Host names have at most 253 characters; credentials may come before. */
const AUTHORITY_LIMIT = 512;

/** An http or https address, or undefined. */
export function parseWebAddress(text: string): URL | undefined {
	// Parsing a host takes quadratic time, so an impossible one is not parsed.
	const [scheme = '', authority = ''] = text.split(/[/\\?#]/).filter((piece) => piece !== '');
	if (Math.max(scheme.length, authority.length) > AUTHORITY_LIMIT) return undefined;
	const url = URL.parse(text);
	return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined;
}

/** An https address, or http on this machine: nobody on the way can read what is sent there. */
export function parseSecureAddress(text: string): URL | undefined {
	const url = parseWebAddress(text.trim());
	return url && (url.protocol === 'https:' || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) ? url : undefined;
}
