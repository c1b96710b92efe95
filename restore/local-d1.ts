import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openSqliteFile } from '../testing/d1/look-alike.ts';
import { Failure } from '../testing/failure.ts';
import { APPLIED_TABLE, migrationFiles } from '../testing/migrations.ts';
import { ROOT } from '../testing/root.ts';
import { runWrangler } from '../testing/wrangler.ts';

/** A local wrangler D1 database in its own folder. */
export class LocalD1 {
	readonly #folder: string;

	private constructor(folder: string) {
		this.#folder = folder;
	}

	/** Creates an empty database. */
	static async make(folder: string): Promise<LocalD1> {
		mkdirSync(folder);
		// `wrangler d1 export` looks for a local database only next to the configuration.
		copyFileSync(join(ROOT, 'wrangler.toml'), join(folder, 'wrangler.toml'));
		const made = new LocalD1(folder);
		await made.run(['d1', 'execute', 'DB', '--remote', '--command', 'SELECT 1']);
		return made;
	}

	/** Runs a command intended for a deployed database on this one. */
	async run(args: readonly string[]): Promise<void> {
		const [d1, what = '', _database, ...options] = args.filter((arg) => !['--remote', '--config', 'wrangler.deploy.toml'].includes(arg));
		const config = join(this.#folder, 'wrangler.toml');
		const { code, output } = await runWrangler([String(d1), what, 'DB', ...options, '--local', '--env=dev', '--config', config], 'collect');
		if (code !== 0) throw new Failure(`wrangler ${args.join(' ')} failed:\n${output}`);
	}

	/** Opens the database file. Nothing else may have it open. */
	open(): DatabaseSync {
		const folder = join(this.#folder, '.wrangler/state/v3/d1/miniflare-D1DatabaseObject');
		const [name, ...more] = readdirSync(folder).filter((file) => file.endsWith('.sqlite') && file !== 'metadata.sqlite');
		if (name === undefined || more.length > 0) throw new Error(`One database is expected in ${folder}`);
		const sqlite = openSqliteFile(join(folder, name));
		// If a crash destroys the database, it is simply created again.
		sqlite.exec('PRAGMA synchronous = OFF');
		return sqlite;
	}
}

/** Does the same as `wrangler d1 migrations apply`, which takes half a second per migration. */
export function migrate(sqlite: DatabaseSync): void {
	sqlite.exec(APPLIED_TABLE);
	const note = sqlite.prepare('INSERT INTO d1_migrations (name) VALUES (?)');
	for (const { name, statements } of migrationFiles()) {
		for (const statement of statements) sqlite.exec(statement);
		note.run(`${name}.sql`);
	}
}

/** Everything in a database: tables, indexes, triggers and all rows. */
export function contentsOf(sqlite: DatabaseSync): ReadonlyMap<string, readonly string[]> {
	const schema = sqlite
		.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE '_cf_%' AND sql IS NOT NULL ORDER BY name")
		.all();
	const definitions = schema.map(({ name, sql }) => `${String(name)}: ${String(sql).replace('IF NOT EXISTS ', '')}`);
	const tables = schema.flatMap(({ type, name }) => (type === 'table' ? [String(name)] : []));
	const rows = tables.map((table) => {
		const found = sqlite.prepare(`SELECT * FROM "${table}"`).all();
		return [table, found.map((row) => JSON.stringify(row)).toSorted()] as const;
	});
	return new Map([['the schema', definitions], ...rows]);
}
