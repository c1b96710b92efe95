import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../testing/failure.ts';
import { migrationsAsOne } from '../../testing/migrations.ts';
import { ROOT } from '../../testing/root.ts';
import { runWrangler } from '../../testing/wrangler.ts';

/** Makes the database of `wrangler dev` on this machine, or applies what is new to it. `signal` ends it early. */
export async function migrateLocally(persistTo: string | undefined, signal: AbortSignal): Promise<void> {
	const isNew = !existsSync(join(persistTo ?? join(ROOT, '.wrangler/state'), 'v3/d1'));
	await (isNew ? make : applyNew)(
		['DB', '--local', '--env', 'dev', ...(persistTo === undefined ? [] : ['--persist-to', persistTo])],
		signal,
	);
}

async function make(where: readonly string[], signal: AbortSignal): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-migrations-'));
	try {
		const file = join(folder, 'all.sql');
		writeFileSync(file, migrationsAsOne());
		await run(['d1', 'execute', ...where, '--yes', '--file', file], signal);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

async function applyNew(where: readonly string[], signal: AbortSignal): Promise<void> {
	await run(['d1', 'migrations', 'apply', ...where], signal);
}

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
	const { code, output } = await runWrangler(args, 'collect', { signal });
	if (code !== 0 && !signal.aborted) throw new Failure(`The local database could not be migrated:\n${output}`);
}
