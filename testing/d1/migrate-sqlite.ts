import type { DatabaseSync } from 'node:sqlite';
import { migrationFiles } from '../migrations.ts';

/** Applying all migrations takes fifty times as long as reading these bytes. */
let image: Uint8Array | undefined;

/** `rewrite` may change a migration before it is applied. */
export function migrateSqlite(sqlite: DatabaseSync, rewrite?: (file: string, sql: string) => string): void {
	if (image && !rewrite) {
		sqlite.deserialize(image);
		return;
	}
	for (const statement of migrationFiles(rewrite).flatMap(({ statements }) => statements)) sqlite.exec(statement);
	if (!rewrite) image = sqlite.serialize();
}
