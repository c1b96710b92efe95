import { env } from 'cloudflare:workers';

/** The tables and columns of the database that contain a text, in any letter case. */
export async function placesOf(text: string): Promise<string[]> {
	const { results: tables } = await env.DB.prepare(
		"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'",
	).all<{ name: string }>();
	const places: string[] = [];
	for (const { name } of tables) {
		const { results: columns } = await env.DB.prepare(`SELECT name FROM pragma_table_info(?)`).bind(name).all<{ name: string }>();
		const counts = columns.map((column) => `sum(instr(lower(CAST("${column.name}" AS TEXT)), ?1) > 0) AS "${column.name}"`);
		const found = await env.DB.prepare(`SELECT ${counts.join()} FROM "${name}"`)
			.bind(text.toLowerCase())
			.first<Record<string, number | null>>();
		for (const [column, count] of Object.entries(found ?? {})) if (count) places.push(`${name}.${column}`);
	}
	return places;
}
