import { beforeAll, describe, expect, test } from 'vitest';
import { bearer, trackWith } from '../support/bindings.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { aFunnel, aLead, aSale, balanceOf, type Funnel, rows, track } from '../support/funnel.ts';
import { unique } from '../support/world.ts';

// Contract, section 1 and 4.3; decisions 12 and 18: test records are flagged, have separate ids and change nothing real.

const inTestMode = { additional_data: { test_mode: true } };

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

function sell(overrides: Record<string, unknown> = {}, key = funnel.apiToken) {
	return track('sale', { ...inTestMode, ...overrides }, key);
}

function refund(transactionId: unknown, overrides: Record<string, unknown> = {}, key = funnel.apiToken) {
	return track('refund', { transaction_id: transactionId, ...inTestMode, ...overrides }, key);
}

function dataOf(answer: { body: Record<string, unknown> }): { eventId?: unknown } {
	const { data } = answer.body;
	return typeof data === 'object' && data !== null ? data : {};
}

async function stored(answer: { body: Record<string, unknown> }) {
	const [sale] = await rows('SELECT * FROM affiliate_sale_events WHERE id = ?', dataOf(answer).eventId);
	return sale ?? {};
}

/** Everything in the program that a test record must not change. */
async function realStateOf({ id, partnerProgramId }: Funnel) {
	return rows(
		`SELECT (SELECT count(*) FROM customers WHERE program_id = ?1) AS customers, (SELECT count(*) FROM commissions WHERE program_id = ?1) AS commissions,
			(SELECT count(*) FROM ledger_entries WHERE partner_program_id = ?2) AS entries, (SELECT count(*) FROM outbox WHERE program_id = ?1) AS effects,
			(SELECT count(*) FROM affiliate_sale_events WHERE program_id = ?1 AND is_test = 0) AS sales,
			(SELECT sum(refunded_cents) FROM affiliate_sale_events WHERE program_id = ?1) AS refunded,
			(SELECT count(*) FROM refund_events WHERE program_id = ?1 AND is_test = 0) AS refunds,
			(SELECT group_concat(status) FROM customers WHERE program_id = ?1) AS statuses`,
		id,
		partnerProgramId,
	);
}

describe('a test sale', () => {
	test('returns the id of its flagged row', async () => {
		const answer = await sell({ transaction_id: unique('txn'), amount_cents: 500, customer_key: 'whoever' });
		expect([answer.status, answer.body]).toEqual([
			200,
			{
				success: true,
				message: 'Test sale recorded. No real state was changed.',
				data: { eventId: expect.any(Number), programId: funnel.id, test_mode: true },
			},
		]);
		expect(await stored(answer)).toMatchObject({
			is_test: 1,
			amount_cents: 500,
			customer_id: null,
			commission_state: 'none',
			program_id: funnel.id,
		});
	});

	test.each([{}, { transaction_id: null, amount_cents: null }, { transaction_id: ' ' }])('needs no fields: %j', async (overrides) => {
		const sale = await stored(await sell(overrides));
		expect(sale).toMatchObject({ is_test: 1, amount_cents: 0, currency: 'USD' });
		expect(sale['processor_event_id']).toMatch(/^test_txn_\d{13,}$/);
	});

	test('keeps the fields that it has', async () => {
		const sale = await stored(await sell({ currency: 'eur', product_id: 'pro', line_items: { a: 1 }, sale_type: 'subscription' }));
		expect(sale).toMatchObject({ currency: 'EUR', product_id: 'pro', line_items: '{"a":1}', sale_type: 'subscription' });
	});

	test('changes nothing, for any buyer', async () => {
		const customerKey = await aLead(funnel);
		const before = await realStateOf(funnel);
		const EFFECTS = holdingQueue();
		for (const who of [{ customer_key: customerKey }, { customer_key: 'nobody' }, {}]) {
			const body = { ...inTestMode, amount_cents: 10_000, ...who };
			expect((await trackWith({ EFFECTS }, 'sale', body, bearer(funnel.apiToken))).status).toBe(200);
		}
		expect(await realStateOf(funnel)).toEqual(before);
		expect(EFFECTS.held).toEqual([]);
	});

	test.each([
		[{ transaction_id: 5 }, 'transaction_id is required and must be a string'],
		[{ amount_cents: 0 }, 'amount_cents is required and must be a positive integer'],
		[{ amount_cents: 1.5 }, 'amount_cents is required and must be a positive integer'],
		[{ currency: 'ZZZ' }, 'currency must be an ISO 4217 code, e.g. USD'],
	])('validates the fields that it has: %j', async (overrides, error) => {
		const { status, body } = await sell(overrides);
		expect([status, body]).toEqual([400, { error }]);
	});

	test('needs the key', async () => {
		expect((await track('sale', inTestMode)).status).toBe(401);
		expect((await sell({}, 'wrong')).status).toBe(401);
	});
});

