import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { atInstant } from '../support/at-instant.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver } from '../support/deliver.ts';
import { faultyDb, losingTrips, refusing } from '../../testing/d1/failing.ts';
import { whileCommissionsFail } from '../support/failing-commissions.ts';
import { aLead, balanceOf, rows } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, outcomeOf, receive, send, type StripeFunnel, tickAt, work } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { api } from '../support/world.ts';

// After any fault between receipt and settlement, an event takes effect once. If it cannot, that is visible.

async function aPayment(funnel: StripeFunnel) {
	const story = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
	return { story, event: story.checkout.completed() };
}

const salesOf = ({ id }: StripeFunnel) => rows('SELECT refunded_cents FROM affiliate_sale_events WHERE program_id = ?', id);
const deadLettersOf = ({ id }: StripeFunnel) =>
	rows<{ id: number; reason: string; replayed_at: number | null }>(
		'SELECT id, reason, replayed_at FROM dead_letters WHERE program_id = ?',
		id,
	);

async function whileSalesFail<Result>({ id }: StripeFunnel, work_: () => Promise<Result>): Promise<Result> {
	await env.DB.prepare(
		`CREATE TRIGGER fail_sales_of_${id} BEFORE INSERT ON affiliate_sale_events WHEN NEW.program_id = ${id}
		BEGIN SELECT RAISE(ABORT, 'no sale today'); END`,
	).run();
	try {
		return await work_();
	} finally {
		await env.DB.prepare(`DROP TRIGGER fail_sales_of_${id}`).run();
	}
}

describe('a consumer that dies', () => {
	test.each([1, 2, 3])('at its write %i leaves nothing half done, and the next one completes it', async (from) => {
		const funnel = await aStripeFunnel();
		const { story, event } = await aPayment(funnel);
		await send(funnel, story.first.refund(5_000).created());
		const { messages } = await receive(funnel, event);
		const dying = faultyDb(env.DB, (trip) => (trip >= from ? 'never arrives' : undefined));
		const delivery = messages.map((body) => ({ body }));
		const { acked, retried } = await deliver('affiliate-effects', delivery, { DB: dying, EFFECTS: holdingQueue() });
		// The queue delivers the message again, unless everything was written before the consumer died.
		expect([acked.length, retried.length]).toEqual(from > 1 ? [1, 0] : [0, 1]);
		await work(messages);
		await tickAt(Date.now() + 2 * MINUTE_MS);
		expect((await inboxOf(funnel)).map(({ state }) => state)).toEqual(['applied', 'applied']);
		expect(await salesOf(funnel)).toEqual([{ refunded_cents: 5_000 }]);
		expect(await balanceOf(funnel)).toBe(1_000);
		await expectSoundLedger(funnel);
	});

	test.each([1, 2, 3])('its answer %i is lost: what it wrote remains', async (lost) => {
		const funnel = await aStripeFunnel();
		const { story, event } = await aPayment(funnel);
		await send(funnel, story.first.refund(5_000).created());
		const { messages } = await receive(funnel, event);
		const DB = faultyDb(env.DB, (trip) => (trip === lost ? 'loses its answer' : undefined));
		await work(messages, { DB });
		await tickAt(Date.now() + 2 * MINUTE_MS);
		expect((await inboxOf(funnel)).map(({ state }) => state)).toEqual(['applied', 'applied']);
		expect(await salesOf(funnel)).toEqual([{ refunded_cents: 5_000 }]);
		expect(await balanceOf(funnel)).toBe(1_000);
	});

	test('before it checks a newly parked event once more: cron resumes it within a minute, however old it is', async () => {
		const funnel = await aStripeFunnel();
		const { story, event } = await aPayment(funnel);
		const refund = story.first.refund(5_000).created();
		const { messages } = await receive(funnel, refund);
		const hoursLater = Date.now() + 3 * HOUR_MS;
		await atInstant(hoursLater, async () => {
			// The sale arrives between the check and the consumer's last write, which parks the event.
			const DB = faultyDb(env.DB, async (trip) => {
				if (trip === 1) await send(funnel, event);
				return trip > 1 ? 'never arrives' : undefined;
			});
			const { retried } = await deliver(
				'affiliate-effects',
				messages.map((body) => ({ body })),
				{ DB, EFFECTS: holdingQueue() },
			);
			expect(retried).toHaveLength(1);
		});
		expect(await outcomeOf(funnel, refund)).toMatch(/^waiting/);
		await tickAt(hoursLater + MINUTE_MS);
		expect(await outcomeOf(funnel, refund)).toMatch(/^applied/);
		expect(await balanceOf(funnel)).toBe(1_000);
	});

	test('with the messages for the events that it resumed: cron sends them', async () => {
		const funnel = await aStripeFunnel();
		const { story, event } = await aPayment(funnel);
		const refund = story.first.refund(5_000).created();
		await send(funnel, refund);
		const { messages } = await receive(funnel, event);
		await deliver(
			'affiliate-effects',
			messages.map((body) => ({ body })),
			{ EFFECTS: holdingQueue() },
		);
		expect(await outcomeOf(funnel, refund)).toMatch(/^waiting/);
		await tickAt(Date.now());
		expect(await outcomeOf(funnel, refund)).toMatch(/^applied/);
	});
});

