// How partners, links and coupons are found by a part of what they are called. What is stored and what is typed are folded the same way,
// so that letter case and accents make no difference. A mark begins each word and another each field: SQLite then tells by instr() alone
// whether a field begins with the text, a word does, or it stands inside one. Both are controls, which no name may contain.

const FIELD = '\n';
const WORD = '\t';

/** Behind each of these a new word begins. */
const SEPARATOR = /[^\p{L}\p{N}\p{M}]/gu;
const INVISIBLE = /[\p{Mn}\p{Cf}]/gu;
/** Letters that Unicode does not take apart, and the one whose lower case depends on its neighbours. */
const SPELT_OTHERWISE: Readonly<Record<string, string>> = {
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	ø: 'o',
	ł: 'l',
	đ: 'd',
	ð: 'd',
	ħ: 'h',
	ı: 'i',
	þ: 'th',
	ς: 'σ',
};
const OTHERWISE = new RegExp(`[${Object.keys(SPELT_OTHERWISE).join('')}]`, 'gu');

/** The parts of a text that are looked up first: one of them per character, so SQLite can make the same ones. */
const [PART, WORD_PART, FIELD_PART] = [3, 4, 5];
/** The most parts of a search of which the rarest is looked up. */
const PARTS_COMPARED = 5;

/** Without letter case, accents and invisible characters. The fold of two texts is the fold of the first, then that of the second. */
export function foldedText(text: string): string {
	return text
		.normalize('NFKD')
		.toLowerCase()
		.normalize('NFKD')
		.replace(INVISIBLE, '')
		.replace(OTHERWISE, (letter) => SPELT_OTHERWISE[letter] ?? letter)
		.replace(/\s/gu, ' ');
}

/** What is stored of the fields by which a row is found. */
export function searchTextOf(fields: readonly string[]): string {
	return fields.map((field) => `${FIELD}${WORD}${markedWords(field)}`).join('');
}

/** What a search looks for in a stored text; the longer ones say how well it matches. */
export interface SearchPatterns {
	/** Is in each text that matches. */
	readonly part: string;
	/** A word begins with it. */
	readonly word: string;
	/** The name, address or code begins with it. */
	readonly field: string;
	/** Parts that each match has, to choose the rarest of. None for a search of one or two characters, which only begins words. */
	readonly parts: readonly string[];
	/** The part with which a matching word begins, and a matching field. */
	readonly wordPart: string;
	readonly fieldPart: string;
}

/** Undefined for a text that has nothing but invisible characters. */
export function searchPatternsOf(search: string): SearchPatterns | undefined {
	const part = markedWords(search);
	if (part === '') return undefined;
	const [word, field] = [`${WORD}${part}`, `${FIELD}${WORD}${part}`];
	return { part, word, field, parts: partsOf(part), wordPart: firstOf(word, WORD_PART), fieldPart: firstOf(field, FIELD_PART) };
}

function markedWords(text: string): string {
	return foldedText(text).replace(SEPARATOR, `$&${WORD}`);
}

function partsOf(text: string): string[] {
	const characters = Array.from(text);
	const windows = characters.map((character, at) => characters.slice(at, at + (character === WORD ? WORD_PART : PART)));
	const whole = windows.filter((window) => window.length === (window[0] === WORD ? WORD_PART : PART)).map((window) => window.join(''));
	const parts = [...new Set(whole)];
	return parts.filter(
		(_, at) => Math.floor((at * PARTS_COMPARED) / parts.length) !== Math.floor(((at - 1) * PARTS_COMPARED) / parts.length),
	);
}

function firstOf(text: string, count: number): string {
	return Array.from(text).slice(0, count).join('');
}
