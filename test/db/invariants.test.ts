import { beforeAll, describe, expect, test } from 'vitest';
import { aClick, aFunnel, aLead, aPaidSale, aPartner, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { expectRefused, run } from '../support/refused.ts';
import { aProgram, signUp, unique } from '../support/world.ts';

// The database itself refuses these writes from every caller: migrations/0001_invariants.sql and the checks of the tables.

let funnel: Funnel;
let sale: Awaited<ReturnType<typeof aSale>>;
beforeAll(async () => {
	funnel = await aFunnel();
	sale = await aPaidSale(funnel);
});

describe('append-only', () => {
	test.each([
		['ledger_entries', 'partner_program_id', () => funnel.partnerProgramId, 'operation', 'append-only'],
		['refund_events', 'program_id', () => funnel.id, 'op_id', 'append-only'],
		['audit_entries', 'program_id', () => funnel.id, 'action', 'append-only'],
	])('%s', async (table, column, value, text, error) => {
		const before = await rows(`SELECT * FROM ${table} WHERE ${column} = ?`, value());
		expect(before.length).toBeGreaterThan(0);
		await expectRefused(
			`${table}: ${error}`,
			[`UPDATE ${table} SET ${text} = 'other' WHERE ${column} = ?`, value()],
			[`DELETE FROM ${table} WHERE ${column} = ?`, value()],
		);
		expect(await rows(`SELECT * FROM ${table} WHERE ${column} = ?`, value())).toEqual(before);
	});

	test('versions of commission rules', async () => {
		const ofProgram = 'WHERE rule_id IN (SELECT id FROM commission_rules WHERE program_id = ?)';
		await expectRefused(
			'commission_rule_versions: append-only',
			[`UPDATE commission_rule_versions SET basis_points = 1 ${ofProgram}`, funnel.id],
			[`DELETE FROM commission_rule_versions ${ofProgram}`, funnel.id],
		);
	});

	test('rows whose ids were published stay, including tests, so that no id is used twice', async () => {
		const id = unique('txn');
		const test_mode = { additional_data: { test_mode: true } };
		await track('lead', { customer_key: unique('c'), ...test_mode }, funnel.apiToken);
		await track('sale', { transaction_id: id, ...test_mode }, funnel.apiToken);
		await track('refund', { transaction_id: id, ...test_mode }, funnel.apiToken);
		await expectRefused('affiliate_sale_events: sales stay', ['DELETE FROM affiliate_sale_events WHERE id = ?', sale.saleId]);
		await expectRefused('affiliate_sale_events: sales stay', ['DELETE FROM affiliate_sale_events WHERE processor_event_id = ?', id]);
		const ofTest = '(SELECT id FROM affiliate_sale_events WHERE processor_event_id = ?)';
		await expectRefused('refund_events: append-only', [`DELETE FROM refund_events WHERE sale_id = ${ofTest}`, id]);
		await expectRefused('affiliate_lead_events: stay', ['DELETE FROM affiliate_lead_events WHERE program_id = ?', funnel.id]);
		await expectRefused('customers: stay', ['DELETE FROM customers WHERE program_id = ?', funnel.id]);
		await expectRefused('commissions: stay', ['DELETE FROM commissions WHERE id = ?', sale.commissionId]);
		await run(
			"INSERT INTO notifications (partner_id, program_id, kind, detail, outbox_id, created_at) VALUES (?, ?, 'payout_made', '{}', 'x', 1)",
			funnel.partnerId,
			funnel.id,
		);
		await expectRefused('notifications: stay', ['DELETE FROM notifications WHERE program_id = ?', funnel.id]);
		await expectRefused('click_count: stays', ['DELETE FROM click_count']);
		await expectRefused('click_count: grows', ['UPDATE click_count SET clicks = clicks - 1']);
		await expectRefused('referral_links: archive instead', ['DELETE FROM referral_links WHERE short_link = ?', funnel.shortLink]);
		await expectRefused('members: deactivate instead', ['DELETE FROM members WHERE user_id = ?', funnel.owner.userId]);
	});

	test('nor does a row get another id', async () => {
		await expectRefused('what was sold never changes', [withAnotherId('affiliate_sale_events'), funnel.id]);
		await expectRefused('what was earned', [withAnotherId('commissions'), funnel.id]);
		await expectRefused('never go back', [withAnotherId('customers'), funnel.id]);
	});
});

describe('a row refers only to rows of its own program and mode', () => {
	const REFUND = `INSERT INTO refund_events (program_id, sale_id, is_test, amount_cents, outcome, created_at, refund_day, op_id)
		SELECT program_id, id + ?, is_test + ?, 1, 'no_commission', 1, sale_day, hex(randomblob(9)) FROM affiliate_sale_events WHERE id = ?`;
	const LEAD = `INSERT INTO affiliate_lead_events (program_id, customer_id, is_test, created_at, op_id)
		SELECT program_id + ?, id + ?, 0, 1, hex(randomblob(9)) FROM customers WHERE program_id = ?`;
	const ALIAS =
		'INSERT INTO sale_aliases (alias, is_test, sale_id, created_at) SELECT ?, is_test + ?, id + ?, 1 FROM affiliate_sale_events WHERE id = ?';
	const REVERSAL = `INSERT INTO payment_reversals (sale_id, kind, reversal_id, amount_cents, currency, happened_at)
		SELECT id + ?, 'refund', 're', 1, currency, 1 FROM affiliate_sale_events WHERE id = ?`;
	const SALE = `INSERT INTO affiliate_sale_events (program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency,
			sale_type, is_recurring, inside_window, commission_state, no_commission_reason, duplicate_of_sale_id, created_at, sale_day, op_id)
		SELECT program_id, hex(randomblob(9)), 0, customer_id + ?, partner_program_id, 1, currency, 'payment', 0, 1, 'none', 'no_rule', ?, 1, sale_day, ''
		FROM affiliate_sale_events WHERE id = ?`;
	const FAR = 1_000_000;

	test('refunds, leads, aliases, reversals and sales', async () => {
		const { saleId } = sale;
		await expectRefused('a refund is of a sale of its program', [REFUND, FAR, 0, saleId], [REFUND, 0, 1, saleId]);
		await expectRefused('a lead is of a customer of its program', [LEAD, 1, 0, funnel.id], [LEAD, 0, FAR, funnel.id]);
		await expectRefused('an alias is of a sale', [ALIAS, unique('a'), 0, FAR, saleId], [ALIAS, unique('a'), 1, 0, saleId]);
		await expectRefused('a reversal is of a real sale', [REVERSAL, FAR, saleId]);
		await expectRefused('a sale is of a customer of its program', [SALE, FAR, null, saleId], [SALE, 0, saleId, saleId]);
	});
});

describe('a stale revision', () => {
	test.each([
		['customers', 'UPDATE customers SET revision = revision WHERE program_id = ?'],
		['customers', 'UPDATE customers SET revision = revision + 2 WHERE program_id = ?'],
		['affiliate_sale_events', 'UPDATE affiliate_sale_events SET refunded_cents = 0 WHERE program_id = ?'],
		['affiliate_sale_events', "UPDATE affiliate_sale_events SET currency = 'EUR' WHERE program_id = ?"],
		['commissions', "UPDATE commissions SET status = 'pending', amount_cents = 0 WHERE program_id = ?"],
		['commissions', 'UPDATE commissions SET revision = 0 WHERE program_id = ?'],
	])('of %s is refused as such, even if more is wrong: %s', async (table, sql) => {
		await expectRefused(`stale revision: ${table}`, [sql, funnel.id]);
	});
});

describe('a customer', () => {
	test.each([
		["status = 'lead'", 'customers: status and attribution never go back'],
		["status = 'click', first_purchase_date = NULL", 'customers: status and attribution never go back'],
		[
			'click_id = NULL, partner_program_id = NULL, referral_link_id = NULL, clicked_at = NULL, click_sequence = NULL',
			'customers: status and attribution never go back',
		],
		["click_id = 'cust_1_2'", 'customers: status and attribution never go back'],
		["first_purchase_date = '2020-01-01'", 'customers: status and attribution never go back'],
		['program_id = program_id + 1', 'customers: status and attribution never go back'],
		['clicked_at = NULL', 'customers_attribution_whole'],
		["status = 'gone'", ''],
	])('never goes back: %s', async (assignment, error) => {
		await expectRefused(error, [`UPDATE customers SET ${assignment}, revision = revision + 1 WHERE program_id = ?`, funnel.id]);
	});

	test('keeps its key, unless only a page has claimed it and it has no sale', async () => {
		const [key, claimed] = [await aLead(funnel), unique('claimed')];
		const click_id = await aClick(funnel);
		await track('lead', { click_id, customer_key: claimed });
		const change = (assignment: string, of: string) =>
			[`UPDATE customers SET ${assignment}, revision = revision + 1 WHERE program_id = ? AND customer_key = ?`, funnel.id, of] as const;
		const moves = 'customers: a key moves only while a page alone has claimed it';
		await expectRefused(
			moves,
			change('customer_key = NULL', key),
			change("customer_key = 'other'", key),
			change("customer_key = 'other'", claimed),
		);
		await expectRefused('customers: only a new key can be a claim of a page', change('key_from_page = 1', key));
		await track('sale', { transaction_id: unique('txn'), amount_cents: 100, customer_key: claimed }, funnel.apiToken);
		await expectRefused(moves, change('customer_key = NULL, key_from_page = 0', claimed));
		const other = unique('claimed');
		await track('lead', { click_id: await aClick(funnel), customer_key: other });
		await expectRefused('customers: only a new key can be a claim of a page', change('customer_key = NULL', other));
		await run(...change('customer_key = NULL, key_from_page = 0', other));
		expect(await rows('SELECT id FROM customers WHERE customer_key = ?', other)).toEqual([]);
	});

	test('has a key or a click, and no two have the same key', async () => {
		const key = await aLead(funnel);
		const insert = 'INSERT INTO customers (program_id, customer_key, status, created_at) VALUES (?, ?, ?, 0)';
		await expectRefused('customers_named', [insert, funnel.id, null, 'lead']);
		await expectRefused('customers_conversion_dated', [insert, funnel.id, unique('key'), 'conversion']);
		await expectRefused('UNIQUE', [insert, funnel.id, key, 'lead']);
	});
});

describe('a program', () => {
	test('keeps its currency after the first sale, its time zone after the first event', async () => {
		const fresh = await aFunnel();
		await run("UPDATE programs SET currency = 'EUR', time_zone = 'Europe/Berlin' WHERE id = ?", fresh.id);
		await track('lead', { customer_key: unique('key') }, fresh.apiToken);
		await expectRefused('programs: time_zone is fixed after the first event', [
			"UPDATE programs SET time_zone = 'UTC' WHERE id = ?",
			fresh.id,
		]);
		await run("UPDATE programs SET currency = 'USD', time_zone = 'Europe/Berlin' WHERE id = ?", fresh.id);
		await aSale(fresh);
		await expectRefused('programs: currency is fixed after the first sale', [
			"UPDATE programs SET currency = 'EUR' WHERE id = ?",
			fresh.id,
		]);
	});

	test('keeps its time zone after a click, even without other events', async () => {
		const fresh = await aFunnel();
		const clickId = await aClick(fresh);
		await expect
			.poll(() => rows('SELECT id FROM affiliate_click_events WHERE click_id = ?', clickId), { timeout: 300_000 })
			.toHaveLength(1);
		await expectRefused('programs: time_zone is fixed', ["UPDATE programs SET time_zone = 'Asia/Tokyo' WHERE id = ?", fresh.id]);
	});
});

test('a link may lose its partner, but never gets another partner, program or name', async () => {
	const place = await aFunnel();
	const other = await aPartner(place.owner, place.id);
	const error = 'referral_links: a link keeps its partner, program and short_link';
	const where = 'WHERE short_link = ?';
	await expectRefused(
		error,
		[`UPDATE referral_links SET partner_program_id = ? ${where}`, other.partnerProgramId, place.shortLink],
		[`UPDATE referral_links SET program_id = ? ${where}`, funnel.id, place.shortLink],
		[`UPDATE referral_links SET short_link = ? ${where}`, unique('link'), place.shortLink],
	);
	await run(`UPDATE referral_links SET partner_program_id = NULL ${where}`, place.shortLink);
	await expectRefused(error, [`UPDATE referral_links SET partner_program_id = ? ${where}`, place.partnerProgramId, place.shortLink]);
});

test('a workspace keeps its last active owner', async () => {
	const owner = await signUp();
	await aProgram(owner);
	const where = 'WHERE workspace_id = ? AND user_id = ?';
	const own = [owner.workspaceId, owner.userId];
	const error = 'members: the last owner stays';
	await expectRefused(
		error,
		[`UPDATE members SET role = 'admin' ${where}`, ...own],
		[`UPDATE members SET deactivated_at = 1 ${where}`, ...own],
	);
	const second = await signUp();
	await run(
		"INSERT INTO members (workspace_id, user_id, role, created_at, deactivated_at) VALUES (?, ?, 'owner', 0, 1)",
		owner.workspaceId,
		second.userId,
	);
	await expectRefused(error, [`UPDATE members SET role = 'member' ${where}`, ...own]);
	await run(`UPDATE members SET deactivated_at = NULL ${where}`, owner.workspaceId, second.userId);
	await run(`UPDATE members SET role = 'member' ${where}`, ...own);
	await expectRefused(error, [`UPDATE members SET role = 'admin' ${where}`, owner.workspaceId, second.userId]);
});

test('an invitation ends once, and an address has only one open invitation', async () => {
	const { workspaceId, userId } = await signUp();
	const invite = (token: string) =>
		[
			`INSERT INTO invitations (token_hash, workspace_id, email, role, invited_by, created_at, expires_at)
			VALUES (?, ?, 'guest@people.example', 'member', ?, 1, 2)`,
			token,
			workspaceId,
			userId,
		] as const;
	const [first, second] = [unique('hash'), unique('hash')];
	await run(...invite(first));
	await expectRefused('UNIQUE constraint failed', [...invite(second)]);
	await run('UPDATE invitations SET withdrawn_at = 1 WHERE token_hash = ?', first);
	await run(...invite(second));
	const accept = 'UPDATE invitations SET accepted_at = 1, accepted_by = ? WHERE token_hash = ?';
	await expectRefused('invitations: ended', [accept, userId, first]);
	await run(accept, userId, second);
	await expectRefused(
		'invitations: ended',
		[accept, userId, second],
		['UPDATE invitations SET withdrawn_at = 1 WHERE token_hash = ?', second],
	);
});

function withAnotherId(table: string): string {
	return `UPDATE ${table} SET id = id + 1000000, revision = revision + 1 WHERE program_id = ?`;
}
