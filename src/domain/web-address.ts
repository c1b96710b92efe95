/** A name has 253 characters at most; who logs in by an address has some more before it. */
const AUTHORITY_LIMIT = 512;

/** The http or https address, or undefined where the text is none. */
export function parseWebAddress(text: string): URL | undefined {
	// To read a made-up host takes the square of its length, so one that cannot exist is not read.
	const [scheme = '', authority = ''] = text.split(/[/\\?#]/).filter((piece) => piece !== '');
	if (Math.max(scheme.length, authority.length) > AUTHORITY_LIMIT) return undefined;
	const url = URL.parse(text);
	return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined;
}

/** The https address, or one of http on this machine: what is sent there, nobody on the way reads. */
export function parseSecureAddress(text: string): URL | undefined {
	const url = parseWebAddress(text.trim());
	return url && (url.protocol === 'https:' || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) ? url : undefined;
}
