import { beforeAll, describe, expect, test } from 'vitest';
import { aFunnel, aPaidSale, aPartner, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { expectRefused, run } from '../support/refused.ts';
import { unique } from '../support/world.ts';

// The database itself refuses these writes to sales and commissions from every caller.

let funnel: Funnel;
let sale: Awaited<ReturnType<typeof aSale>>;
beforeAll(async () => {
	funnel = await aFunnel();
	sale = await aPaidSale(funnel);
});

describe('a recorded sale', () => {
	test.each([
		'program_id = 0',
		"processor_event_id = 'x'",
		'is_test = 1',
		'customer_id = NULL',
		'partner_program_id = NULL',
		'amount_cents = 1',
		"currency = 'EUR'",
		'created_at = 1',
		"sale_day = '2020-01-01'",
		"op_id = 'x'",
		"commission_state = 'failed'",
	])('never changes: %s', async (assignment) => {
		await expectRefused('affiliate_sale_events: what was sold never changes', [
			`UPDATE affiliate_sale_events SET ${assignment}, revision = revision + 1 WHERE id = ?`,
			sale.saleId,
		]);
	});

	test.each([
		['refunded_cents = -1', 'affiliate_sale_events_refunded_range'],
		['refunded_cents = amount_cents + 1', 'affiliate_sale_events_refunded_range'],
		['refunded_cents = 0.5', 'affiliate_sale_events_refunded_range'],
		["owed_commission = '{}'", 'affiliate_sale_events_owed_given'],
		["no_commission_reason = 'no_rule'", 'affiliate_sale_events_reason_given'],
	])('never has %s', async (assignment, constraint) => {
		await expectRefused(constraint, [`UPDATE affiliate_sale_events SET ${assignment}, revision = revision + 1 WHERE id = ?`, sale.saleId]);
	});

	test.each([
		['amount_cents', 0, 'affiliate_sale_events_amount_range'],
		['amount_cents', 100_000_000_000, 'affiliate_sale_events_amount_range'],
		['amount_cents', 1.5, 'affiliate_sale_events_amount_range'],
		['processor_event_id', '', 'affiliate_sale_events_transaction_named'],
		['customer_id', null, 'affiliate_sale_events_customer_real'],
	])('never begins with %s %j', async (column, value, constraint) => {
		const columns = ['processor_event_id', 'amount_cents', 'customer_id'].filter((name) => name !== column);
		await expectRefused(constraint, [
			`INSERT INTO affiliate_sale_events (program_id, is_test, currency, sale_type, is_recurring, inside_window, commission_state, no_commission_reason, created_at, sale_day, op_id, ${columns.join(', ')}, ${column})
			SELECT program_id, 0, currency, sale_type, 0, 1, 'none', 'no_rule', 1, sale_day, ?1, ${columns.map((name) => (name === 'processor_event_id' ? '?1' : name)).join(', ')}, ?2
			FROM affiliate_sale_events WHERE id = ?3`,
			unique('op'),
			value,
			sale.saleId,
		]);
	});
});

describe('a commission begins', () => {
	const INSERT = `INSERT INTO commissions (program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status, deducted_cents, hold_until, created_at, created_day)
		SELECT ?2, ?3, s.id, (SELECT max(id) FROM commission_rule_versions), 5, ?4, ?5, ?6, 0, 0, '2026-01-01' FROM affiliate_sale_events s WHERE s.id = ?1`;

	test('pending or approved, for a real sale of its program, partner and currency, once', async () => {
		const place = await aFunnel({ commission: undefined });
		const { saleId } = await aSale(place);
		const sister = await aFunnel();
		const other = await aPartner(place.owner, place.id);
		const good: (string | number)[] = [place.id, place.partnerProgramId, 'USD', 'approved', 0];
		const error = 'commissions: a commission starts pending or approved, for a real sale of its program';
		for (const [index, value] of [
			[3, 'paid'],
			[3, 'rejected'],
			[3, 'refunded'],
			[3, 'reversed'],
			[4, 1],
			[2, 'EUR'],
			[0, sister.id],
			[1, sister.partnerProgramId],
			[1, other.partnerProgramId],
		] as const) {
			await expectRefused(error, [INSERT, saleId, ...good.with(index, value)]);
		}
		const tested = await track('sale', { additional_data: { test_mode: true } }, place.apiToken);
		const [testSale] = await rows<{ id: number }>(
			'SELECT max(id) AS id FROM affiliate_sale_events WHERE is_test = 1 AND program_id = ?',
			place.id,
		);
		expect(tested.status).toBe(200);
		await expectRefused(error, [INSERT, testSale?.id, ...good]);
		await run(INSERT, saleId, ...good);
		await expectRefused('UNIQUE', [INSERT, saleId, ...good]);
	});
});
