const HOST_LIMIT = 253;

/** Sources per day and program that are told apart: more than a shop has, as anybody can invent a referrer. */
export const SOURCES_PER_DAY = 1_000;
/** Counts the day's other sources. */
export const OTHER_SOURCES = 'other';

/**
 * A visitor's source: the host of the referrer, lower case, without `www.`; apps have one too (`android-app://com.example`). Null: direct
 * or unknown.
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
