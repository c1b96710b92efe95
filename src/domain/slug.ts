/** 3 to 63 of a-z 0-9 -, with no hyphen at either end. */
const SLUG = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

export function isSlug(text: string): boolean {
	return SLUG.test(text);
}

/** `suffix` makes it unique. */
export function slugOf(name: string, suffix = ''): string {
	const words = name
		.normalize('NFKD')
		.toLowerCase()
		.replaceAll(/\p{M}/gu, '')
		.replaceAll(/[^a-z0-9]+/g, '-');
	const end = suffix === '' ? '' : `-${suffix}`;
	const start = trimmed(trimmed(words).slice(0, 63 - end.length));
	const slug = trimmed(`${start}${end}`);
	return isSlug(slug) ? slug : trimmed(`program-${slug}`);
}

function trimmed(text: string): string {
	return text.replaceAll(/^-+|-+$/g, '');
}
