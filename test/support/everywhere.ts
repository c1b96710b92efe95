import { env } from 'cloudflare:workers';

interface Table {
	readonly name: string;
	readonly columns: readonly string[];
}

let tables: Promise<Table[]> | undefined;

/** Read once, because the schema never changes. */
async function readTables(): Promise<Table[]> {
	const { results } = await env.DB.prepare(
		`SELECT t.name, json_group_array(c.name) AS columns FROM sqlite_master t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND t.name NOT GLOB '_cf_*' AND t.name NOT GLOB 'd1_*' GROUP BY t.name`,
	).all<{ name: string; columns: string }>();
	return results.map(({ name, columns }) => ({ name, columns: JSON.parse(columns) }));
}

/** The tables and columns that contain a text, in any letter case. */
export async function placesOf(text: string): Promise<string[]> {
	tables ??= readTables();
	const places: string[] = [];
	for (const { name, columns } of await tables) {
		const counts = columns.map((column) => `sum(instr(lower(CAST("${column}" AS TEXT)), ?1) > 0) AS "${column}"`);
		const found = await env.DB.prepare(`SELECT ${counts.join()} FROM "${name}"`)
			.bind(text.toLowerCase())
			.first<Record<string, number | null>>();
		for (const [column, count] of Object.entries(found ?? {})) if (count) places.push(`${name}.${column}`);
	}
	return places;
}
