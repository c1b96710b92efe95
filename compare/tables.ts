import type { Twin } from './twin.ts';

interface Compared {
	readonly tables: number;
	readonly rows: number;
	/** The names of the tables that differ between the two databases. */
	readonly differing: readonly string[];
}

export async function differingTables({ d1, lookAlike }: Twin): Promise<Compared> {
	const [real, alike] = [await dump(d1), await dump(lookAlike)];
	const tables = [...new Set([...real.keys(), ...alike.keys()])];
	return {
		tables: tables.length,
		rows: [...real.values()].reduce((sum, { length }) => sum + length, 0),
		differing: tables.filter((table) => JSON.stringify(real.get(table)) !== JSON.stringify(alike.get(table))),
	};
}

/** Every row, with each value as an SQL literal, so that 5, 5.0 and '5' differ. */
async function dump(db: D1Database): Promise<Map<string, string[]>> {
	const tables = await namesOf(
		db,
		`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY name`,
	);
	const dumped = new Map<string, string[]>();
	for (const table of [...tables, 'sqlite_sequence']) {
		const columns = await namesOf(db, `SELECT name FROM pragma_table_info('${table}')`);
		// One text per row, because D1 returns at most a hundred columns.
		const row = columns.map((column) => `'${column}=' || quote("${column}")`).join(` || ' ' || `);
		const rows = await db.prepare(`SELECT ${row} AS text FROM "${table}" ORDER BY 1`).all<{ text: string }>();
		dumped.set(
			table,
			rows.results.map(({ text }) => text),
		);
	}
	return dumped;
}

async function namesOf(db: D1Database, query: string): Promise<string[]> {
	const { results } = await db.prepare(query).all<{ name: string }>();
	return results.map(({ name }) => name);
}
