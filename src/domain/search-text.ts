// Stored and typed texts lose case and accents. A mark begins each word, and another each field, so that instr() finds a beginning; names
// cannot contain these control characters.

const FIELD = '\n';
const WORD = '\t';

const SEPARATOR = /[^\p{L}\p{N}\p{M}]/gu;
const INVISIBLE = /[\p{Mn}\p{Cf}]/gu;
/** Letters that Unicode does not decompose, and one whose lower case depends on its neighbours. */
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

/** Every character begins a part, which is shorter at the end of a field, so that SQLite can create the same parts. */
const [PART, WORD_PART, FIELD_PART] = [3, 4, 5];
/** A search compares this many parts to find the rarest. */
const PARTS_COMPARED = 5;

/** Removes case, accents and invisible characters. Joined texts fold to the same as folded texts joined. */
export function foldedText(text: string): string {
	return text
		.normalize('NFKD')
		.toLowerCase()
		.normalize('NFKD')
		.replace(INVISIBLE, '')
		.replace(OTHERWISE, (sign) => SPELT_OTHERWISE[sign] ?? sign)
		.replace(/\s/gu, ' ');
}

export function searchTextOf(fields: readonly string[]): string {
	return fields.map((field) => `${FIELD}${WORD}${markedWords(field)}`).join('');
}

/** The longer patterns rank the matches. */
export interface SearchPatterns {
	/** Every match contains it. */
	readonly part: string;
	/** A word of the match begins with it. */
	readonly word: string;
	/** A field of the match begins with it. */
	readonly field: string;
	/** Empty for one or two characters, which are shorter than a part. */
	readonly parts: readonly string[];
	/** The part at the beginning of a matching word or field. */
	readonly wordPart: string;
	readonly fieldPart: string;
}

/** Undefined if the text has only invisible characters. */
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
