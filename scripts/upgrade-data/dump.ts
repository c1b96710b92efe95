import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** INSERT statements for all rows, without password hashes. */
export function dump(sqlite: DatabaseSync): string {
	sqlite.exec("UPDATE users SET password_hash = '-'");
	const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid").all();
	return tables.map(({ name }) => insertOf(sqlite, String(name))).join('');
}

function insertOf(sqlite: DatabaseSync, table: string): string {
	const rows = sqlite.prepare(`SELECT * FROM ${table}`).all();
	const [first] = rows;
	if (!first) return '';
	const values = rows.map((row) => `(${Object.values(row).map(literalOf).join(', ')})`);
	return `INSERT INTO ${table} (${Object.keys(first).join(', ')}) VALUES\n${values.join(',\n')};\n`;
}

function literalOf(value: SQLOutputValue): string {
	if (value === null) return 'NULL';
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`.replaceAll('\n', "' || char(10) || '");
	return `X'${Buffer.from(value).toString('hex')}'`;
}