describe('ids of test and real sales', () => {
	test('are separate: neither uses up the other', async () => {
		const real = await aSale(funnel);
		expect((await sell({ transaction_id: real.transactionId })).status).toBe(200);
		const id = unique('txn');
		expect((await sell({ transaction_id: id })).status).toBe(200);
		const sale = { transaction_id: id, amount_cents: 100, customer_key: await aLead(funnel) };
		expect((await track('sale', sale, funnel.apiToken)).status).toBe(200);
		expect((await track('sale', sale, funnel.apiToken)).status).toBe(409);
	});

	test('a test id is unique too', async () => {
		const id = unique('txn');
		expect((await sell({ transaction_id: id })).status).toBe(200);
		const { status, body } = await sell({ transaction_id: id });
		expect([status, body['error'], body['statusCode']]).toEqual([
			409,
			'Duplicate transaction_id. This sale has already been recorded.',
			409,
		]);
		const racing = unique('txn');
		const answers = await Promise.all(Array.from({ length: 20 }, () => sell({ transaction_id: racing })));
		expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
	});

	test('100 concurrent test sales without an id all get their own', async () => {
		const answers = await Promise.all(Array.from({ length: 100 }, () => sell()));
		expect(answers.every(({ status }) => status === 200)).toBe(true);
		expect(new Set(answers.map((answer) => dataOf(answer).eventId)).size).toBe(100);
	});
});

describe('test_mode', () => {
	test.each([['true'], [1], [0], ['false'], [{}], [[true]], ['']])(
		'%j is neither true nor false: 400, and nothing is written',
		async (test_mode) => {
			const id = unique('txn');
			const body = { transaction_id: id, amount_cents: 100, customer_key: await aLead(funnel), additional_data: { test_mode } };
			for (const route of ['sale', 'refund']) {
				const answer = await track(route, body, funnel.apiToken);
				expect([answer.status, answer.body]).toEqual([400, { error: 'additional_data.test_mode must be true or false' }]);
			}
			expect(await rows('SELECT id FROM affiliate_sale_events WHERE processor_event_id = ?', id)).toEqual([]);
		},
	);

	test('false or missing makes a real sale', async () => {
		for (const additional_data of [{ test_mode: false }, { test_mode: null }, {}, null, undefined, { note: 'x' }]) {
			const sale = { transaction_id: unique('txn'), amount_cents: 100, customer_key: await aLead(funnel), additional_data };
			const { status, body } = await track('sale', sale, funnel.apiToken);
			expect([status, body['commission_id']]).toEqual([200, expect.any(Number)]);
		}
	});
});

describe('a test refund', () => {
	test('finds only test sales, records a flagged row and changes nothing', async () => {
		const { transactionId } = await aSale(funnel);
		const balance = await balanceOf(funnel);
		expect((await refund(transactionId)).status).toBe(404);
		const sold = await sell({ transaction_id: transactionId, amount_cents: 400 });
		const before = await realStateOf(funnel);
		const EFFECTS = holdingQueue();
		const answer = await trackWith(
			{ EFFECTS },
			'refund',
			{ ...inTestMode, transaction_id: transactionId, refund_amount_cents: 900, refund_reason: 'Try' },
			bearer(funnel.apiToken),
		);
		expect([answer.status, answer.body]).toEqual([
			200,
			{
				success: true,
				message: 'Test refund recorded. No real state was changed.',
				data: { eventId: expect.any(Number), programId: funnel.id, test_mode: true },
			},
		]);
		expect(
			await rows(
				'SELECT sale_id, is_test, amount_cents, deduction_cents, outcome, reason FROM refund_events WHERE id = ?',
				dataOf(answer).eventId,
			),
		).toEqual([{ sale_id: dataOf(sold).eventId, is_test: 1, amount_cents: 400, deduction_cents: null, outcome: 'test', reason: 'Try' }]);
		expect(await realStateOf(funnel)).toEqual(before);
		expect([await balanceOf(funnel), EFFECTS.held]).toEqual([balance, []]);
		const real = await track('refund', { transaction_id: transactionId }, funnel.apiToken);
		expect(real.body).toMatchObject({ status: 'reversed', deductionAmount: 20 });
	});

	test('a real refund does not find a test sale', async () => {
		const id = unique('txn');
		await sell({ transaction_id: id, amount_cents: 400 });
		const { status, body } = await track('refund', { transaction_id: id }, funnel.apiToken);
		expect([status, body]).toEqual([404, { error: 'Sale not found for transaction_id' }]);
	});

	test('does not find a test sale of another program, and may be repeated', async () => {
		const other = await aFunnel();
		const id = unique('txn');
		await sell({ transaction_id: id, amount_cents: 400 }, other.apiToken);
		expect((await refund(id)).status).toBe(404);
		expect((await refund(id, { refund_id: 'r' }, other.apiToken)).status).toBe(200);
		expect((await refund(id, { refund_id: 'r' }, other.apiToken)).status).toBe(200);
	});
});
