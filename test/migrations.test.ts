import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '../migrations/');
const SCHEMA = join(import.meta.dirname, '../src/db/schema/');

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
const journal: { entries: { tag: string }[] } = readJson('meta/_journal.json');

test.each(files)('%s does not rely on PRAGMA foreign_keys=OFF, which D1 ignores', (file) => {
	expect(read(file)).not.toMatch(/pragma\s+foreign_keys\s*=\s*(off|0|false|no)/i);
});

test.each(files)('%s deletes nothing by cascade', (file) => {
	expect(read(file)).not.toMatch(/on\s+delete\s+cascade/i);
});

test('every migration is in the journal, in order', () => {
	expect(files.toSorted()).toEqual(journal.entries.map(({ tag }) => `${tag}.sql`));
});

test('the migrations create the tables that the schema describes', async () => {
	const latest = journal.entries.length - 1;
	const snapshot: Snapshot = readJson(`meta/${String(latest).padStart(4, '0')}_snapshot.json`);
	const modules = await Promise.all(readdirSync(SCHEMA).map((name): Promise<object> => import(`${SCHEMA}${name}`)));
	const schema = await generateSQLiteDrizzleJson(Object.assign({}, ...modules.map((module) => ({ ...module }))), snapshot.id);

	// The diff shows the missing statements. Run `npx drizzle-kit generate`.
	expect(await generateSQLiteMigration(snapshot, schema)).toEqual([]);
});

type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;

function read(file: string): string {
	return readFileSync(`${FOLDER}${file}`, 'utf8');
}

function readJson(file: string) {
	return JSON.parse(read(file));
}
