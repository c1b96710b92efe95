import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { makeRestorable } from '../../scripts/restorable/make-restorable.ts';

// Exports in D1's format, and what is restored from them. In npm run test:restore, wrangler writes the export.

const folder = mkdtempSync(join(tmpdir(), 'restorable-'));
afterAll(() => rmSync(folder, { recursive: true }));

function quoted(text: string): string {
	const literal = `'${text.replaceAll("'", "''").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
	const carriages = text.includes('\r') ? `replace(${literal},'\\r',char(13))` : literal;
	return text.includes('\n') ? `replace(${carriages},'\\n',char(10))` : carriages;
}

async function mended(exported: string) {
	const [from, to] = [join(folder, 'exported.sql'), join(folder, 'restorable.sql')];
	writeFileSync(from, exported);
	return { told: await makeRestorable(from, to), text: readFileSync(to, 'utf8') };
}

async function readBack(exported: string, query: string) {
	const { told, text } = await mended(exported);
	const sqlite = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true, limits: { sqlLength: 4_000_000 } });
	sqlite.exec(text);
	return {
		told,
		text,
		rows: sqlite
			.prepare(query)
			.all()
			.map((row) => Object.values(row)),
	};
}

const EXPORT = `PRAGMA defer_foreign_keys=TRUE;
CREATE TABLE \`child\` (
	\`id\` integer PRIMARY KEY, -- it's a comment; with a semicolon
	\`parent_id\` integer, \`text\` text DEFAULT ';',
	FOREIGN KEY (\`parent_id\`) REFERENCES \`parent\`(\`id\`)
);
INSERT INTO "child" ("id","parent_id","text") VALUES(1,7,'a;b''c');
CREATE TABLE IF NOT EXISTS "parent"(id INTEGER PRIMARY KEY AUTOINCREMENT);
INSERT INTO "parent" ("id") VALUES(7);
DELETE FROM sqlite_sequence;
INSERT INTO "sqlite_sequence" ("name","seq") VALUES('parent',12);
CREATE INDEX \`by_text\` ON \`child\` (\`text\`);
CREATE TRIGGER grown AFTER INSERT ON child BEGIN UPDATE child SET text = text || ';'; SELECT RAISE(ABORT, 'no row moves another'); END;`;

describe('an export of D1', () => {
	test('has parents before children, then sequences, then indexes and triggers', async () => {
		const { told, rows } = await readBack(EXPORT, "SELECT c.text, s.seq FROM child c JOIN sqlite_sequence s ON s.name = 'parent'");
		expect(rows).toEqual([["a;b'c", 12]]);
		expect(told).toEqual({
			rows: new Map([
				['child', 1],
				['parent', 1],
			]),
			cutRows: 0,
			jsonTexts: 0,
		});
	});

	test('is refused if it is incomplete', async () => {
		await expect(mended(EXPORT.slice(0, 250))).rejects.toThrow('ends inside a statement');
	});

	test('is restored exactly, with any JSON texts of any length', async () => {
		const piece = fc.oneof(
			fc.constantFrom("'", '\n', '\\n', '\r\n', '\\', '"', 'BEGIN TRANSACTION', '<line0>', 'ü', '😀', '{'),
			fc.string(),
		);
		const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
		const json = fc
			.tuple(fc.dictionary(text, text), fc.integer({ min: 0, max: 40_000 }), fc.constantFrom(undefined, 2))
			.map(([value, times, indent]) => JSON.stringify({ ...value, long: 'ü\n"\''.repeat(times) }, undefined, indent));
		await fc.assert(
			fc.asyncProperty(fc.array(json, { minLength: 1, maxLength: 3 }), async (texts) => {
				const inserts = texts.map((one, index) => `INSERT INTO "t" ("id","text") VALUES(${index},${quoted(one)});\n`).join('');
				const { rows, text: sql } = await readBack(
					`CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT);\n${inserts}`,
					'SELECT text FROM t ORDER BY id',
				);
				expect(rows).toEqual(texts.map((one) => [one]));
				expect(sql).not.toContain('BEGIN TRANSACTION');
				for (const statement of sql.split(';\n')) expect(Buffer.byteLength(statement)).toBeLessThan(100_000);
			}),
			{ numRuns: 40 },
		);
	});
});
