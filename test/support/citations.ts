import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Finds citations of docs/contract.md, docs/decisions.md and docs/management.md in comments, tests and documents.

export type Law = 'contract' | 'decisions' | 'management';

/** `part`: a rule or a side effect of a section, such as `rule 2`. */
export interface Numbered {
	readonly number: string;
	readonly part: string | undefined;
}

export interface Citation {
	readonly law: Law;
	readonly cited: readonly Numbered[];
	/** Both ends of a range such as `11 to 13`. */
	readonly ranges: readonly (readonly [first: string, last: string])[];
	readonly words: string;
}

/** It looks like a citation but has no form that `citationsIn` can read. */
export interface Unreadable {
	readonly words: string;
	readonly why: string;
}

/** Folders whose files are read as text, except generated and third-party files. */
const FOLDERS = [
	'src',
	'test',
	'simulation',
	'crash',
	'fuzz',
	'bench',
	'compare',
	'testing',
	'scripts',
	'examples',
	'migrations',
	'docs',
	'.ci',
];
const GENERATED = /(^|\/)(node_modules|meta)\/|^src\/http\/browser-scripts\.ts$|^worker-configuration\.d\.ts$|^package-lock\.json$/;
const TEXT = /\.(ts|js|mjs|sql|md|toml|yaml|json|html|css)$|(^|\/)run$/;

/** Every text file of the repository, by its path from the root. */
export function textsOf(root: string): { file: string; text: string }[] {
	const atRoot = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
	const below = FOLDERS.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }));
	return [...atRoot, ...below]
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
		.filter((file) => TEXT.test(file) && !GENERATED.test(file))
		.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

/** A word alone ("two decisions later") is no citation, nor is a status ("the contract's 409"). */
const LOOKS_CITED =
	/\b(?:(?<decisions>[Dd]ecisions?)|(?<law>[Cc]ontract|[Mm]anagement)(?:'s(?! \d{3}\b)|,)?(?: sections?)?|(?<section>[Ss]ections?))(?: ?(?:#|§|nos?\.?|numbers?) ?|-| )(?=\d)/g;

const DECISION = String.raw`\d+[a-z]?`;
const SECTION = String.raw`\d+(?:\.\d+)?`;
const SEPARATOR = '(?:; |, and |, | and | or )';

/**
 * The citations in a text, and what cannot be read. The forms are `decision 8`, `decisions 4 to 7 and 10a`, `contract, 4.3`, `contract,
 * sections 4.1 and 7`, `contract, section 5, rule 2`, `contract, section 3, side effects 2 and 3`, `management, 8`, and `section 7` alone,
 * which means the contract or the citing document.
 */
export function citationsIn(text: string, own: Law | undefined): { citations: Citation[]; unreadable: Unreadable[] } {
	const flat = flatten(text);
	const citations: Citation[] = [];
	const unreadable: Unreadable[] = [];
	let end = 0;
	for (const match of flat.matchAll(LOOKS_CITED)) {
		// Continues the previous citation, as in "contract, 4.7 and section 5".
		if (match.index < end) continue;
		const { decisions, law, section } = match.groups ?? {};
		const read = decisions === undefined ? readSections(flat, match.index) : readDecisions(flat, match.index);
		const words = flat.slice(match.index, match.index + 60).split('\n')[0] ?? '';
		if (typeof read === 'string') unreadable.push({ words, why: read });
		else {
			end = match.index + read.words.length;
			const named = /^m/i.test(law ?? '') ? 'management' : section !== undefined && own ? own : 'contract';
			citations.push({ law: decisions === undefined ? named : 'decisions', ...read });
		}
	}
	return { citations, unreadable };
}

type Read = Omit<Citation, 'law'> | string;

function readDecisions(flat: string, from: number): Read {
	const match = matchAt(`([Dd]ecisions?) (${listOf(DECISION)})`, flat, from);
	if (!match) return 'is not of the form "decision 8" or "decisions 4 to 7 and 10a"';
	const [words, word = '', list = ''] = match;
	const { numbers, ranges } = itemsOf(list, DECISION);
	if (numbers.length > 1 !== word.endsWith('s')) return 'has a plural for one, or a singular for several';
	return whole(flat, from, { words, cited: numbers.map((number) => ({ number, part: undefined })), ranges });
}

const PARTS = String.raw`(?:rules?|side effects?) ${listOf(String.raw`\d+`)}`;

function readSections(flat: string, from: number): Read {
	const item = `(?:[Ss]ections? )?${SECTION}(?: to ${SECTION})?(?:, ${PARTS})?`;
	const match = matchAt(`(?:[Cc]ontract, |[Mm]anagement, |(?=[Ss]ections? ))(${item}(?:${SEPARATOR}${item})*)`, flat, from);
	if (!match) return 'is not of the form "contract, 4.3" or "contract, section 5, rule 2"';
	const [words, list = ''] = match;
	const cited: Numbered[] = [];
	const ranges: [string, string][] = [];
	for (const [, section = '', last, kind, parts] of list.matchAll(
		new RegExp(`(${SECTION})(?: to (${SECTION}))?(?:, (rule|side effect)s? (${listOf(String.raw`\d+`)}))?`, 'g'),
	)) {
		for (const number of last === undefined ? [section] : [section, last]) cited.push({ number, part: undefined });
		if (last !== undefined) ranges.push([section, last]);
		if (kind === undefined || parts === undefined) continue;
		for (const part of itemsOf(parts, String.raw`\d+`).numbers) cited.push({ number: section, part: `${kind} ${part}` });
	}
	return whole(flat, from, { words, cited, ranges });
}

/** Refuses a list that continues in an unknown form, such as `8-11`, `8/9`, `4.3.1`. */
function whole(flat: string, from: number, read: Omit<Citation, 'law'>): Read {
	const rest = flat.slice(from + read.words.length);
	const goesOn = /^(?:\w|\.\d| ?[-–—&/+] ?\d|,? ?(?:and |or |to )?\d)/.test(rest);
	return goesOn ? 'goes on in a way that cannot be read' : read;
}

function listOf(number: string): string {
	const item = String.raw`${number}(?![\w]|\.\d)(?: to ${number}(?![\w]|\.\d))?`;
	return `${item}(?:${SEPARATOR}${item})*`;
}

function itemsOf(list: string, number: string) {
	const items = Array.from(list.matchAll(new RegExp(`(${number})(?: to (${number}))?`, 'g')), ([, first = '', last]) => ({ first, last }));
	return {
		numbers: items.flatMap(({ first, last }) => (last === undefined ? [first] : [first, last])),
		ranges: items.flatMap(({ first, last }): [string, string][] => (last === undefined ? [] : [[first, last]])),
	};
}

function matchAt(pattern: string, text: string, from: number): RegExpExecArray | null {
	const regExp = new RegExp(pattern, 'y');
	regExp.lastIndex = from;
	return regExp.exec(text);
}

function flatten(text: string): string {
	return text.replaceAll(/[ \t]*\n[ \t]*(?:\*(?!\/)|\/\/|--|#)?[ \t]*(?=\S)/g, ' ');
}

/** The documents that a text names but that exist neither under the root nor in the text's folder. */
export function missingDocuments({ file, text }: { readonly file: string; readonly text: string }, files: ReadonlySet<string>): string[] {
	return Array.from(text.matchAll(/(?<![\w./:@-])(?!\/docs\/)[\w./-]+\.md\b/g), ([path]) => path).filter(
		(path) => !files.has(path) && !files.has(join(dirname(file), path)) && !files.has(path.replace(/^(?:\.\.\/)+/, '')),
	);
}
