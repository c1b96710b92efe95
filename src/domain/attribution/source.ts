const HOST_LIMIT = 253;

/** So many sources of a day and program are told apart: more than a shop has, and anybody can make up a referrer. */
export const SOURCES_PER_DAY = 1_000;
/** Where all others of the day are counted. */
export const OTHER_SOURCES = 'other';

/**
 * Where a visitor came from: the host of the referrer, in lower case and without `www.`, as apps name theirs too
 * (`android-app://com.example`). Null where there is none: the visit was direct, or the page did not tell.
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
