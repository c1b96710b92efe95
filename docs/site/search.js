// Loaded by docs.js with the first search.

const MAX_RESULTS = 12;
/** Words to ignore, because people may type whole questions. */
const SMALL_WORDS = new Set(
	'a an and are as at be by can do does for from how i in is it many much my of on or the to what when where why with'.split(' '),
);

/** Entries of search.json that contain all the words, best first. If none contains all of them, those that contain the most. */
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
 * How many of the words an entry contains, and how well they match. Its own title counts more than the page's title, which counts more than
 * its text. Exact titles and keywords come first. If entries match equally well, guides come before their sections, and sections before routes.
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

/** A whole word, singular or plural, counts more than the beginning of a word, which counts more than a longer text inside a word. */
function rank(text, word) {
	if (!text.includes(word)) return word.length > 3 && /[^s]s$/.test(word) ? rank(text, word.slice(0, -1)) : 0;
	const escaped = word.replaceAll(/[^a-z0-9]/g, '\\$&');
	if (new RegExp(`(^|[^a-z0-9])${escaped}(?:s|es)?(?![a-z0-9])`).test(text)) return 4;
	if (new RegExp(`(^|[^a-z0-9])${escaped}`).test(text)) return 2;
	return word.length > 3 ? 1 : 0;
}
