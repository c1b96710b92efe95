import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openEmptySqlite } from '../../testing/d1/look-alike.ts';
import { migrationsUpTo } from '../../testing/migrations.ts';

// The migration that removes the triggers recalculates the metrics they kept, which repairs earlier drift.

const ROWS = readFileSync(join(import.meta.dirname, '../support/upgrade/rows.sql'), 'utf8');

test('drift is repaired in totals and in each value', () => {
	const figures = figuresUpgradedFrom('');
	expect(figures).toEqual(
		figuresUpgradedFrom(`
			UPDATE daily_performance SET leads = leads + 1, open_leads = 7, conversions = 0, partners = partners - 1, sales = 0, revenue_cents = 1,
				refunded_cents = 2, commission_cents = 3, deducted_cents = 4 WHERE program_id IN (701, 703);
			DELETE FROM daily_performance WHERE program_id = 702 AND clicks = 0;
			UPDATE daily_breakdown SET leads = leads + 1, conversions = 7, sales = 0, revenue_cents = 1, refunded_cents = 2, commission_cents = 3,
				deducted_cents = 4 WHERE program_id IN (701, 703);
			DELETE FROM daily_breakdown WHERE program_id = 702 AND clicks = 0;
			INSERT INTO daily_performance (program_id, day, currency, leads, sales) VALUES (704, '2026-01-01', 'USD', 1, 2);
			INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, leads, sales) VALUES (704, 'link', '2026-01-01', '307', 'USD', 1, 2);`),
	);
});

test('with more than a million customers or sales the metrics stay unchanged, and cron verifies them', () => {
	const drift = "UPDATE daily_performance SET sales = 9 WHERE program_id = 701; UPDATE daily_breakdown SET sales = 9 WHERE value = 'pro';";
	const million = "INSERT INTO customers (id, program_id, customer_key, status, created_at) VALUES (1000001, 704, 'one', 'click', 1);";
	const [repaired, kept] = [drift, drift + million]
		.map((done) => figuresUpgradedFrom(done))
		.map(({ totals, breakdown }) => [...totals, ...breakdown]);
	expect(repaired?.filter(({ sales }) => sales === 9)).toEqual([]);
	expect(kept?.filter(({ sales }) => sales === 9)).not.toEqual([]);
	expect(kept?.length).toBe(repaired?.length);
});

type Row = Readonly<Record<string, unknown>>;

/** The metrics after upgrading a database with these changes, without rows of zeros. */
function figuresUpgradedFrom(done: string): { readonly totals: readonly Row[]; readonly breakdown: readonly Row[] } {
	const sqlite = openEmptySqlite();
	const { before, since } = migrationsUpTo('0018_figures_behind_the_sale');
	for (const statement of before) sqlite.exec(statement);
	insertRowsOfBefore(sqlite);
	sqlite.exec(done);
	for (const statement of since) sqlite.exec(statement);
	return {
		totals: sqlite
			.prepare('SELECT * FROM daily_performance WHERE clicks + leads + conversions + partners + sales + commission_cents > 0')
			.all(),
		breakdown: sqlite.prepare('SELECT * FROM daily_breakdown WHERE clicks + leads + conversions + sales + commission_cents > 0').all(),
	};
}

/** Inserts the rows unchanged, without triggers that would count them again. */
function insertRowsOfBefore(sqlite: DatabaseSync): void {
	const triggers = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
	sqlite.exec('BEGIN; PRAGMA defer_foreign_keys = ON');
	for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${String(name)}`);
	sqlite.exec(ROWS);
	for (const { sql } of triggers) sqlite.exec(String(sql));
	sqlite.exec('COMMIT');
}
