const HOST_LIMIT = 253;

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
