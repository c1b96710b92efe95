import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { applyEffects } from '../../src/notifications/apply-effects.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver, tick } from '../support/deliver.ts';
import { aHeldRefund, aHeldSale, applyHeld, countedOf, keysOf, kindsWaiting, reportedOf, waitingOf } from '../support/effects.ts';
import { losingAnswers, losingTrips } from '../../testing/d1/failing.ts';
import { aFunnel, type Funnel, rows } from '../support/funnel.ts';

// An outbox row stays until its effects are written. They are written once, however often and from wherever the row is processed.

let funnel: Funnel;
beforeEach(async () => {
	funnel = await aFunnel();
});

function context() {
	return openContext({ ...env, EFFECTS: holdingQueue() }, { waitUntil: () => undefined });
}

async function reportedReversalsOf({ partnerId }: Funnel): Promise<string[]> {
	const found = await rows<{ kind: string }>('SELECT kind FROM notifications WHERE partner_id = ? ORDER BY kind', partnerId);
	return found.map(({ kind }) => kind);
}

describe('the outbox', () => {
	test('has one row for a sale and its commission until it is applied; a change without a message waits for the tick', async () => {
		const silent = await aFunnel({ commission: undefined });
		const [sale, unpaid] = [await aHeldSale(funnel), await aHeldSale(silent)];
		expect(await kindsWaiting(funnel)).toEqual(['commission_created', 'lead_recorded', 'partner_joined']);
		expect(await kindsWaiting(silent)).toEqual(['lead_recorded', 'partner_joined', 'sale_recorded']);
		expect(sale.messages).toEqual([{ version: 2, kind: 'effects', rows: await keysOf(funnel, 'commission_created') }]);
		expect(unpaid.messages).toEqual([]);
		await applyHeld(sale);
		expect(await kindsWaiting(funnel)).toEqual(['lead_recorded', 'partner_joined']);
		await tick();
		expect([await kindsWaiting(funnel), await kindsWaiting(silent)]).toEqual([[], []]);
		const counts =
			'SELECT sum(leads), sum(open_leads), sum(conversions), sum(partners), sum(sales) FROM daily_performance WHERE program_id = ?';
		for (const { id } of [funnel, silent]) expect((await rows(counts, id)).map((row) => Object.values(row))).toEqual([[1, 0, 1, 1, 1]]);
	});

	test('applies a row once if messages and ticks run at the same time', async () => {
		await aHeldSale(funnel);
		const keys = await keysOf(funnel);
		expect(keys).toHaveLength(3);
		await Promise.all([applyEffects(context(), keys), tick(), applyEffects(context(), keys.toReversed()), tick()]);
		await applyEffects(context(), keys);
		expect(await waitingOf(funnel)).toEqual([]);
		expect(await countedOf(funnel)).toEqual(['USD 1 10000 0 2000 0']);
		expect(await reportedReversalsOf(funnel)).toHaveLength(1);
	});
});

