import { rows } from './funnel.ts';

/** Copies the newest matching row. `changed` gives new values of columns, as SQL. Returns the copy's id. */
export async function copyRow(table: string, condition: string, changed: Readonly<Record<string, string>> = {}): Promise<number> {
	const columns = (await rows<{ name: string }>('SELECT name FROM pragma_table_info(?)', table)).map(({ name }) => name);
	const copied = columns.filter((name) => name !== 'id').map((name) => ({ name, value: changed[name] ?? `"${name}"` }));
	const [copy] = await rows<{ id: number }>(
		`INSERT INTO ${table} (${copied.map(({ name }) => `"${name}"`).join(', ')})
		SELECT ${copied.map(({ value }) => value).join(', ')} FROM ${table} WHERE ${condition} ORDER BY id DESC LIMIT 1 RETURNING id`,
	);
	if (!copy) throw new Error(`${table} has no row to copy where ${condition}`);
	return copy.id;
}
