import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { applyWaiting } from '../../src/notifications/apply-effects.ts';
import { atInstant } from '../support/at-instant.ts';
import { anOutage } from '../support/bindings.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { tick } from '../support/deliver.ts';
import { aSaleWithoutItsCommission } from '../support/failing-commissions.ts';
import { aHeldRefund, aHeldSale, countedOf, reportedOf, waitingOf } from '../support/effects.ts';
import { losingTrips } from '../../testing/d1/failing.ts';
import { aFunnel, aLead, aSale, type Funnel, rows } from '../support/funnel.ts';
import { api } from '../support/world.ts';

// Every minute the cron job applies waiting effects, creates due commissions and releases holds.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A tick takes the oldest rows first, so these must precede those of other tests. */
async function backdate(funnel: Funnel): Promise<number> {
	const createdAt = Date.UTC(2001, 0, 1);
	await env.DB.prepare('UPDATE outbox SET created_at = ? WHERE program_id = ?').bind(createdAt, funnel.id).run();
	return createdAt;
}

async function whileNobodyIsTold({ partnerId }: Funnel, work: () => Promise<unknown>): Promise<void> {
	const trigger = `refuse_notifications_of_${partnerId}`;
	await env.DB.prepare(
		`CREATE TRIGGER ${trigger} BEFORE INSERT ON notifications WHEN NEW.partner_id = ${partnerId}
		BEGIN SELECT RAISE(ABORT, 'no notification today'); END`,
	).run();
	try {
		await work();
	} finally {
		await env.DB.prepare(`DROP TRIGGER ${trigger}`).run();
	}
}

async function failuresOf(funnel: Funnel): Promise<string[]> {
	return (await waitingOf(funnel)).map(({ kind, failures }) => `${kind} ${failures}`);
}

test('waiting effects are applied at the next tick without a message; a failed one is retried after a minute, then at doubling intervals', async () => {
	const funnel = await aFunnel();
	await aHeldSale(funnel);
	const at = await backdate(funnel);
	const EFFECTS = holdingQueue();
	const tickAfter = (minutes: number, less = 0) => atInstant(at + minutes * MINUTE_MS - less, () => tick({ EFFECTS }));
	const all = ['USD 1 10000 0 2000 0'];
	await whileNobodyIsTold(funnel, async () => {
		await tickAfter(0);
		expect(await failuresOf(funnel)).toEqual(['commission_created 1']);
		for (const [minutes, failures] of [
			[1, 2],
			[3, 3],
			[7, 4],
		] as const) {
			await tickAfter(minutes, 1);
			expect(await failuresOf(funnel)).toEqual([`commission_created ${failures - 1}`]);
			await tickAfter(minutes);
			expect(await failuresOf(funnel)).toEqual([`commission_created ${failures}`]);
		}
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], all]);
	});
	await tickAfter(15, 1);
	expect(await failuresOf(funnel)).toEqual(['commission_created 4']);
	await tickAfter(15);
	expect([await waitingOf(funnel), await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], all, all]);
	expect(await rows('SELECT kind FROM notifications WHERE partner_id = ?', funnel.partnerId)).toEqual([{ kind: 'commission_created' }]);
	expect(EFFECTS.held).toEqual([]);
});

test('a row that has failed a thousand times waits practically forever', async () => {
	const funnel = await aFunnel();
	const at = await backdate(funnel);
	await env.DB.prepare('UPDATE outbox SET failures = 1000 WHERE program_id = ?').bind(funnel.id).run();
	await atInstant(at + 365 * DAY_MS, () => tick());
	expect(await failuresOf(funnel)).toEqual(['partner_joined 1000']);
});

