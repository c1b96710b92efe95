import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openEmptySqlite } from '../../testing/d1/look-alike.ts';
import { migrationsUpTo } from '../../testing/migrations.ts';

// The migration rebuilds a ledger from before payouts paid a surplus, and loses nothing.

/** Others at least as strict replaced these constraints. */
const REPLACED = new Set(['ledger_entries_one_recovery', 'ledger_entries_one_credit', 'ledger_entries_by_account']);

test('earlier entries, payouts and balances and their constraints are kept', () => {
	const sqlite = openEmptySqlite();
	const { before, since } = migrationsUpTo('0017_payout_surplus');
	for (const statement of before) sqlite.exec(statement);
	seed(sqlite);
	const entries = sqlite.prepare('SELECT * FROM ledger_entries ORDER BY id');
	const kept = entries.all();
	expect(kept).toHaveLength(5);
	const guards = sqlite.prepare(`SELECT name FROM sqlite_schema
		WHERE type IN ('trigger', 'index') AND tbl_name IN ('ledger_entries', 'payouts', 'partner_program_balances') ORDER BY name`);
	const guardsBefore = guards.all().map(({ name }) => name);

	for (const statement of since) sqlite.exec(statement);

	expect(entries.all()).toEqual(kept);
	expect(sqlite.prepare('SELECT id, due_cents, surplus_cents, recovered_cents, amount_cents FROM payouts').all()).toEqual([
		{ id: 1, due_cents: 200, surplus_cents: 0, recovered_cents: 0, amount_cents: 200 },
		{ id: 2, due_cents: 60, surplus_cents: 0, recovered_cents: 60, amount_cents: 0 },
	]);
	expect(guards.all().map(({ name }) => name)).toEqual(expect.arrayContaining(guardsBefore.filter((name) => !REPLACED.has(String(name)))));
	expect(() => sqlite.exec('DELETE FROM ledger_entries')).toThrow('append-only');
	expect(() => sqlite.exec('UPDATE partner_program_balances SET balance_cents = 5')).toThrow('only the ledger moves a balance');
	expect(sqlite.prepare('PRAGMA foreign_key_check').all()).toEqual([]);

	sqlite.exec(`INSERT INTO payouts (id, program_id, partner_program_id, currency, due_cents, surplus_cents, recovered_cents, amount_cents, created_at, op_id)
		VALUES (3, 1, 1, 'USD', 60, 60, 0, 60, 1, 'op-8')`);
	for (const cents of [60, -59]) expect(() => sqlite.exec(surplus(cents))).toThrow('does not agree with its payout');
	sqlite.exec(surplus(-60));
	expect(() => sqlite.exec(surplus(-60))).toThrow('follow');
	// New entries continue the ids, and the balance follows them.
	expect(entries.all().at(-1)).toMatchObject({ id: 8, kind: 'surplus' });
	expect(sqlite.prepare('SELECT balance_cents FROM partner_program_balances').all()).toEqual([{ balance_cents: 0 }]);
});

function surplus(cents: number): string {
	return `INSERT INTO ledger_entries
		(partner_program_id, currency, kind, payout_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		VALUES (1, 'USD', 'surplus', 3, ${cents}, ${cents}, ${60 + cents}, 'op-8', 1)`;
}

/** A commission of 200 was paid, 60 of it were disputed and recovered, and then the dispute was won. */
function seed(sqlite: DatabaseSync): void {
	const enter = (id: number, kind: string, payout: number | null, cents: number, after: number, deducted?: number) => {
		if (deducted !== undefined) {
			const status = deducted > 0 ? "'refunded', status_before_refund = 'paid'" : "'paid', status_before_refund = NULL";
			sqlite.exec(`UPDATE commissions SET deducted_cents = ${deducted}, status = ${status}, revision = revision + 1`);
		}
		sqlite.exec(`INSERT INTO ledger_entries
			(id, partner_program_id, currency, kind, commission_id, payout_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
			VALUES (${id}, 1, 'USD', '${kind}', ${kind === 'recovery' ? null : 1}, ${payout}, ${cents}, ${cents}, ${after}, 'op-${id}', 1)`);
	};
	sqlite.exec(`
		INSERT INTO users (id, email, name, password_hash, created_at) VALUES (1, 'a@shop.example', 'Ada', '-', 1);
		INSERT INTO workspaces (id, name, created_at) VALUES (1, 'Shop', 1);
		INSERT INTO programs (id, workspace_id, name, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at)
			VALUES (1, 1, 'Shop', 'USD', 60, 'UTC', 1, 0, 0, 1);
		INSERT INTO commission_rules (id, program_id, current_version, created_at) VALUES (1, 1, 1, 1);
		INSERT INTO commission_rule_versions (id, rule_id, version, type, basis_points, hold_days, created_at) VALUES (1, 1, 1, 'percent', 2000, 0, 1);
		INSERT INTO partners (id, workspace_id, name, email, created_at) VALUES (1, 1, 'P', 'p@shop.example', 1);
		INSERT INTO partner_programs (id, program_id, partner_id, status, created_at) VALUES (1, 1, 1, 'active', 1);
		INSERT INTO referral_links (id, program_id, partner_program_id, short_link, created_at) VALUES (1, 1, 1, 'ann', 1);
		INSERT INTO customers (id, program_id, customer_key, status, first_purchase_date, partner_program_id, referral_link_id,
			click_id, clicked_at, click_sequence, created_at) VALUES (1, 1, 'buyer', 'conversion', '2026-05-02', 1, 1, 'click', 1, 0, 1);
		INSERT INTO affiliate_sale_events (id, program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency, sale_type, is_recurring, commission_state,
			inside_window, sale_day, op_id, created_at) VALUES (1, 1, 'txn-1', 0, 1, 1, 1000, 'USD', 'payment', 0, 'made', 1, '2026-05-02', 'sale-1', 1);
		INSERT INTO commissions (id, program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status, hold_until, created_at, created_day)
			VALUES (1, 1, 1, 1, 1, 200, 'USD', 'approved', 1, 1, '2026-05-02');
		INSERT INTO payouts (id, program_id, partner_program_id, currency, commission_cents, recovered_cents, amount_cents, created_at, op_id)
			VALUES (1, 1, 1, 'USD', 200, 0, 200, 1, 'op-2'), (2, 1, 1, 'USD', 60, 60, 0, 1, 'op-4');`);
	enter(1, 'credit', null, 200, 200);
	sqlite.exec("UPDATE commissions SET status = 'paid', paid_at = 1, payout_id = 1, revision = revision + 1");
	enter(2, 'payout', 1, -200, 0);
	enter(3, 'reversal', null, -60, -60, 60);
	enter(4, 'recovery', 2, 60, 0);
	enter(7, 'reinstatement', null, 60, 60, 0);
}
