import type { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { openEmptySqlite } from '../../testing/d1/look-alike.ts';
import { migrationsUpTo } from '../../testing/migrations.ts';
import { seedTables } from '../../testing/d1/seed-tables.ts';

// The migration rebuilds tables without AUTOINCREMENT, WITHOUT ROWID and some indexes. No rows or constraints are lost. Each file takes a
// few seconds per million rows: bench/rebuild-scale.ts.

const TABLES = [
	'notifications',
	'ledger_entries',
	'refund_events',
	'affiliate_lead_events',
	'sale_aliases',
	'payment_reversals',
	'processor_events',
	'processor_event_waits',
	'processor_bindings',
	'commissions',
	'affiliate_sale_events',
	'customers',
	'affiliate_click_events',
];
/** No query uses them, or another index makes them redundant. */
const GONE = [
	'affiliate_click_events_click_id_unique',
	'affiliate_lead_events_by_customer',
	'commissions_by_day',
	'commissions_pending',
	'customers_by_first_purchase',
	'customers_by_signup',
	'ledger_entries_by_account',
	'ledger_entries_one_credit',
	'notifications_once_per_partner',
	'notifications_once_per_user',
	'notifications_unread_by_partner',
	'notifications_unread_by_user',
	'refund_events_by_sale',
	'refund_events_one_per_refund_id',
	'refund_events_one_without_refund_id',
	'sale_aliases_by_sale',
];
const ROWS = 30;
const sqlite = openEmptySqlite();
const rows = (query: string, ...values: (string | number)[]) => sqlite.prepare(query).all(...values);
const names = (type: string) =>
	rows("SELECT name FROM sqlite_schema WHERE type = ? AND name NOT GLOB 'sqlite_*' ORDER BY name", type).map(({ name }) => String(name));
const contents = () =>
	TABLES.map((table) => [table, columnsOf(table), rows(`SELECT ${columnsOf(table).join()} FROM ${table} ORDER BY 1, 2, 3`)]);
const references = () =>
	TABLES.flatMap((table) =>
		rows(`SELECT "from", "table" FROM pragma_foreign_key_list(?) ORDER BY 1`, table).map((key) => `${table}.${String(key['from'])}`),
	);

/** The original ones; later migrations add others. */
const columns = new Map<string, string[]>();
function columnsOf(table: string): string[] {
	const known = columns.get(table) ?? rows('SELECT name FROM pragma_table_info(?) ORDER BY name', table).map(({ name }) => String(name));
	columns.set(table, known);
	return known;
}

let before: { contents: unknown; triggers: string[]; indexes: string[]; references: string[] };
beforeAll(() => {
	const migrations = migrationsUpTo('0021_notifications_in_fewer_rows');
	for (const statement of migrations.before) sqlite.exec(statement);
	seedTables(sqlite, ROWS);
	// The newest click is deleted, and its number must not be reused.
	sqlite.exec(`DELETE FROM affiliate_click_events WHERE id = ${ROWS}`);
	before = { contents: contents(), triggers: names('trigger'), indexes: names('index'), references: references() };
	sqlite.exec('BEGIN');
	for (const statement of migrations.since) sqlite.exec(statement);
	sqlite.exec('COMMIT');
});

test('every row is unchanged', () => {
	for (const table of TABLES) expect(rows(`SELECT 1 FROM ${table}`).length, table).toBeGreaterThanOrEqual(ROWS - 1);
	expect(contents()).toEqual(before.contents);
});

test('triggers and indexes are recreated, except unused ones', () => {
	expect(names('trigger')).toEqual(expect.arrayContaining(before.triggers));
	expect(before.indexes.filter((name) => !names('index').includes(name))).toEqual(GONE);
});

test('foreign keys are kept, except those that slowed the rebuild of sales, commissions and customers', () => {
	expect(before.references.filter((key) => !references().includes(key))).toEqual([
		'ledger_entries.commission_id',
		'refund_events.sale_id',
		'affiliate_lead_events.customer_id',
		'sale_aliases.sale_id',
		'payment_reversals.sale_id',
		'processor_events.sale_id',
		'commissions.sale_id',
		'affiliate_sale_events.customer_id',
		'affiliate_sale_events.duplicate_of_sale_id',
	]);
	expect(rows('PRAGMA foreign_key_check')).toEqual([]);
});

test('ids continue, without a stored sequence', () => {
	const counted = TABLES.filter((table) => columnsOf(table).includes('id'));
	expect(counted.filter((table) => rows('SELECT 1 FROM sqlite_sequence WHERE name = ?', table).length > 0)).toEqual([]);
	expect(rows('SELECT clicks FROM click_count')).toEqual([{ clicks: ROWS }]);
	sqlite.exec(`INSERT INTO customers (program_id, customer_key, status, created_at) VALUES (1, 'next', 'lead', 1)`);
	expect(rows('SELECT max(id) AS id FROM customers')).toEqual([{ id: ROWS + 1 }]);
});

test('the unique constraints of the ledger and of refunds still apply', () => {
	const credit = `INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, b.balance_cents + applied_cents, ?, 1
		FROM ledger_entries JOIN partner_program_balances b USING (partner_program_id, currency) WHERE kind = ? AND commission_id = 2`;
	const again = (kind: string) => () => sqlite.prepare(credit).run(kind === 'credit' ? 'other' : operationOf(sqlite), kind);
	expect(again('credit')).toThrow('UNIQUE constraint failed');
	expect(again('reversal')).toThrow('UNIQUE constraint failed');
	expect(refund('re_3', 'endpoint')).toThrow('UNIQUE constraint failed');
	refund(null, 'endpoint')();
	expect(refund(null, 'endpoint')).toThrow('UNIQUE constraint failed');
	refund('re_3', 'processor')();
	refund('re_3', 'processor')();
});

function operationOf(of: DatabaseSync): string {
	return String(of.prepare("SELECT operation FROM ledger_entries WHERE kind = 'reversal' AND commission_id = 2").get()?.['operation']);
}

function refund(id: string | null, source: string): () => void {
	return () =>
		sqlite.exec(`INSERT INTO refund_events (program_id, sale_id, refund_id, is_test, amount_cents, outcome, created_at, refund_day, op_id, source)
			VALUES (1, 3, ${id === null ? 'NULL' : `'${id}'`}, 0, 1, 'refunded', 1, '2026-01-01', hex(randomblob(9)), '${source}')`);
}