/** Adds this many waiting leads to the program, dated before those of other tests. */
async function manyWaiting(funnel: Funnel, count: number): Promise<void> {
	await aLead(funnel);
	await backdate(funnel);
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
		INSERT INTO outbox (program_id, id, kind, subject_id, moves, referral_link_id, product_id, country, source, created_at)
		SELECT program_id, id || ':' || n.i, kind, subject_id, moves, referral_link_id, product_id, country, source, created_at + n.i
		FROM outbox JOIN n WHERE program_id = ?1 AND kind = 'lead_recorded'`,
	)
		.bind(funnel.id, count)
		.run();
}

async function leadsOf({ id }: Funnel): Promise<unknown[]> {
	const found = await rows(
		`SELECT sum(leads) AS leads, (SELECT sum(leads) FROM daily_breakdown WHERE program_id = ?1 AND dimension = 'link') AS by_link
		FROM daily_performance WHERE program_id = ?1`,
		id,
	);
	return found.map(({ leads, by_link }) => [leads, by_link]);
}

test('a tick applies thousands of waiting effects, a hundred at a time', async () => {
	const funnel = await aFunnel();
	await manyWaiting(funnel, 2_499);
	const DB = countingTrips(env.DB);
	const execution = { waitUntil: () => undefined };
	// The new partner adds one.
	expect(await applyWaiting(openContext({ ...env, DB }, execution, Date.UTC(2001, 0, 1) + HOUR_MS))).toBe(2_500);
	// One trip finds what is due; each hundred then takes one trip to read and one to write.
	expect(DB.trips()).toBe(1 + 2 * 25);
	expect([await waitingOf(funnel), await leadsOf(funnel)]).toEqual([[], [[2_499, 2_499]]]);
});

test('a failing effect ends the tick after its hundred, and does not delay the next tick', async () => {
	const [funnel, sound] = [await aFunnel(), await aFunnel()];
	await aHeldSale(funnel);
	await manyWaiting(sound, 1_200);
	const at = await backdate(funnel);
	const left = async () => (await waitingOf(sound)).length;
	await whileNobodyIsTold(funnel, async () => {
		await atInstant(at + 2_000, () => tick());
		expect(await failuresOf(funnel)).toEqual(['commission_created 1']);
		// Three of the hundred belong to the other program, and one to the partner who joined this one.
		expect([await left(), await leadsOf(sound)]).toEqual([1_201 - 97, [[96, 96]]]);
		await atInstant(at + 3_000, () => tick());
		expect([await left(), await leadsOf(sound)]).toEqual([0, [[1_200, 1_200]]]);
		expect(await failuresOf(funnel)).toEqual(['commission_created 1']);
	});
	await atInstant(at + MINUTE_MS, () => tick());
	expect([await waitingOf(funnel), await countedOf(funnel)]).toEqual([[], ['USD 1 10000 0 2000 0']]);
});

test('a commission is approved when its hold ends, not a millisecond before', async () => {
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

test('the end of a hold does not change rejected, refunded and approved commissions', async () => {
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

test('a kind of work that fails does not delay the others', async () => {
	const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 1 } });
	await aSale(funnel);
	await aSaleWithoutItsCommission(funnel);
	await env.DB.batch(
		['DELETE', 'UPDATE'].map((change) =>
			env.DB.prepare(
				`CREATE TRIGGER refuse_outbox_${change} BEFORE ${change} ON outbox BEGIN SELECT RAISE(ABORT, 'no effects today'); END`,
			),
		),
	);
	try {
		await atInstant(Date.now() + 2 * DAY_MS, () => tick({ EFFECTS: anOutage(env.EFFECTS) }));
	} finally {
		await env.DB.batch(['DELETE', 'UPDATE'].map((change) => env.DB.prepare(`DROP TRIGGER refuse_outbox_${change}`)));
	}
	expect((await failuresOf(funnel)).length).toBeGreaterThan(0);
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
	expect(await reportedOf(funnel)).toEqual(['USD 1 10000 0 0 0']);
	await tick();
	expect(await rows('SELECT status FROM commissions WHERE program_id = ?', funnel.id)).toEqual([{ status: 'approved' }]);
	// A tick applies effects before it creates the commission, so the commission's own effects wait for the next tick.
	await tick();
	const all = ['USD 1 10000 0 2000 0'];
	expect([await waitingOf(funnel), await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], all, all]);
});
