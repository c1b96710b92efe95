import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';

const FOLDER = join(ROOT, 'migrations');

export interface MigrationFile {
	/** Without the extension. */
	readonly name: string;
	readonly statements: readonly string[];
}

/** All migrations, in order. `rewrite` may change one before it is split into statements. */
export function migrationFiles(rewrite: (file: string, sql: string) => string = (_, sql) => sql): MigrationFile[] {
	const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
	return files.toSorted().map((file) => ({
		name: file.slice(0, -'.sql'.length),
		statements: rewrite(`migrations/${file}`, readFileSync(join(FOLDER, file), 'utf8')).split('--> statement-breakpoint'),
	}));
}

/** The statements before the named migration, and those from it onwards. */
export function migrationsUpTo(name: string): { readonly before: readonly string[]; readonly since: readonly string[] } {
	const files = migrationFiles();
	const index = files.findIndex((file) => file.name === name);
	return { before: statementsOf(files.slice(0, index)), since: statementsOf(files.slice(index)) };
}

/** wrangler records applied migrations here. */
export const APPLIED_TABLE = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
	id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/** Also records them as applied, because `wrangler d1 migrations apply` needs half a second for each. */
export function migrationsAsOne(all: readonly MigrationFile[] = migrationFiles()): string {
	const files = all.map(({ name, statements }) => [...statements, `INSERT INTO d1_migrations (name) VALUES ('${name}.sql')`]);
	return [APPLIED_TABLE, ...files.flat()].join(';\n');
}

/** Applies all migrations to an empty database, one batch per file. */
export async function migrate(db: D1Database): Promise<void> {
	for (const { statements } of migrationFiles()) await db.batch(statements.map((statement) => db.prepare(statement)));
}

function statementsOf(files: readonly MigrationFile[]): string[] {
	return files.flatMap(({ statements }) => statements);
}
