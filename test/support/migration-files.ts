import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../migrations');

export interface MigrationFile {
	/** Without its ending. */
	readonly name: string;
	readonly statements: readonly string[];
}

/** All migrations, in order. */
export function migrationFiles(): MigrationFile[] {
	const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
	return files.toSorted().map((file) => ({
		name: file.slice(0, -'.sql'.length),
		statements: readFileSync(join(FOLDER, file), 'utf8').split('--> statement-breakpoint'),
	}));
}

/** The statements of all migrations, in order: those before the named one, and the rest. */
export function migrationsUpTo(name: string): { readonly before: readonly string[]; readonly since: readonly string[] } {
	const files = migrationFiles();
	const index = files.findIndex((file) => file.name === name);
	return { before: statementsOf(files.slice(0, index)), since: statementsOf(files.slice(index)) };
}

function statementsOf(files: readonly MigrationFile[]): string[] {
	return files.flatMap(({ statements }) => statements);
}
