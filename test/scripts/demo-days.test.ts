import { beforeAll, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { dayOf, daysThrough } from '../../src/domain/calendar.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { fillDays } from '../../scripts/demo/days/fill-days.ts';
import { openD1, openSqlite, Statements } from '../../testing/d1/look-alike.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';

// What the demo's ninety days must contain, even with few visitors.

const NOW = Date.UTC(2026, 10, 18, 15, 42);
const sqlite = openSqlite();

beforeAll(async () => {
	const secrets = 'secret-of-the-demo-0001';
	await fillDays({ sqlite, secrets, password: 'grind finely at dawn', now: NOW, seed: 17, scale: 0.012 });
});

function column(sql: string): unknown[] {
	return sqlite
		.prepare(sql)
		.all()
		.map((row) => Object.values(row)[0]);
}

test.each([
	['commissions', 'status', ['approved', 'paid', 'pending', 'refunded', 'rejected', 'reversed']],
	['processor_events', 'state', ['applied', 'expired', 'failed', 'ignored', 'refused', 'waiting']],
	['partner_programs', 'status', ['active', 'ended', 'suspended']],
	['partner_applications', 'status', ['approved', 'declined', 'open']],
	['members', 'role', ['admin', 'member', 'owner']],
	['customers', 'status', ['conversion', 'lead']],
	['refusals', 'operation', ['lead', 'refund', 'sale']],
	['application_forms', 'mode', ['automatic', 'by_approval']],
])('%s have every %s', (table, name, states) => {
	expect(new Set(column(`SELECT ${name} FROM ${table}`))).toEqual(new Set(states));
});

test.each([
	[
		'an uncredited sale for each reason',
		5,
		'SELECT DISTINCT no_commission_reason FROM affiliate_sale_events WHERE no_commission_reason IS NOT NULL',
	],
	['a payout that is not sent', 1, 'SELECT 1 FROM payouts WHERE amount_cents > 0 AND sent_at IS NULL AND failed_at IS NULL LIMIT 1'],
	['a sent payout', 1, 'SELECT 1 FROM payouts WHERE sent_at IS NOT NULL AND failed_at IS NULL LIMIT 1'],
	['a failed payout', 1, 'SELECT 1 FROM payouts WHERE failed_at IS NOT NULL LIMIT 1'],
	['a payout that recovered a debt and paid the rest', 1, 'SELECT 1 FROM payouts WHERE recovered_cents > 0 AND amount_cents > 0 LIMIT 1'],
	['a payout that only recovered a debt', 1, 'SELECT 1 FROM payouts WHERE recovered_cents > 0 AND amount_cents = 0 LIMIT 1'],
	['a partner in debt', 1, 'SELECT 1 FROM partner_program_balances WHERE balance_cents < 0 LIMIT 1'],
	['payout details of each method', 3, 'SELECT DISTINCT method FROM payout_details'],
	['notifications, read and unread', 2, 'SELECT DISTINCT read_at IS NULL FROM notifications'],
	['dead letters, replayed and not', 2, 'SELECT DISTINCT replayed_at IS NULL FROM dead_letters'],
	['rules with versions', 1, 'SELECT 1 FROM commission_rules WHERE current_version >= 3'],
	['an archived rule', 1, 'SELECT archived_at FROM commission_rules WHERE archived_at IS NOT NULL'],
	['an archived link', 1, 'SELECT archived_at FROM referral_links WHERE archived_at IS NOT NULL'],
	[
		'an open invitation of a member',
		1,
		`SELECT 1 FROM invitations WHERE partner_id IS NULL AND accepted_at IS NULL AND expires_at > ${NOW}`,
	],
	['a deactivated member', 1, 'SELECT 1 FROM members WHERE deactivated_at IS NOT NULL'],
	['an erased customer', 1, 'SELECT 1 FROM customers WHERE erased_at IS NOT NULL'],
	['a test record next to a real one', 2, 'SELECT DISTINCT is_test FROM affiliate_sale_events'],
	['a refused origin', 1, 'SELECT 1 FROM refused_origins'],
	['sales in several currencies', 5, 'SELECT DISTINCT currency FROM affiliate_sale_events'],
	['a very long name', 1, 'SELECT 1 FROM partners WHERE length(name) > 100'],
])('there is %s', (_, count, sql) => {
	expect(column(sql)).toHaveLength(count);
});

test('the daily rows equal the events on each day of each program', async () => {
	const ctx = openContext(nodeBindings(openD1(new Statements(sqlite))), { waitUntil() {} }, NOW);
	const programs = sqlite.prepare('SELECT id, time_zone, created_at FROM programs').all();
	expect(programs).toHaveLength(2);
	for (const { id, time_zone, created_at } of programs) {
		const timeZone = String(time_zone);
		const days = daysThrough(dayOf(Number(created_at), timeZone), dayOf(NOW, timeZone));
		expect(days.length).toBeGreaterThanOrEqual(90);
		for (const day of days) expect(await rollUpDay(ctx, { id: Number(id), timeZone }, day), day).toBe(0);
	}
});

test('no work is left, and nothing happens in the future', () => {
	expect(column('SELECT id FROM outbox')).toEqual([]);
	const instants = {
		affiliate_click_events: 'clicked_at',
		affiliate_sale_events: 'created_at',
		audit_entries: 'at',
		commissions: 'created_at',
		payouts: 'sent_at',
	};
	for (const [table, instant] of Object.entries(instants))
		expect(column(`SELECT max(${instant}) FROM ${table}`)[0], table).toBeLessThanOrEqual(NOW);
});
