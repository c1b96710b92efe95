import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { childNamed, cpuOf } from './cpu.ts';
import { migrationFiles } from '../testing/migrations.ts';
import { openLocalD1 } from '../testing/miniflare.ts';
import { seedTables } from '../testing/d1/seed-tables.ts';

// Applies the migrations that rebuild tables to a local D1 with a million rows in each table, one transaction per file: `npm run
// rebuild:scale`, optionally followed by a different number of rows. D1 allows 30 seconds per migration. Needs 8 GB of disk space.

const FIRST = '0021_notifications_in_fewer_rows';
const ROWS = Number(process.argv[2] ?? 1_000_000);
const LIMIT_SECONDS = 30;

const folder = mkdtempSync(join(process.env['REBUILD_FOLDER'] ?? tmpdir(), 'rebuild-scale-'));
const files = migrationFiles();
try {
	await withD1(async (apply) => {
		for (const { name, statements } of files) if (name < FIRST) await apply(statements);
	});
	seed();
	await withD1(async (apply, cpuMs) => {
		for (const { name, statements } of files) {
			if (name < FIRST) continue;
			const [began, cpuBefore] = [performance.now(), cpuMs()];
			await apply(statements);
			const [seconds, cpu] = [performance.now() - began, cpuMs() - cpuBefore].map((ms) => ms / 1_000);
			console.log(`${name.padEnd(40)} ${seconds?.toFixed(1)} s, ${cpu?.toFixed(1)} s of CPU`);
			if ((cpu ?? 0) > LIMIT_SECONDS) process.exitCode = 1;
		}
		const [broken] = await apply(['PRAGMA foreign_key_check']);
		console.log(`${broken?.results.length} broken foreign keys`);
		if (broken?.results.length !== 0) process.exitCode = 1;
	});
} finally {
	rmSync(folder, { recursive: true, force: true });
}

type Apply = (statements: readonly string[]) => Promise<D1Result[]>;

async function withD1(use: (apply: Apply, cpuMs: () => number) => Promise<void>): Promise<void> {
	const { db, stop } = await openLocalD1(folder);
	const workerd = childNamed('workerd');
	await use(
		(statements) => db.batch(statements.map((statement) => db.prepare(statement))),
		() => cpuOf(workerd) / 1_000,
	);
	await stop();
}

/** Writes directly to the file, because it would take an hour through D1. */
function seed(): void {
	const [file] = readdirSync(join(folder, 'd1', 'miniflare-D1DatabaseObject')).filter((name) => /^[0-9a-f]+\.sqlite$/.test(name));
	if (file === undefined) throw new Error('The file of the local D1 is not in the expected folder');
	const sqlite = new DatabaseSync(join(folder, 'd1', 'miniflare-D1DatabaseObject', file), {
		enableForeignKeyConstraints: false,
		enableDoubleQuotedStringLiterals: true,
	});
	seedTables(sqlite, ROWS);
	sqlite.close();
}
