import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migratedLine, migrateLocally } from '../../scripts/demo/local-database.ts';
import { migrationFiles, migrationsAsOne } from '../../testing/migrations.ts';
import { runWrangler } from '../../testing/wrangler.ts';

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'affiliate-local-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { signal } = new AbortController();

test('the database of an earlier version gets the missing migrations, and the developer sees how many', async () => {
	const persistTo = join(folder, 'earlier');
	const file = join(folder, 'earlier.sql');
	writeFileSync(file, migrationsAsOne(migrationFiles().slice(0, -2)));
	const made = await runWrangler(
		['d1', 'execute', 'DB', '--local', '--env', 'dev', '--yes', '--persist-to', persistTo, '--file', file],
		'collect',
	);
	expect(made).toMatchObject({ code: 0 });
	expect(await migrateLocally(persistTo, signal)).toBe(2);
	expect(await migrateLocally(persistTo, signal)).toBe(0);
});

test('a single line says so, or nothing if there was nothing to do', () => {
	expect([0, 1, 3].map(migratedLine)).toEqual([undefined, 'Applied 1 migration to the database.', 'Applied 3 migrations to the database.']);
});
