import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '../../migrations');

/** Applies the service's migrations to an empty database. */
export async function migrate(db: D1Database): Promise<void> {
	for (const file of readdirSync(FOLDER)
		.filter((name) => name.endsWith('.sql'))
		.toSorted()) {
		const statements = readFileSync(path.join(FOLDER, file), 'utf8').split('--> statement-breakpoint');
		await db.batch(statements.map((statement) => db.prepare(statement)));
	}
}
