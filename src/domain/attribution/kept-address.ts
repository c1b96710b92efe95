export const KEPT_PARAMETERS = ['aff', 'sub_id', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'] as const;

const KEPT: ReadonlySet<string> = new Set(KEPT_PARAMETERS);

/** An email address or a second parameter inside the value, plain or encoded any number of times. */
const MAY_BE_PERSONAL = /[@?;=]|%(?:25)*(?:40|3b|3d|3f)/i;

const SIGN_IN = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)[^/]*@/i;

/**
 * A page URL as it is stored: only known parameters remain, because the others may contain personal data. Accepts any text, because page
 * details never refuse a click (decision 9).
 */
export function keptAddress(text: string): string {
	const [withoutFragment = ''] = text.split('#', 1);
	const [page = ''] = withoutFragment.split('?', 1);
	const kept = withoutFragment
		.slice(page.length + 1)
		.split('&')
		.filter(isKept);
	const address = page.replace(SIGN_IN, '$1');
	return kept.length > 0 ? `${address}?${kept.join('&')}` : address;
}

function isKept(parameter: string): boolean {
	const end = parameter.indexOf('=');
	return end !== -1 && KEPT.has(parameter.slice(0, end)) && !MAY_BE_PERSONAL.test(parameter.slice(end + 1));
}
