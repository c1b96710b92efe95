import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { openSqliteFile } from '../../../testing/d1/look-alike.ts';
import { Failure } from '../../../testing/failure.ts';
import { ROOT } from '../../../testing/root.ts';
import { readLocalSecrets } from '../dev-vars.ts';
import { say } from '../terminal.ts';
import { demoFile } from '../world.ts';
import { fillDays } from './fill-days.ts';

export const Days = z.object({
	email: z.string(),
	partnerEmail: z.string(),
	password: z.string(),
	programId: z.int(),
	secondProgramId: z.int(),
});

/** The sign-ins and programs created for the ninety days. */
export type Days = z.infer<typeof Days>;

const SEED = 17;

/**
 * Returns the existing ninety days of the local database, or creates them in one transaction. No other process may have the database open.
 * Returns undefined if `signal` stopped it.
 */
export async function openDays(persistTo: string | undefined, signal: AbortSignal): Promise<Days | undefined> {
	const sqlite = openSqliteFile(databaseIn(persistTo));
	const file = join(dirname(demoFile(persistTo)), 'demo-days.json');
	try {
		const earlier = readDays(file);
		if (earlier && isThere(sqlite, earlier.email)) return earlier;
		if (isThere(sqlite, 'mara@northwind.example'))
			throw new Failure(`The ninety days exist, but their sign-in is missing: it was in ${file}. To start over, delete the data folder.`);
		return await makeDays(sqlite, file, signal);
	} finally {
		sqlite.close();
	}
}

async function makeDays(sqlite: DatabaseSync, file: string, signal: AbortSignal): Promise<Days | undefined> {
	const begun = performance.now();
	say('Creating ninety days of a shop. This takes about 20 seconds ...');
	const password = randomBytes(12).toString('base64url');
	// Partial data is useless, so it need not survive a crash.
	sqlite.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN IMMEDIATE');
	try {
		const filled = await fillDays({ sqlite, secrets: readLocalSecrets(), password, now: Date.now(), seed: SEED, scale: 1, signal });
		const days = { ...filled, password };
		writeFileSync(file, `${JSON.stringify(days, null, '\t')}\n`, { mode: 0o600 });
		sqlite.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
		say(`Created in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
		return days;
	} catch (error) {
		sqlite.exec('ROLLBACK');
		if (signal.aborted) return undefined;
		throw error;
	}
}

function readDays(file: string): Days | undefined {
	if (!existsSync(file)) return undefined;
	try {
		return Days.parse(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return undefined;
	}
}

function isThere(sqlite: DatabaseSync, email: string): boolean {
	return sqlite.prepare('SELECT 1 FROM users WHERE email = ?').get(email) !== undefined;
}

/** The file with the service's only database in wrangler's local D1. */
function databaseIn(persistTo: string | undefined): string {
	const folder = resolve(ROOT, persistTo ?? '.wrangler/state', 'v3/d1/miniflare-D1DatabaseObject');
	const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite') : [];
	const [name] = names;
	if (name === undefined || names.length > 1) throw new Failure(`Found ${names.length} databases in ${folder} instead of one`);
	return join(folder, name);
}
