import type { DatabaseSync } from 'node:sqlite';
import { migrationFiles } from '../migrations.ts';

/** The migrated database as bytes, because applying all migrations takes fifty times as long as reading these. */
let image: Uint8Array | undefined;

/** Gives an empty database the service's tables and triggers. `rewrite` may change a migration before it is applied. */
export function migrateSqlite(sqlite: DatabaseSync, rewrite?: (file: string, sql: string) => string): void {
	if (image && !rewrite) {
		sqlite.deserialize(image);
		return;
	}
	for (const statement of migrationFiles(rewrite).flatMap(({ statements }) => statements)) sqlite.exec(statement);
	if (!rewrite) image = sqlite.serialize();
}
