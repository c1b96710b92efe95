const HOST_LIMIT = 253;

/** A limit, because anybody can invent a referrer. */
export const SOURCES_PER_DAY = 1_000;
/** All other sources of the day. */
export const OTHER_SOURCES = 'other';

/**
 * A visitor's source: the referrer's host, lower case, without `www.`. Apps have one too (`android-app://com.example`). Null if direct or
 * unknown.
 */
export function sourceOf(referrerUrl: string | null): string | null {
	if (referrerUrl === null) return null;
	const host =
		URL.parse(referrerUrl)
			?.hostname.toLowerCase()
			.replace(/^www\.(?=.)/, '')
			.replace(/\.$/, '') ?? '';
	return host.length <= HOST_LIMIT && /^[a-z0-9._-]+$/.test(host) ? host : null;
}
