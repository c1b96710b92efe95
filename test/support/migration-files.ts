import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../migrations');

/** The statements of all migrations, in order: those before the named one, and the rest. */
export function migrationsUpTo(name: string): { readonly before: readonly string[]; readonly since: readonly string[] } {
	const files = readdirSync(FOLDER)
		.filter((file) => file.endsWith('.sql'))
		.toSorted();
	const index = files.indexOf(`${name}.sql`);
	const statementsOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8').split('--> statement-breakpoint');
	return { before: files.slice(0, index).flatMap(statementsOf), since: files.slice(index).flatMap(statementsOf) };
}
