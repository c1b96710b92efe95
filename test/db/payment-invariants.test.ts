import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aFunnel, aSale, type Funnel } from '../support/funnel.ts';
import { aPayment, aReversalFact, type PaidSale, reportReversal, undone } from '../support/payments.ts';
import { unique } from '../support/world.ts';

// What the database itself refuses in payments, their ids and reversals (migrations/0004 and 0008).

let funnel: Funnel;
let paid: PaidSale;
beforeAll(async () => {
	funnel = await aFunnel();
	paid = await aPayment(funnel);
	const fact = aReversalFact([paid.ids.charge], 2_500, { id: 're_kept' });
	await reportReversal(funnel, fact);
	await reportReversal(funnel, undone(fact));
});

async function expectRefused(message: string, sql: string, ...values: unknown[]): Promise<void> {
	const done = env.DB.prepare(sql)
		.bind(...values)
		.run();
	await expect(done).rejects.toThrow(message);
}

const UPDATE = 'UPDATE affiliate_sale_events SET revision = revision + 1,';

describe('an id is a transaction_id or an alias, never both', () => {
	test('the second use is refused as taken', async () => {
		const alias = 'INSERT INTO sale_aliases (alias, is_test, sale_id, created_at) VALUES (?, 0, ?, 1)';
		await expectRefused('UNIQUE constraint failed', alias, paid.ids.intent, paid.receipt.saleId);
		await expectRefused('UNIQUE constraint failed', alias, paid.ids.charge, paid.receipt.saleId);
		await expectRefused(
			'UNIQUE constraint failed',
			`INSERT INTO affiliate_sale_events (program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency, sale_type,
				is_recurring, inside_window, commission_state, no_commission_reason, created_at, sale_day, op_id)
			SELECT program_id, ?, 0, customer_id, partner_program_id, 1, currency, sale_type, 0, 1, 'none', 'no_rule', 1, sale_day, ?
			FROM affiliate_sale_events WHERE id = ?`,
			paid.ids.charge,
			unique('op'),
			paid.receipt.saleId,
		);
	});

	test('and an alias never changes', async () => {
		await expectRefused('append-only', 'UPDATE sale_aliases SET sale_id = sale_id WHERE alias = ?', paid.ids.charge);
		await expectRefused('append-only', 'DELETE FROM sale_aliases WHERE alias = ?', paid.ids.charge);
	});
});

describe('a reversal reported by the processor never changes', () => {
	test.each([
		'amount_cents = 2499',
		'undone_at = NULL',
		"currency = 'EUR'",
		"reversal_id = 'x'",
		"kind = 'dispute'",
		'sale_id = sale_id - 1',
	])('%s', async (assignment) => {
		const sql = `UPDATE payment_reversals SET ${assignment} WHERE sale_id = ? AND reversal_id = 're_kept'`;
		await expectRefused('what the processor told is never untold', sql, paid.receipt.saleId);
	});

	test('and is never deleted', async () => {
		await expectRefused('never untold', 'DELETE FROM payment_reversals WHERE sale_id = ?', paid.receipt.saleId);
	});
});

describe('a sale', () => {
	test.each([
		['never changes its charge', 'charged_cents = 1'],
		['never changes its charge', 'charged_cents = NULL'],
		['never has an impossible report', 'reported_refund_cents = -1'],
		['never has an impossible report', 'reported_refund_cents = amount_cents + 1'],
	])('%s: %s', async (_, assignment) => {
		await expectRefused('what was reported and charged never changes', `${UPDATE} ${assignment} WHERE id = ?`, paid.receipt.saleId);
	});

	test('never changes its invoice', async () => {
		const { saleId } = await aSale(funnel);
		await env.DB.prepare(`${UPDATE} invoice_id = 'in_1' WHERE id = ?`).bind(saleId).run();
		await expectRefused('a sale stands for one invoice', `${UPDATE} invoice_id = 'in_2' WHERE id = ?`, saleId);
		await expectRefused('a sale stands for one invoice', `${UPDATE} invoice_id = NULL WHERE id = ?`, saleId);
	});
});

describe('a duplicate', () => {
	const whole = 'refunded_cents = amount_cents, duplicate_of_sale_id';
	const becomes = (saleId: number, of: number) => [`${UPDATE} ${whole} = ? WHERE id = ?`, of, saleId] as const;

	test('belongs to an earlier sale, and counts nothing', async () => {
		const [first, second] = [await aSale(funnel), await aSale(funnel)];
		await expectRefused('a duplicate counts nothing', ...becomes(first.saleId, second.saleId));
		await expectRefused('a duplicate counts nothing', ...becomes(first.saleId, first.saleId));
		await expectRefused('a duplicate counts nothing', `${UPDATE} duplicate_of_sale_id = ? WHERE id = ?`, first.saleId, second.saleId);
	});

	test('belongs to a sale of its program that is not a duplicate itself, and has no duplicates', async () => {
		const [first, second, third] = [await aSale(funnel), await aSale(funnel), await aSale(funnel)];
		const elsewhere = await aSale(await aFunnel());
		await expectRefused('a sale that is none itself', ...becomes(elsewhere.saleId, third.saleId));
		await env.DB.prepare(becomes(third.saleId, second.saleId)[0]).bind(second.saleId, third.saleId).run();
		await expectRefused('a sale that is none itself', ...becomes(second.saleId, first.saleId));
		const later = await aSale(funnel);
		await expectRefused('a sale that is none itself', ...becomes(later.saleId, third.saleId));
	});

	test('stays one', async () => {
		const [first, second] = [await aSale(funnel), await aSale(funnel)];
		await env.DB.prepare(becomes(second.saleId, first.saleId)[0]).bind(first.saleId, second.saleId).run();
		await expectRefused('a duplicate counts nothing', `${UPDATE} duplicate_of_sale_id = NULL WHERE id = ?`, second.saleId);
	});
});
