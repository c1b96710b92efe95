import { isoOf } from '../../domain/instant.ts';

/** Internal columns are left out. Of a keyed hash, a row only says that there is one. */
const OWN = ['opId', 'revision', 'fingerprint', 'outboxId', 'emailHash'];
const JSON_COLUMNS = ['line_items', 'decision_facts', 'owed_commission', 'detail', 'body'];
const INSTANT = /_(?:at|until)$/;

/** A row under its column names: instants as ISO 8601, JSON parsed. */
export function rowOnWire(row: object): Record<string, unknown> {
	const shown = Object.entries(row).filter(([name]) => !OWN.includes(name));
	const fields = shown.map(([name, value]) => {
		const column = name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
		return [column, valueOnWire(column, value)];
	});
	return { ...Object.fromEntries(fields), ...('emailHash' in row ? { has_email_hash: row.emailHash !== null } : {}) };
}

function valueOnWire(column: string, value: unknown): unknown {
	if (typeof value === 'number' && INSTANT.test(column)) return isoOf(value);
	if (typeof value === 'string' && JSON_COLUMNS.includes(column)) return JSON.parse(value);
	return value;
}