describe('a fault', () => {
	test('is retried with growing delays; the result is as if there had been none', async () => {
		const funnel = await aStripeFunnel();
		const { event } = await aPayment(funnel);
		await whileSalesFail(funnel, () => send(funnel, event));
		expect(await outcomeOf(funnel, event)).toMatch(/^received: Attempt 1 of 8 failed because of an internal fault/);
		const now = Date.now();
		await whileSalesFail(funnel, () => tickAt(now + MINUTE_MS));
		const [tried] = await inboxOf(funnel);
		expect([tried?.attempts, Date.parse(tried?.next_attempt_at ?? '') - now]).toEqual([2, 3 * MINUTE_MS]);
		await tickAt(now + 3 * MINUTE_MS);
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
	});

	test('in one event does not delay the others of its message', async () => {
		const [broken, sound] = [await aStripeFunnel(), await aStripeFunnel()];
		const [first, second] = [await aPayment(broken), await aPayment(sound)];
		await receive(broken, first.event);
		await receive(sound, second.event);
		const [{ id: firstId } = { id: 0 }] = await inboxOf(broken);
		const [{ id: secondId } = { id: 0 }] = await inboxOf(sound);
		await whileSalesFail(broken, () => work([{ version: 1, kind: 'processor_events', ids: [firstId, 999_999_999, secondId] }]));
		expect([await balanceOf(broken), await balanceOf(sound)]).toEqual([0, 2_000]);
	});

	test('of an event whose body cannot be read affects only that event, which fails after the last attempt', async () => {
		const funnel = await aStripeFunnel();
		const { event } = await aPayment(funnel);
		const { messages } = await receive(funnel, event);
		const [broken] = await rows<{ id: number }>(
			`INSERT INTO processor_events (program_id, processor, event_id, type, is_test, happened_at, received_at, payload, state, next_attempt_at, expires_at)
			SELECT program_id, processor, 'evt_broken', type, is_test, happened_at, received_at, '{', state, next_attempt_at, expires_at
			FROM processor_events WHERE event_id = ? RETURNING id`,
			event.id,
		);
		await work([{ version: 1, kind: 'processor_events', ids: [broken?.id] }, ...messages]);
		expect(await outcomeOf(funnel, { id: 'evt_broken' })).toMatch(/^received: Attempt 1 of 8 failed because of an internal fault/);
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Sale/);
		const now = Date.now();
		for (let minutes = 1; minutes <= 127; minutes = minutes * 2 + 1) await tickAt(now + minutes * MINUTE_MS);
		expect(await outcomeOf(funnel, { id: 'evt_broken' })).toMatch(/^failed: Gave up after 8 tries/);
		expect(await deadLettersOf(funnel)).toHaveLength(1);
	});

	test('that affects only the commission leaves the sale, and its event is settled', async () => {
		const funnel = await aStripeFunnel();
		const { event } = await aPayment(funnel);
		const log = vi.spyOn(console, 'error').mockReturnValue();
		await whileCommissionsFail(funnel, () => send(funnel, event));
		const [sale] = await rows<{ op_id: string }>('SELECT op_id FROM affiliate_sale_events WHERE program_id = ?', funnel.id);
		expect(log).toHaveBeenCalledWith(
			expect.stringContaining(`"event":"commission_failed","programId":${funnel.id},"opId":"${sale?.op_id}"`),
		);
		log.mockRestore();
		await tickAt(Date.now() + 2 * MINUTE_MS);
		expect((await inboxOf(funnel)).map(({ state }) => state)).toEqual(['applied']);
		expect(await salesOf(funnel)).toHaveLength(1);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('that interrupts a wait restarts the count of attempts', async () => {
		const funnel = await aStripeFunnel();
		const refund = stripeStory().first.refund().created();
		await send(funnel, refund);
		for (let minutes = 1; minutes <= 2 ** 10; minutes *= 2) await tickAt(Date.now() + minutes * MINUTE_MS);
		const [waiting] = await inboxOf(funnel);
		expect(waiting?.attempts).toBeGreaterThan(8);
		const message = { version: 1, kind: 'processor_events', ids: [waiting?.id] };
		await work([message], { DB: refusing(env.DB, 'sale_aliases') });
		expect(await inboxOf(funnel)).toMatchObject([{ state: 'received', attempts: 1 }]);
		await work([message]);
		expect(await inboxOf(funnel)).toMatchObject([{ state: 'waiting', attempts: 2 }]);
	});
});

async function aFailedEvent() {
	const funnel = await aStripeFunnel();
	const { event } = await aPayment(funnel);
	await whileSalesFail(funnel, () => send(funnel, event));
	const now = Date.now();
	await whileSalesFail(funnel, async () => {
		for (let minutes = 1; minutes <= 127; minutes = minutes * 2 + 1) await tickAt(now + minutes * MINUTE_MS);
	});
	return { funnel, event, failedAt: now + 127 * MINUTE_MS };
}

describe('an event whose attempts all failed', () => {
	test('is marked as failed with its own dead letter, and is not tried again', async () => {
		const { funnel, event, failedAt } = await aFailedEvent();
		expect(await outcomeOf(funnel, event)).toMatch(/^failed: Gave up after 8 tries: an internal fault/);
		expect(await deadLettersOf(funnel)).toMatchObject([{ replayed_at: null, reason: expect.stringMatching(/^Gave up after 8 tries/) }]);
		await tickAt(failedAt + 600 * MINUTE_MS);
		expect(await inboxOf(funnel)).toMatchObject([{ state: 'failed', attempts: 8, next_attempt_at: null }]);
	});

	test('is applied when its dead letter is replayed', async () => {
		const { funnel, event } = await aFailedEvent();
		const [deadLetter] = await deadLettersOf(funnel);
		const replayed = await api(`/api/v1/dead-letters/${deadLetter?.id}/replay`, { token: funnel.owner.token, method: 'POST' });
		expect(replayed.body.data).toMatchObject({ kind: 'processor_events', program_id: funnel.id });
		await tickAt(Date.now());
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Sale/);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('is applied when it is replayed in the inbox, which also settles the dead letter', async () => {
		const { funnel, event } = await aFailedEvent();
		const [failed] = await inboxOf(funnel);
		await api(`${funnel.path}/processor-events/${failed?.id}/replay`, { token: funnel.owner.token, method: 'POST' });
		expect(await deadLettersOf(funnel)).toMatchObject([{ replayed_at: expect.any(Number) }]);
		await tickAt(Date.now());
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Sale/);
	});

	test('fails again if the replay does not help, and its dead letter is open again', async () => {
		const { funnel, event, failedAt } = await aFailedEvent();
		const [failed] = await inboxOf(funnel);
		await whileSalesFail(funnel, async () => {
			await atInstant(failedAt, () =>
				api(`${funnel.path}/processor-events/${failed?.id}/replay`, { token: funnel.owner.token, method: 'POST' }),
			);
			for (let minutes = 0; minutes <= 127; minutes = minutes * 2 + 1) await tickAt(failedAt + minutes * MINUTE_MS);
		});
		expect(await outcomeOf(funnel, event)).toMatch(/^failed/);
		expect(await deadLettersOf(funnel)).toMatchObject([{ replayed_at: null }]);
	});
});

describe('a message that the queue gave up on', () => {
	test('makes a dead letter for each unsettled event, and for no other', async () => {
		const funnel = await aStripeFunnel();
		const [settled, waiting] = [await aPayment(funnel), stripeStory().first.refund().created()];
		await send(funnel, settled.event, waiting);
		const ids = (await inboxOf(funnel)).map(({ id }) => id);
		const body = { version: 1, kind: 'processor_events', ids: [...ids, 999_999_999] };
		await deliver('affiliate-dead-letters', [{ body }]);
		await deliver('affiliate-dead-letters', [{ body }]);
		expect(await deadLettersOf(funnel)).toMatchObject([{ reason: 'All retries failed', replayed_at: null }]);
	});

	test('is settled once its event is', async () => {
		const funnel = await aStripeFunnel();
		const { event } = await aPayment(funnel);
		const { messages } = await receive(funnel, event);
		expect(
			(
				await deliver(
					'affiliate-effects',
					messages.map((body) => ({ body })),
					{ DB: losingTrips(env.DB, 1_000) },
				)
			).retried,
		).toHaveLength(1);
		await deliver(
			'affiliate-dead-letters',
			messages.map((body) => ({ body })),
		);
		expect(await deadLettersOf(funnel)).toMatchObject([{ replayed_at: null }]);
		await tickAt(Date.now() + MINUTE_MS);
		expect(await outcomeOf(funnel, event)).toMatch(/^applied/);
		expect(await deadLettersOf(funnel)).toMatchObject([{ replayed_at: expect.any(Number) }]);
	});
});
