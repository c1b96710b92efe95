import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sectionsOf } from '../../scripts/docs/markdown.ts';
import { type Citation, citationsIn, type Law, missingDocuments, type Numbered, textsOf } from '../support/citations.ts';

// A citation in a comment must exist in docs/contract.md, docs/decisions.md or docs/management.md.

const ROOT = join(import.meta.dirname, '../..');
const LAWS: readonly Law[] = ['contract', 'decisions', 'management'];

const pages: Readonly<Record<Law, string>> = {
	contract: pageOf('contract'),
	decisions: pageOf('decisions'),
	management: pageOf('management'),
};
const numbers: Readonly<Record<Law, readonly string[]>> = {
	contract: numbersOf(pages.contract),
	decisions: numbersOf(pages.decisions),
	management: numbersOf(pages.management),
};
const parts = partsOf(pages.contract);
/** Excludes this file, which contains wrong citations on purpose. */
const texts = textsOf(ROOT).filter(({ file }) => file !== 'test/project/citations.test.ts');

function pageOf(law: Law): string {
	return readFileSync(join(ROOT, 'docs', `${law}.md`), 'utf8');
}

/** The numbers of the headings in order: `## 4. Routes`, `### 4.3 POST ...`, `### 10a. ...`. */
function numbersOf(page: string): string[] {
	return Array.from(page.matchAll(/^#{2,3} (\d+[a-z]?(?:\.\d+)?)\.? \S/gm), ([, number = '']) => number);
}

/** `5, rule 2` for each `- **Rule 2.**` in its section. */
function partsOf(page: string): string[] {
	return page
		.split(/^## /m)
		.flatMap((section) =>
			Array.from(section.matchAll(/^- \*\*(Rule|Side effect) (\d+)\.\*\*/gm), ([, kind = '', part = '']) =>
				[/^\d+/.exec(section)?.[0], `${kind.toLowerCase()} ${part}`].join(', '),
			),
		);
}

/** Empty if the citation is correct. */
function faultsOf({ law, cited, ranges }: Citation): string[] {
	const known = numbers[law];
	const missing = cited
		.filter((number) => !(number.part === undefined ? known.includes(number.number) : parts.includes(told(number))))
		.map((number) => `${law} has no ${told(number)}`);
	const reversed = ranges.filter(([first, last]) => known.includes(last) && known.indexOf(first) >= known.indexOf(last));
	return [...missing, ...reversed.map(([first, last]) => `${first} to ${last} is not a range`)];
}

function wrongIn(text: string, own?: Law): string[] {
	const { citations, unreadable } = citationsIn(text, own);
	return [
		...citations.flatMap((citation) => faultsOf(citation).map((fault) => `"${citation.words}": ${fault}`)),
		...unreadable.map(({ words, why }) => `"${words}": ${why}`),
	];
}

function lawOf(file: string): Law | undefined {
	return LAWS.find((law) => file === `docs/${law}.md`);
}

test('each number exists once, in order', () => {
	const plain = numbers.decisions.filter((number) => /^\d+$/.test(number));
	// Decisions written concurrently get their numbers in advance, so the last ones may land out of order.
	expect(plain.slice(0, 50)).toEqual(upTo(50));
	expect(numbers.decisions.filter((number) => !plain.includes(number))).toEqual(['10a', '11a', '11b', '19a', '19b', '22a']);
	expect(numbers.contract).toEqual('1 2 3 4 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 5 6 7 8 9'.split(' '));
	expect(numbers.management).toEqual(upTo(numbers.management.length));
	expect(parts).toEqual([...upTo(3).map((part) => `3, side effect ${part}`), ...upTo(5).map((part) => `5, rule ${part}`)]);
	for (const law of LAWS) expect(numbers[law]).toEqual([...new Set(numbers[law])].toSorted(byNumber));
});

function upTo(last: number): string[] {
	return Array.from({ length: last }, (_, index) => String(index + 1));
}

function byNumber(one: string, other: string): number {
	return one.localeCompare(other, 'en', { numeric: true });
}

test('every citation exists', () => {
	const cited = texts.flatMap(({ file, text }) => citationsIn(text, lawOf(file)).citations);
	expect(cited.length).toBeGreaterThan(100);
	expect(texts.flatMap(({ file, text }) => wrongIn(text, lawOf(file)).map((wrong) => `${file}: ${wrong}`))).toEqual([]);
});

test('every named document is in the repository', () => {
	const files = new Set(texts.map(({ file }) => file));
	expect(texts.flatMap((text) => missingDocuments(text, files).map((path) => `${text.file}: ${path}`))).toEqual([]);
});

test.each([
	'README.md',
	'CONTRIBUTING.md',
	'docs/proof.md',
	'docs/database.md',
	'docs/benchmark.md',
	...readdirSync(join(ROOT, 'docs/contributing')).map((name) => `docs/contributing/${name}`),
	...LAWS.map((law) => `docs/${law}.md`),
])('every link in %s has a target', (file) => {
	const text = readFileSync(join(ROOT, file), 'utf8');
	const targets = Array.from(text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g), ([, target = '']) => target);
	expect(targets.filter((target) => !leadsSomewhere(target, file))).toEqual([]);
});

function leadsSomewhere(target: string, from: string): boolean {
	const [path = '', anchor] = target.split('#');
	const file = path === '' ? from : join(dirname(from), path);
	if (!existsSync(join(ROOT, file))) return false;
	return anchor === undefined || sectionsOf(readFileSync(join(ROOT, file), 'utf8')).some(({ id }) => id === anchor);
}

/** As written: `5, rule 2`. */
function told({ number, part }: Numbered): string {
	return part === undefined ? number : `${number}, ${part}`;
}

function read(words: string): [Law, string[]][] {
	return citationsIn(words, undefined).citations.map(({ law, cited }) => [law, cited.map(told)]);
}

describe('a citation', () => {
	test.each([
		['Decision 10a.', 'decisions', ['10a']],
		['decisions 3, 4, 8, 11 to 13).', 'decisions', ['3', '4', '8', '11', '13']],
		['decisions\n\t * 4 to 7 and 10a', 'decisions', ['4', '7', '10a']],
		['contract, 4.3; the sale', 'contract', ['4.3']],
		['Contract, 4.7 and 7', 'contract', ['4.7', '7']],
		['Contract, sections 4.1, 4.8, 7 and 8', 'contract', ['4.1', '4.8', '7', '8']],
		['Contract, 4.1 and section 5, rules 1 and 4.', 'contract', ['4.1', '5', '5, rule 1', '5, rule 4']],
		['contract, section 3,\n// side effect 2)', 'contract', ['3', '3, side effect 2']],
		['Section 7 refuses', 'contract', ['7']],
		['management, 8', 'management', ['8']],
	] as const)('%j is read', (words, law, cited) => {
		expect(read(words)).toEqual([[law, cited]]);
		expect(wrongIn(words)).toEqual([]);
	});

	test('may be followed by others', () => {
		const words = '(contract, 4.3; decisions 3 and 8); contract, 7, decision 30';
		expect(read(words)).toEqual([
			['contract', ['4.3']],
			['decisions', ['3', '8']],
			['contract', ['7']],
			['decisions', ['30']],
		]);
	});

	test.each([
		'decision 99',
		'decision 100',
		'decision 10b',
		'decisions 4, 8 and 99',
		'decisions 13 to 11',
		'decisions 40 to 99',
		'contract, 4.99',
		'contract, section 5, rule 6',
		'contract, section 4, rule 1',
		'contract, section 3, side effects 2 and 4',
		'section 99',
		'management, 99',
	])('%s has no target', (words) => {
		expect(wrongIn(words)).toHaveLength(1);
	});

	test.each([
		'decision 8 and 9',
		'decisions 8',
		'decisions 8-11',
		'decisions 8/9',
		'decision #8',
		'decision no. 8',
		'decision 4.3',
		'Decision-8',
		'contract 4.3',
		'contract, § 4.3',
		"the contract's section 7",
		'contract, 4.3.1',
		'contract, 4.3-4.4',
	])('%s cannot be read', (words) => {
		expect(wrongIn(words)).toHaveLength(1);
	});

	test.each([
		'two decisions later',
		'decisions: 14',
		'the contract has 9 parts',
		'a decision in pure code',
		'a section of 40 lines',
		"the contract's 409",
	])('%s is not a citation', (words) => {
		expect(citationsIn(words, undefined)).toEqual({ citations: [], unreadable: [] });
	});

	test('a document that is not in the repository is found', () => {
		const files = new Set(['docs/contract.md', 'README.md']);
		const named = (text: string) => missingDocuments({ file: 'docs/decisions.md', text }, files);
		expect(named('[contract](contract.md), README.md and ../README.md')).toEqual([]);
		expect(named('(design/money.md, 3), house.md')).toEqual(['design/money.md', 'house.md']);
	});
});

test('the code uses the messages of section 7', () => {
	const section = pages.contract.split(/^## /m).find((text) => text.startsWith('7. ')) ?? '';
	const messages = Array.from(section.matchAll(/^\|(?: \d+ \|)? `([^`]+)`/gm), ([, message = '']) =>
		message.replaceAll(/<(\w+)>/g, '{$1}'),
	);
	expect(messages.length).toBeGreaterThan(15);
	const source = texts.filter(({ file }) => file.startsWith('src/')).map(({ text }) => text);
	expect(messages.filter((message) => !source.some((text) => text.includes(`'${message}`)))).toEqual([]);
});

describe('the management API', () => {
	const routes = Array.from(
		pages.management.matchAll(/^\| (`(?:GET|POST|PUT|PATCH|DELETE) [^|]+) \| (.+) \|$/gm),
		([, calls = '', text = '']) =>
			Array.from(calls.matchAll(/`(\w+) ([^`]+)`/g), ([, method = '', path = '']) => ({
				call: `${method} ${path.replaceAll(/:\w+/g, '{}')}`,
				isThere: !text.startsWith('Not there yet.'),
			})),
	).flat();
	const { paths }: { paths: Record<string, object> } = JSON.parse(readFileSync(join(ROOT, 'public/api/openapi.json'), 'utf8'));
	const described = new Set(
		Object.entries(paths).flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
		),
	);

	test('a route is in the OpenAPI document, or not implemented yet', () => {
		expect(routes.length).toBeGreaterThan(40);
		expect(routes.filter(({ call, isThere }) => described.has(call) !== isThere)).toEqual([]);
	});

	test('each route of the OpenAPI document is on its page, except those of the contract', () => {
		const own = [...described].filter((call) => call.includes(' /api/v1/') && !call.includes(' /api/v1/track/'));
		const onPage = new Set(routes.map(({ call }) => call));
		expect(own.filter((call) => !onPage.has(call))).toEqual([]);
	});
});
