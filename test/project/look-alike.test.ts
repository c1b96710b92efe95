import { expect, test } from 'vitest';
import { metered } from '../../testing/d1/metered.ts';
import { openD1, openEmptySqlite, Statements } from '../../testing/d1/look-alike.ts';

// compare/ checks the D1 look-alike against D1. This file checks the error when a test needs more than it supports.

const db = openD1(new Statements(openEmptySqlite()));

test('meta.changes counts the rows of RETURNING and of triggers, and none for a read', async () => {
	await db.prepare('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)').run();
	await db.prepare('CREATE TABLE copies (text TEXT)').run();
	await db.prepare('CREATE TRIGGER copied AFTER INSERT ON notes BEGIN INSERT INTO copies VALUES (NEW.text); END').run();
	const written = await db.prepare("INSERT INTO notes (text) VALUES ('a'), ('b') RETURNING id").all();
	expect([written.results, written.meta.changes, written.meta.last_row_id]).toEqual([[{ id: 1 }, { id: 2 }], 4, 2]);
	expect((await db.prepare('SELECT * FROM notes').all()).meta.changes).toBe(0);
});

test('size_after grows with the rows', async () => {
	await db.prepare('CREATE TABLE pages (text TEXT)').run();
	const { meta: before } = await db.prepare('SELECT 1').all();
	const sizeBefore = before.size_after;
	const { meta: after } = await db.prepare('INSERT INTO pages VALUES (zeroblob(100000))').run();
	expect(after.size_after).toBeGreaterThan(sizeBefore + 90_000);
});

test.each(['rows_read', 'rows_written', 'changed_db'] as const)('meta.%s throws and names workerd', async (field) => {
	const { meta } = await db.prepare('SELECT 1').all();
	expect(() => meta[field]).toThrow(`The look-alike of D1 has no meta.${field}. Run this test in workerd`);
});

test('a row meter fails instead of counting nothing', async () => {
	await expect(
		metered(openD1(new Statements(openEmptySqlite())))
			.prepare('SELECT 1')
			.all(),
	).rejects.toThrow('in workerd');
});

test.each([
	['exec()', () => db.exec('SELECT 1')],
	['dump()', () => db.dump()],
])('%s is refused with the advice to use workerd', async (name, use) => {
	await expect(use()).rejects.toThrow(`The look-alike of D1 has no ${name}. Run this test in workerd`);
});

test.each([
	[
		'a sixth term in a compound SELECT',
		'SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6',
		'too many terms',
	],
	['a deep expression', `SELECT 1${' + 1'.repeat(100)}`, 'Expression tree is too large (maximum depth 100)'],
	['a wide result', `SELECT 1${', 1'.repeat(100)}`, 'too many columns in result set'],
	['a long statement', `SELECT '${'x'.repeat(100_000)}'`, 'statement too long: SQLITE_TOOBIG'],
	['another database', "ATTACH ':memory:' AS other", 'not authorized: SQLITE_AUTH'],
	['a pragma of the whole file', 'SELECT * FROM pragma_page_count', 'not authorized: SQLITE_AUTH'],
	['a function that D1 lacks', 'SELECT sqlite_version()', 'not authorized to use function: sqlite_version'],
	['the second of two statements', 'SELECT 1; SELECT 2', 'Send them as a batch'],
])('refuses %s', async (_what, sql, message) => {
	await expect(db.prepare(sql).all()).rejects.toThrow(message);
});
