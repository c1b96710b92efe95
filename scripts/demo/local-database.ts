import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../testing/failure.ts';
import { migrationsAsOne } from '../../testing/migrations.ts';
import { ROOT } from '../../testing/root.ts';
import { runWrangler } from '../../testing/wrangler.ts';

/** Creates or migrates the local database of `wrangler dev`. Returns the number of applied migrations; 0 for a new database. */
export async function migrateLocally(persistTo: string | undefined, signal: AbortSignal): Promise<number> {
	const isNew = !existsSync(join(persistTo ?? join(ROOT, '.wrangler/state'), 'v3/d1'));
	return (isNew ? make : applyNew)(
		['DB', '--local', '--env', 'dev', ...(persistTo === undefined ? [] : ['--persist-to', persistTo])],
		signal,
	);
}

async function make(where: readonly string[], signal: AbortSignal): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-migrations-'));
	try {
		const file = join(folder, 'all.sql');
		writeFileSync(file, migrationsAsOne());
		await run(['d1', 'execute', ...where, '--yes', '--file', file], signal);
		return 0;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

async function applyNew(where: readonly string[], signal: AbortSignal): Promise<number> {
	const output = await run(['d1', 'migrations', 'apply', ...where], signal);
	// wrangler prints each migration both before and after it is applied.
	return new Set(output.match(/\b\d{4}_\w+\.sql\b/g)).size;
}

/** The line that `npm run dev` prints after migrating an existing database. */
export function migratedLine(count: number): string | undefined {
	return count === 0 ? undefined : `Applied ${count} migration${count === 1 ? '' : 's'} to the database.`;
}

async function run(args: readonly string[], signal: AbortSignal): Promise<string> {
	const { code, output } = await runWrangler(args, 'collect', { signal });
	if (code !== 0 && !signal.aborted) throw new Failure(`Could not migrate the local database:\n${output}`);
	return output;
}