describe('the effects of a message are applied once', () => {
	test('if it is delivered twice, one after the other or in parallel', async () => {
		const sale = await aHeldSale(funnel);
		const refund = await aHeldRefund(funnel, sale.transactionId);
		const [message] = sale.messages;
		await Promise.all([
			applyHeld(sale, refund),
			applyHeld(refund, sale),
			applyHeld(sale),
			deliver('affiliate-effects', [{ body: message }, { body: message }]),
		]);
		await applyHeld(sale, refund);
		expect(await countedOf(funnel)).toEqual(['USD 1 10000 10000 2000 2000']);
		expect(await reportedReversalsOf(funnel)).toEqual(['commission_created', 'commission_reversed']);
	});

	test('if two copies arrive together and the change notifies nobody', async () => {
		const place = await aFunnel({ commission: undefined });
		const sale = await aHeldSale(place);
		const refund = await aHeldRefund(place, sale.transactionId);
		await applyHeld(refund, refund);
		await applyEffects(context(), [...(await keysOf(place)), ...(await keysOf(place))]);
		expect([await waitingOf(place), await countedOf(place)]).toEqual([[], ['USD 1 10000 10000 0 0']]);
		expect(await rows('SELECT leads, conversions, partners FROM daily_performance WHERE program_id = ?', place.id)).toEqual([
			{ leads: 1, conversions: 1, partners: 1 },
		]);
	});

	test('if it is delivered after the tick', async () => {
		const sale = await aHeldSale(funnel);
		const refund = await aHeldRefund(funnel, sale.transactionId);
		await tick();
		expect(await waitingOf(funnel)).toEqual([]);
		await applyHeld(sale, refund);
		expect(await countedOf(funnel)).toEqual(['USD 1 10000 10000 2000 2000']);
		expect(await reportedReversalsOf(funnel)).toEqual(['commission_created', 'commission_reversed']);
	});

	test('if the answer is lost, and after a failed delivery', async () => {
		const sale = await aHeldSale(funnel);
		const messages = sale.messages.map((body) => ({ id: 'm1', body }));
		expect(await deliver('affiliate-effects', messages, { DB: losingTrips(env.DB, 100) })).toEqual({ acked: [], retried: ['m1'] });
		const all = ['USD 1 10000 0 2000 0'];
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], all]);
		expect(await deliver('affiliate-effects', messages, { DB: losingAnswers(env.DB, 100) })).toEqual({ acked: ['m1'], retried: [] });
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([all, all]);
	});

	test('and a missing row is acknowledged without effects', async () => {
		const body = { version: 2, kind: 'effects', rows: [[funnel.id, 'no such row']] };
		expect(await deliver('affiliate-effects', [{ id: 'm1', body }])).toEqual({ acked: ['m1'], retried: [] });
	});

	test('but a message of version 1 applies nothing, and the tick applies its rows', async () => {
		await aHeldSale(funnel);
		const waiting = await waitingOf(funnel);
		const body = { version: 1, kind: 'effects', outboxIds: waiting.map(({ id }) => id) };
		expect(await deliver('affiliate-effects', [{ id: 'm1', body }])).toEqual({ acked: ['m1'], retried: [] });
		expect(await waitingOf(funnel)).toEqual(waiting);
		await tick();
		expect([await waitingOf(funnel), await countedOf(funnel)]).toEqual([[], ['USD 1 10000 0 2000 0']]);
	});

	test('and only for a row of the named program', async () => {
		const [sale, other] = [await aHeldSale(funnel), await aFunnel()];
		const waiting = await waitingOf(funnel);
		await applyEffects(
			context(),
			waiting.map(({ id }) => [other.id, id]),
		);
		expect([await waitingOf(funnel), await countedOf(funnel)]).toEqual([waiting, []]);
		await applyHeld(sale);
		expect(await countedOf(funnel)).toEqual(['USD 1 10000 0 2000 0']);
	});

	test('even if it names more rows than D1 accepts parameters', async () => {
		const sale = await aHeldSale(funnel);
		const filling = Array.from({ length: 500 }, (_, index) => [funnel.id, `none:${index}`] as const);
		await applyEffects(context(), [...filling, ...(await keysOf(funnel))]);
		expect(sale.messages).toHaveLength(1);
		expect(await countedOf(funnel)).toEqual(['USD 1 10000 0 2000 0']);
	});

	test('and if one row fails, the others are applied and the message is retried', async () => {
		const other = await aFunnel();
		const [sale, next] = [await aHeldSale(funnel), await aHeldSale(other)];
		const body = { version: 2, kind: 'effects', rows: [...(await keysOf(funnel)), ...(await keysOf(other))] };
		await env.DB.prepare(
			`CREATE TRIGGER fail_notifications BEFORE INSERT ON notifications WHEN NEW.partner_id = ${funnel.partnerId}
			BEGIN SELECT RAISE(ABORT, 'no notification today'); END`,
		).run();
		expect(await deliver('affiliate-effects', [{ id: 'm1', body }])).toEqual({ acked: [], retried: ['m1'] });
		await env.DB.prepare('DROP TRIGGER fail_notifications').run();
		const all = ['USD 1 10000 0 2000 0'];
		expect([await countedOf(funnel), await countedOf(other)]).toEqual([[], all]);
		expect([await reportedOf(funnel), await reportedOf(other)]).toEqual([all, all]);
		// A failed delivery does not count as a failed tick, so the next tick processes the row.
		expect(await waitingOf(funnel)).toMatchObject([{ kind: 'commission_created', failures: 0 }]);
		await applyHeld(sale, next);
		expect(await countedOf(funnel)).toEqual(all);
	});
});
