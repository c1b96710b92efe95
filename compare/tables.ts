/** Every table with every row, each value as the literal that SQL would write: 5, 5.0 and '5' differ. */
export async function dump(db: D1Database): Promise<Map<string, string[]>> {
	const tables = await namesOf(
		db,
		`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY name`,
	);
	const dumped = new Map<string, string[]>();
	for (const table of [...tables, 'sqlite_sequence']) {
		const columns = await namesOf(db, `SELECT name FROM pragma_table_info('${table}')`);
		// One text per row: D1 answers at most a hundred columns, and has no wide functions.
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
