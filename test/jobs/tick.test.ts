import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { EffectsJob } from '../../src/job.ts';
import { atInstant } from '../support/at-instant.ts';
import { anOutage } from '../support/bindings.ts';
import { deliver, holdingQueue, tick } from '../support/deliver.ts';
import { aSaleWithoutItsCommission } from '../support/failing-commissions.ts';
import { aHeldRefund, aHeldSale } from '../support/effects.ts';
import { losingTrips } from '../support/faulty.ts';
import { aFunnel, aSale, type Funnel, rows } from '../support/funnel.ts';
import { api } from '../support/world.ts';

// What the clock does every minute: send again what has no effect yet, make what is owed, release what was on hold.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Moves the program's outbox rows to a time that no other test's rows are of: a tick takes the oldest ones first. */
async function backdate(funnel: Funnel): Promise<number> {
	const createdAt = Date.UTC(2001, 0, 1);
	await env.DB.prepare('UPDATE outbox SET created_at = ? WHERE program_id = ?').bind(createdAt, funnel.id).run();
	return createdAt;
}

/** The outbox rows of the program that a tick at that instant sends again. */
async function sweptAt(now: number, funnel: Funnel): Promise<unknown[]> {
	const EFFECTS = holdingQueue();
	await atInstant(now, () => tick({ EFFECTS }));
	const sent = EFFECTS.held.flatMap((message) => EffectsJob.parse(message).outboxIds);
	return rows('SELECT kind FROM outbox WHERE program_id = ? AND id IN (SELECT value FROM json_each(?))', funnel.id, JSON.stringify(sent));
}

test('outbox rows without effect are sent again after a minute, then after twice as long each time, until they have it', async () => {
	const funnel = await aFunnel();
	const sale = await aHeldSale(funnel);
	const at = await backdate(funnel);
	expect(await sweptAt(at + 59_999, funnel)).toEqual([]);
	expect(await sweptAt(at + 60_000, funnel)).toHaveLength(2);
	expect(await sweptAt(at + 119_999, funnel)).toEqual([]);
	expect(await sweptAt(at + 120_000, funnel)).toHaveLength(2);
	expect(await sweptAt(at + 239_999, funnel)).toEqual([]);
	expect(await sweptAt(at + HOUR_MS, funnel)).toHaveLength(2);
	await deliver(
		'affiliate-effects',
		sale.messages.map((body) => ({ body })),
	);
	expect(await sweptAt(at + 2 * HOUR_MS, funnel)).toEqual([]);
});

test('a sweep of many rows sends messages of a size that a consumer takes', async () => {
	const funnel = await aFunnel();
	const { transactionId } = await aHeldSale(funnel);
	for (let index = 0; index < 60; index += 1) await aHeldRefund(funnel, transactionId, { refund_id: `r${index}`, refund_amount_cents: 1 });
	const EFFECTS = holdingQueue();
	await atInstant((await backdate(funnel)) + HOUR_MS, () => tick({ EFFECTS }));
	const sizes = EFFECTS.held.map((message) => EffectsJob.parse(message).outboxIds.length);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(50);
	const { acked } = await deliver(
		'affiliate-effects',
		EFFECTS.held.map((body) => ({ body })),
	);
	expect(acked).toHaveLength(EFFECTS.held.length);
	expect(await rows('SELECT id FROM outbox WHERE program_id = ? AND done_at IS NULL', funnel.id)).toEqual([]);
	expect(await rows('SELECT refunded_cents FROM program_metrics WHERE program_id = ?', funnel.id)).toEqual([{ refunded_cents: 60 }]);
});

test('a commission is approved when its hold is over, not a millisecond before', async () => {
	const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 7 } });
	const { commissionId } = await aSale(funnel);
	const statusOf = async () => (await rows('SELECT status, hold_until, paid_at FROM commissions WHERE id = ?', commissionId))[0];
	const holdUntil = Number((await statusOf())?.['hold_until']);
	await atInstant(holdUntil - 1, () => tick());
	expect(await statusOf()).toMatchObject({ status: 'pending' });
	await atInstant(holdUntil, () => Promise.all([tick(), tick()]));
	expect(await statusOf()).toMatchObject({ status: 'approved', paid_at: null });
	await atInstant(holdUntil + DAY_MS, () => tick());
	expect(await statusOf()).toMatchObject({ status: 'approved' });
});

test('a hold that ends leaves rejected, refunded and approved commissions as they are', async () => {
	const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 1 } });
	const sales = [await aSale(funnel), await aSale(funnel), await aSale(funnel)];
	const decide = (verb: string, sale?: { commissionId: number | null }) =>
		api(`/api/v1/programs/${funnel.id}/commissions/${verb}`, { token: funnel.owner.token, body: { commission_ids: [sale?.commissionId] } });
	await decide('reject', sales[0]);
	await decide('approve', sales[1]);
	await aHeldRefund(funnel, sales[2]?.transactionId ?? '', { refund_amount_cents: 5_000 });
	const before = await rows('SELECT status, revision FROM commissions WHERE program_id = ? ORDER BY id', funnel.id);
	expect(before.map(({ status }) => status)).toEqual(['rejected', 'approved', 'refunded']);
	await atInstant(Date.now() + 2 * DAY_MS, () => tick());
	expect(await rows('SELECT status, revision FROM commissions WHERE program_id = ? ORDER BY id', funnel.id)).toEqual(before);
});

test('one kind of work that fails does not hold up the others', async () => {
	const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 1 } });
	await aSale(funnel);
	await aSaleWithoutItsCommission(funnel);
	await atInstant(Date.now() + 2 * DAY_MS, () => tick({ EFFECTS: anOutage(env.EFFECTS) }));
	expect(await rows('SELECT status FROM commissions WHERE program_id = ? ORDER BY id', funnel.id)).toEqual([
		{ status: 'approved' },
		{ status: 'approved' },
	]);
});

test('a tick without D1 ends quietly, and the next one does its work', async () => {
	const funnel = await aFunnel();
	await aSaleWithoutItsCommission(funnel);
	await tick({ DB: losingTrips(env.DB, 1_000) });
	await tick({ DB: anOutage(env.DB) });
	expect(await rows('SELECT id FROM commissions WHERE program_id = ?', funnel.id)).toEqual([]);
	await tick();
	expect(await rows('SELECT status FROM commissions WHERE program_id = ?', funnel.id)).toEqual([{ status: 'approved' }]);
});
