import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { linkPayment } from '../../testing/service/payments.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { interrupted, losingAnswers } from '../../testing/d1/failing.ts';
import { aFunnel, aSale, balanceOf, type Funnel, rows, track } from '../support/funnel.ts';
import {
	aliasesOf,
	aPayment,
	aPaymentFact,
	aReversalFact,
	context,
	pay,
	paymentIds,
	stateOf,
	reportReversal,
} from '../support/payments.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { unique } from '../support/world.ts';

// Applies an event that only links some ids to one payment.

function link(funnel: Pick<Funnel, 'id'>, ids: readonly string[], { DB = env.DB, isTest = false } = {}): Promise<number | undefined> {
	return linkPayment(context(DB), funnel.id, isTest, { paymentIds: ids, invoiceId: undefined });
}

test('every later event with a new id finds the sale', async () => {
	const funnel = await aFunnel();
	const sale = await aSale(funnel);
	const [intent, charge] = [unique('pi'), unique('ch')];
	expect(await link(funnel, [sale.transactionId, intent])).toBe(sale.saleId);
	expect(await link(funnel, [intent, charge])).toBe(sale.saleId);
	expect(await aliasesOf(sale.saleId)).toEqual([charge, intent]);
	expect((await track('sale', { transaction_id: charge, amount_cents: 1, customer_key: 'x' }, funnel.apiToken)).status).toBe(409);
	expect(await reportReversal(funnel, aReversalFact([charge], 2_500))).toMatchObject({ saleId: sale.saleId, outcome: 'refunded' });
});

test('unknown ids return undefined, and nothing is stored', async () => {
	const [funnel, other] = [await aFunnel(), await aFunnel()];
	const { transactionId } = await aSale(other);
	expect(await link(funnel, [unique('pi'), unique('ch')])).toBeUndefined();
	expect(await link(funnel, [transactionId, unique('ch')])).toBeUndefined();
	expect(await aliasesOf((await aSale(other)).saleId)).toEqual([]);
});

test('ids of another program stay with it', async () => {
	const [funnel, other] = [await aFunnel(), await aFunnel()];
	const [own, foreign] = [await aSale(funnel), await aSale(other)];
	const fresh = unique('ch');
	expect(await link(funnel, [own.transactionId, foreign.transactionId, fresh])).toBe(own.saleId);
	expect(await aliasesOf(own.saleId)).toEqual([fresh]);
	expect([await stateOf(own.saleId), await stateOf(foreign.saleId)]).toEqual([
		'0 of 10000, approved 0 of 2000',
		'0 of 10000, approved 0 of 2000',
	]);
});

test('known ids take one trip and change nothing', async () => {
	const funnel = await aFunnel();
	const { ids, receipt } = await aPayment(funnel);
	const revision = () => rows('SELECT revision FROM affiliate_sale_events WHERE id = ?', receipt.saleId);
	const before = await revision();
	const DB = countingTrips(env.DB);
	expect(await link(funnel, [ids.charge, ids.intent], { DB })).toBe(receipt.saleId);
	expect([DB.trips(), await revision()]).toEqual([1, before]);
});

test('two sales are merged once, even if the answer is lost or in a race', async () => {
	const funnel = await aFunnel();
	for (const DB of [env.DB, losingAnswers(env.DB, 1), losingAnswers(env.DB, 3)]) {
		const [first, second] = [await aSale(funnel), await aSale(funnel)];
		const ids = [second.transactionId, first.transactionId];
		const linked = await Promise.all([link(funnel, ids, { DB }), link(funnel, ids), link(funnel, ids.toReversed())]);
		expect(linked).toEqual([first.saleId, first.saleId, first.saleId]);
		expect(await stateOf(second.saleId)).toBe('10000 of 10000, reversed 2000 of 2000');
		expect(await rows('SELECT id FROM refund_events WHERE sale_id IN (?, ?)', first.saleId, second.saleId)).toHaveLength(1);
	}
	expect(await balanceOf(funnel)).toBe(6_000);
	await expectSoundLedger(funnel);
});

test('a refund of the later sale between read and write counts for the earlier one', async () => {
	const funnel = await aFunnel();
	const [first, second] = [await aSale(funnel), await aSale(funnel)];
	const refund = { transaction_id: second.transactionId, refund_amount_cents: 2_500 };
	const DB = interrupted(env.DB, () => track('refund', refund, funnel.apiToken));
	await link(funnel, [first.transactionId, second.transactionId], { DB });
	expect([await stateOf(first.saleId), await stateOf(second.saleId)]).toEqual([
		'2500 of 10000, refunded 500 of 2000',
		'10000 of 10000, reversed 2000 of 2000',
	]);
	await expectSoundLedger(funnel);
});

test("without commission, the later sale's revenue is reversed too", async () => {
	const funnel = await aFunnel({ commission: undefined });
	const [first, second] = [await aSale(funnel), await aSale(funnel)];
	await link(funnel, [first.transactionId, second.transactionId]);
	expect(await stateOf(second.saleId)).toBe('10000 of 10000, no commission');
	expect(await stateOf(first.saleId)).toBe('0 of 10000, no commission');
});

test('in test mode only test sales match, and nothing is reversed', async () => {
	const funnel = await aFunnel();
	const [one, two] = [paymentIds(), paymentIds()];
	const { saleId } = await pay(funnel, aPaymentFact(one), {}, { isTest: true });
	await pay(funnel, aPaymentFact(two), {}, { isTest: true });
	const fresh = unique('ch');
	expect(await link(funnel, [one.intent, fresh])).toBeUndefined();
	expect(await link(funnel, [one.intent, two.intent, fresh], { isTest: true })).toBe(saleId);
	expect(await aliasesOf(saleId)).toContain(fresh);
	expect(await rows('SELECT id FROM refund_events WHERE program_id = ?', funnel.id)).toEqual([]);
});
