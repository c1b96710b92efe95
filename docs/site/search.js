// Loaded by docs.js with the first search.

const MAX_RESULTS = 12;
/** Of questions that are put in full. */
const SMALL_WORDS = new Set(
	'a an and are as at be by can do does for from how i in is it many much my of on or the to what when where why with'.split(' '),
);

/** Entries of search.json that have all the words, the best first; where none has all of them, those that have the most. */
export function search(entries, query) {
	const phrase = query.toLowerCase().trim();
	const all = phrase.split(/[\s?]+/).filter(Boolean);
	const telling = all.filter((word) => !SMALL_WORDS.has(word));
	const words = telling.length > 0 ? telling : all;
	const scored = entries.map((entry) => ({ entry, words, ...scoreOf(entry, words, phrase) })).filter(({ known }) => known > 0);
	const most = Math.max(...scored.map(({ known }) => known));
	return scored
		.filter(({ known }) => known === most)
		.sort((a, b) => b.score - a.score)
		.slice(0, MAX_RESULTS);
}

/**
 * How many of the words it has, and how well. A title counts more than the page's, that more than text; what is called just so comes
 * first, and of what is alike a guide before one of its parts, and those before a route.
 */
function scoreOf([address, title, page, text, keywords = ''], words, phrase) {
	const isGuide = !address.startsWith('/docs/reference/');
	const names = [title, ...keywords.split(',')].map((name) => name.trim().toLowerCase());
	let known = 0;
	const isPage = !address.includes('#');
	let score = (isGuide ? 2 : 0) + (isPage ? 2 : 0);
	if (names.some((name) => single(name) === single(phrase))) score += isPage ? 60 : 56;
	for (const word of words) {
		const name = Math.max(...names.map((each) => rank(each, word)));
		const found = name * 6 + rank(page.toLowerCase(), word) * 3 + rank(text.toLowerCase(), word);
		if (found > 0) known += 1;
		score += found;
	}
	return { known, score };
}

function single(name) {
	return name.replace(/(?<=[^s])s$/, '');
}

/** A whole word, alone or as one of many, counts more than the beginning of one, that more than what is inside, unless it is short. */
function rank(text, word) {
	if (!text.includes(word)) return word.length > 3 && /[^s]s$/.test(word) ? rank(text, word.slice(0, -1)) : 0;
	const escaped = word.replaceAll(/[^a-z0-9]/g, '\\$&');
	if (new RegExp(`(^|[^a-z0-9])${escaped}(?:s|es)?(?![a-z0-9])`).test(text)) return 4;
	if (new RegExp(`(^|[^a-z0-9])${escaped}`).test(text)) return 2;
	return word.length > 3 ? 1 : 0;
}
