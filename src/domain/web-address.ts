/** Host names have at most 253 characters, but credentials may precede them. */
const AUTHORITY_LIMIT = 512;

/** Undefined if it is not an http or https URL. */
export function parseWebAddress(text: string): URL | undefined {
	// Parsing a host takes quadratic time, so one that is too long is not parsed.
	const [scheme = '', authority = ''] = text.split(/[/\\?#]/).filter((piece) => piece !== '');
	if (Math.max(scheme.length, authority.length) > AUTHORITY_LIMIT) return undefined;
	const url = URL.parse(text);
	return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined;
}

/** Requires https, except on this machine, so that nobody in between can read what is sent. */
export function parseSecureAddress(text: string): URL | undefined {
	const url = parseWebAddress(text.trim());
	return url && (url.protocol === 'https:' || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) ? url : undefined;
}
