import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { differences } from '../../scripts/deploy/choices.ts';
import { readDeployFile, templateFor, updated, writeDeployFile } from '../../scripts/deploy/config.ts';
import { mergeThreeWay, type Table } from '../../scripts/deploy/merge.ts';
import { readToml, toToml } from '../../scripts/deploy/toml.ts';
import { ROOT } from '../../testing/root.ts';

const folder = mkdtempSync(join(tmpdir(), 'affiliate-deploy-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'wrangler.deploy.toml');

const word = fc.oneof(fc.string({ unit: 'grapheme-composite', maxLength: 12 }), fc.constantFrom('"', '\\', '\u007F', '\n'));
// Names of settings, without backslashes, because wrangler's parser fails on them in a table's name.
const key = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{1,9}$/), fc.constantFrom('a.b', 'x y', 'é', ''));
const plain = fc.oneof(word, fc.integer(), fc.boolean());
const inner = fc.dictionary(key, fc.oneof(plain, fc.array(plain, { maxLength: 3 })), { maxKeys: 4, noNullPrototype: true });
const table = fc.dictionary(
	key,
	fc.oneof(plain, inner, fc.array(inner, { maxLength: 3 }), fc.dictionary(key, inner, { maxKeys: 2, noNullPrototype: true })),
	{
		maxKeys: 5,
		noNullPrototype: true,
	},
);

test('wrangler reads the written TOML unchanged', () => {
	fc.assert(
		fc.property(table, (config: Table) => {
			writeFileSync(file, toToml(config));
			expect(readToml(file)).toEqual(JSON.parse(JSON.stringify(config)));
		}),
		{ numRuns: 300 },
	);
});

describe('an upgrade', () => {
	test.each<[string, { base: Table; mine: Table; next: Table; is: Table }]>([
		['takes a new default', { base: { a: 1 }, mine: { a: 1 }, next: { a: 2 }, is: { a: 2 } }],
		["keeps the operator's settings", { base: { a: 1 }, mine: { a: 5 }, next: { a: 2 }, is: { a: 5 } }],
		["keeps the operator's additions and adds new settings", { base: {}, mine: { a: 1 }, next: { b: 2 }, is: { b: 2, a: 1 } }],
		['does not restore what the operator removed', { base: { a: 1, b: 1 }, mine: { b: 1 }, next: { a: 1, b: 1 }, is: { b: 1 } }],
		['drops removed settings', { base: { a: 1, b: 1 }, mine: { a: 1, b: 1 }, next: { b: 1 }, is: { b: 1 } }],
		[
			'matches list entries by name',
			{
				base: { q: [{ queue: 'x', n: 1, m: 1 }] },
				mine: { q: [{ queue: 'x', n: 7, m: 1 }, { queue: 'own' }] },
				next: { q: [{ queue: 'new' }, { queue: 'x', n: 1, m: 2 }] },
				is: { q: [{ queue: 'new' }, { queue: 'x', n: 7, m: 2 }, { queue: 'own' }] },
			},
		],
		['replaces other lists as a whole', { base: { l: [1, 2] }, mine: { l: [1, 2] }, next: { l: [3] }, is: { l: [3] } }],
	])('%s', (_, { base, mine, next, is }) => {
		expect(mergeThreeWay(base, mine, next)).toEqual(is);
	});
});

test('the file records its origin, and an update without changes changes nothing', () => {
	const base = templateFor(join(ROOT, 'wrangler.toml'), 'affiliate-tracker', file);
	const config = { ...base, account_id: 'a'.repeat(32) };
	writeDeployFile(file, { config, base, commit: 'abc1234', location: 'weur' });
	const read = readDeployFile(file);
	expect(read).toEqual({ config, base, commit: 'abc1234', location: 'weur' });
	expect(read && updated(read, base)).toEqual(config);
	writeFileSync(file, readFileSync(file, 'utf8').replace(/^#= .*$/m, ''));
	const withoutBase = readDeployFile(file);
	expect(withoutBase && updated(withoutBase, base)).toEqual(config);
});

test('a change is reported by the list entry, not by the whole list', () => {
	const before = { queues: { consumers: [{ queue: 'x', wait: 2 }, { queue: 'y' }] } };
	const after = {
		queues: {
			consumers: [
				{ queue: 'x', wait: 3 },
				{ queue: 'z', wait: 1 },
			],
		},
	};
	expect(differences(before, after)).toEqual([
		'queues.consumers.x.wait: 2 -> 3',
		'queues.consumers.y: {"queue":"y"} -> none',
		'queues.consumers.z: none -> {"queue":"z","wait":1}',
	]);
});

test('a second service in an account shares no queue, database or limit with the first', () => {
	const one = JSON.stringify(templateFor(join(ROOT, 'wrangler.toml'), 'affiliate-tracker', file));
	const other = JSON.stringify(templateFor(join(ROOT, 'wrangler.toml'), 'second-shop', file));
	expect(names(one).filter((name) => names(other).includes(name))).toEqual([]);
	expect(names(other)).toContain('second-shop-clicks');
});

function names(text: string): (string | undefined)[] {
	return [...text.matchAll(/"(?:queue|dead_letter_queue|database_name|namespace_id)":"([^"]+)"/g)].map(([, name]) => name);
}
