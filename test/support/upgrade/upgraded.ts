import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { app } from '../../../src/http/app.ts';
import { atInstant } from '../at-instant.ts';

// A test fills the database as an earlier version did, and then migrates it.

export type Row = Readonly<Record<string, unknown>>;
export type Tables = Readonly<Record<string, readonly Row[]>>;

export function upgradedIn(DB: D1Database) {
	async function rows<Found = Row>(sql: string): Promise<Found[]> {
		return (await DB.prepare(sql).all<Found>()).results;
	}
	return {
		rows,

		/** Inserts the rows unchanged, without triggers that would count them again. */
		insertRowsOfBefore: async (rowsOfBefore: string): Promise<void> => {
			const triggers = await rows<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
			const statements = [
				'PRAGMA defer_foreign_keys = ON',
				...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
				...rowsOfBefore.split(/(?<=;\n)/),
				...triggers.map(({ sql }) => sql),
			];
			await DB.batch(statements.map((statement) => DB.prepare(statement)));
		},

		/** Sorted by their values. */
		readTables: async (): Promise<Tables> => {
			const names = await rows<{ name: string }>(
				"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations'",
			);
			const tables: Record<string, Row[]> = {};
			for (const { name } of names) {
				const found = (await rows(`SELECT * FROM ${name}`)).map((row) => [JSON.stringify(Object.values(row)), row] as const);
				tables[name] = found.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
			}
			return tables;
		},

		askAt: (instant: number, path: string, token: string, accept: string): Promise<string> =>
			atInstant(instant, async () => {
				const execution = createExecutionContext();
				const request = new Request(`http://service.test${path}`, { headers: { Authorization: `Bearer ${token}`, Accept: accept } });
				const response = await app.fetch(request, { ...env, DB }, execution);
				await waitOnExecutionContext(execution);
				return response.text();
			}),
	};
}

/** Tables may store rows in any order. */
export function inOrder(unordered: readonly Row[]): Row[] {
	const textOf = (row: Row) => JSON.stringify(Object.entries(row).toSorted());
	return unordered.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

export function pick(row: Row, columns: readonly string[]): Row {
	return Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column)));
}
