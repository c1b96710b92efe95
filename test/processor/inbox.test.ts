import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { purgePayloads } from '../../src/processor/purge-payloads.ts';
import { sweepEvents } from '../../src/processor/sweep-events.ts';
import { contextAt } from '../support/clock.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { aLead, balanceOf, rows } from '../support/funnel.ts';
import { aStripeFunnel, eventWith, inboxOf, outcomeOf, receive, send, type StripeFunnel, tickAt, work } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { aMember, api, type Owner, signUp } from '../support/world.ts';

// How users see and use the inbox, and how long it keeps events.

let funnel: StripeFunnel;
beforeAll(async () => {
	funnel = await aStripeFunnel();
});

async function aPaidCheckout(of: StripeFunnel) {
	const event = stripeStory({ metadata: { tracker_customer_key: await aLead(of) } }).checkout.completed();
	await send(of, event);
	const [row] = await inboxOf(of, `?event_id=${event.id}`);
	if (!row) throw new Error('The event was not received');
	return { event, row };
}

const read = (of: StripeFunnel, id: number, by: { readonly token: string } = of.owner) =>
	api<{ payload: unknown }>(`${of.path}/processor-events/${id}`, { token: by.token });
const replay = (of: StripeFunnel, id: number, by: { readonly token: string } = of.owner) =>
	api(`${of.path}/processor-events/${id}/replay`, { token: by.token, method: 'POST' });

async function bodyOf(id: number) {
	const [row] = await rows('SELECT payload IS NOT NULL AS kept FROM processor_events WHERE id = ?', id);
	return row;
}

describe('the list', () => {
	test('shows each event with its outcome', async () => {
		const { event, row } = await aPaidCheckout(funnel);
		const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
		expect(row).toEqual({
			id: expect.any(Number),
			processor: 'stripe',
			event_id: event.id,
			type: 'checkout.session.completed',
			test: false,
			state: 'applied',
			reason: expect.stringMatching(/^Sale \d+ recorded, commission \d+$/),
			sale_id: expect.any(Number),
			attempts: 1,
			happened_at: new Date(event.created * 1_000).toISOString(),
			received_at: instant,
			next_attempt_at: null,
			expires_at: instant,
			settled_at: instant,
			replayable: true,
		});
	});

	test('is newest first, paged, and filtered', async () => {
		const place = await aStripeFunnel();
		const story = stripeStory({ metadata: { tracker_customer_key: await aLead(place) } });
		const test_ = { ...story.checkout.expired(), livemode: false };
		const events = [story.checkout.completed(), story.first.chargeSucceeded(), story.checkout.expired(), test_];
		await send(place, ...events);
		const idsOf = async (query: string) => (await inboxOf(place, query)).map((event) => event.event_id);
		const newest = events.map(({ id }) => id).toReversed();
		expect(await idsOf('')).toEqual(newest);
		expect(await idsOf('?type=&event_id=')).toEqual(newest);
		expect(await idsOf('?test=true')).toEqual([test_.id]);
		expect(await idsOf('?test=false&type=checkout.session.expired')).toEqual([events[2]?.id]);
		expect(await idsOf('?state=applied')).toEqual([events[1]?.id, events[0]?.id]);
		expect(await idsOf(`?event_id=${events[1]?.id}`)).toEqual([events[1]?.id]);
		expect(await idsOf('?event_id=evt_none')).toEqual([]);

		const first = await api<{ event_id: string }[]>(`${place.path}/processor-events?limit=3`, { token: place.owner.token });
		await send(place, story.checkout.expired());
		const cursor = first.body.meta.next_cursor;
		const rest = await api<{ event_id: string }[]>(`${place.path}/processor-events?limit=3&cursor=${cursor}`, { token: place.owner.token });
		expect([...first.body.data, ...rest.body.data].map((event) => event.event_id)).toEqual(newest);
		expect(rest.body.meta.next_cursor).toBeNull();
	});

	test.each([
		['?state=done', 'state must be one of received, waiting, applied, ignored, refused, expired, failed'],
		['?test=1', 'test must be true or false'],
		['?event_id=%00', 'event_id must not contain control characters'],
		['?cursor=x', 'cursor must be a next_cursor or previous_cursor of this list'],
	])('refuses %s', async (query, error) => {
		const answer = await api(`${funnel.path}/processor-events${query}`, { token: funnel.owner.token });
		expect([answer.status, answer.body]).toEqual([400, { error }]);
	});
});

test('one event has its body as Stripe sent it', async () => {
	const { event, row } = await aPaidCheckout(funnel);
	const { status, body } = await read(funnel, row.id);
	expect([status, body.data]).toEqual([200, { ...row, payload: event }]);
});

describe('access', () => {
	let people: Record<'admin' | 'member' | 'stranger', Owner>;
	beforeAll(async () => {
		people = { admin: await aMember(funnel.owner, 'admin'), member: await aMember(funnel.owner, 'member'), stranger: await signUp() };
	});

	test('members see the list; bodies and replays are for owners and admins; outsiders see nothing', async () => {
		const { row } = await aPaidCheckout(funnel);
		const statusesOf = async (by: { readonly token: string }) => [
			(await api(`${funnel.path}/processor-events`, { token: by.token })).status,
			(await read(funnel, row.id, by)).status,
			(await replay(funnel, row.id, by)).status,
		];
		expect(await statusesOf(people.admin)).toEqual([200, 200, 200]);
		expect(await statusesOf(people.member)).toEqual([200, 403, 403]);
		expect(await statusesOf(people.stranger)).toEqual([403, 403, 403]);
		expect(await statusesOf({ token: 'nobody' })).toEqual([401, 401, 401]);
	});

	test('an event of another program is not found', async () => {
		const other = await aStripeFunnel();
		const { row } = await aPaidCheckout(other);
		expect((await read(funnel, row.id)).body.error).toBe('Event not found');
		expect((await replay(funnel, row.id)).status).toBe(404);
		expect((await inboxOf(funnel, `?event_id=${row.event_id}`)).length).toBe(0);
		expect(await inboxOf(other)).toMatchObject([{ state: 'applied', attempts: 1 }]);
	});
});

describe('a replay', () => {
	test('of an applied event does not repeat the effect', async () => {
		const place = await aStripeFunnel();
		const { event, row } = await aPaidCheckout(place);
		const answer = await replay(place, row.id);
		expect([answer.status, answer.body.data]).toMatchObject([200, { state: 'received', reason: null, attempts: 0, settled_at: null }]);
		await tickAt(Date.now());
		expect(await outcomeOf(place, event)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
		expect(await balanceOf(place)).toBe(2_000);
		const audited = await rows(
			"SELECT user_id, detail FROM audit_entries WHERE action = 'processor_event.replay' AND subject_id = ?",
			row.id,
		);
		expect(audited).toEqual([
			{
				user_id: place.owner.userId,
				detail: JSON.stringify({ eventId: event.id, type: 'checkout.session.completed', state: 'applied' }),
			},
		]);
	});

	test('applies a refused event once the cause is fixed, with a new wait', async () => {
		const place = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(place), program_id: '1000000' };
		const refused = stripeStory({ metadata }).checkout.completed();
		const expired = stripeStory().first.refund().created();
		await send(place, refused, expired);
		const later = Date.now() + 4 * DAY_MS + MINUTE_MS;
		await tickAt(later);
		for (const event of await inboxOf(place)) await replay(place, event.id);
		await tickAt(Date.now());
		const [second, first] = await inboxOf(place);
		expect([first?.state, second?.state]).toEqual(['refused', 'waiting']);
		expect(Date.parse(second?.expires_at ?? '')).toBeGreaterThan(Date.now() + 3 * DAY_MS);
	});

	test('that races another replay or the processing is harmless', async () => {
		const place = await aStripeFunnel();
		const { row } = await aPaidCheckout(place);
		const message = { version: 1, kind: 'processor_events', ids: [row.id] };
		await Promise.all([replay(place, row.id), replay(place, row.id), work([message]), replay(place, row.id), work([message])]);
		await tickAt(Date.now() + MINUTE_MS);
		expect(await inboxOf(place)).toMatchObject([{ state: 'applied' }]);
		expect(await balanceOf(place)).toBe(2_000);
	});
});

describe('the bodies', () => {
	const PAYLOAD_DAYS = 30;

	test('of settled events are purged when they are old enough; the outcomes remain', async () => {
		const place = await aStripeFunnel();
		const { event, row } = await aPaidCheckout(place);
		const settledAt = Date.parse(row.settled_at ?? '');
		// One tick purges only a few hundred events, so those of other tests are purged first.
		await purgePayloads(contextAt(settledAt + PAYLOAD_DAYS * DAY_MS - 1), 100_000);
		await tickAt(settledAt + PAYLOAD_DAYS * DAY_MS - 1);
		expect(await bodyOf(row.id)).toEqual({ kept: 1 });
		await tickAt(settledAt + PAYLOAD_DAYS * DAY_MS);
		expect(await bodyOf(row.id)).toEqual({ kept: 0 });
		const { body } = await read(place, row.id);
		expect(body.data).toEqual({ ...row, replayable: false, payload: null });
		const replayed = await replay(place, row.id);
		expect([replayed.status, replayed.body]).toEqual([409, { error: 'The body of this event was purged, so it cannot be replayed' }]);
		// A repeat is not stored again.
		await send(place, event);
		expect(await inboxOf(place)).toMatchObject([{ id: row.id, state: 'applied', replayable: false }]);
		expect(await balanceOf(place)).toBe(2_000);
	});

	test('of waiting events are kept, however old they are', async () => {
		const place = await aStripeFunnel();
		await send(place, stripeStory().first.refund().created());
		const [waiting] = await inboxOf(place);
		await purgePayloads(contextAt(Date.now() + 400 * DAY_MS), 10_000);
		expect(await bodyOf(waiting?.id ?? 0)).toEqual({ kept: 1 });
	});

	test.each([
		['1', 1],
		['0', 0],
		['soon', PAYLOAD_DAYS],
		['-1', PAYLOAD_DAYS],
	])('are kept for PROCESSOR_PAYLOAD_DAYS = %j: %i days', async (setting, days) => {
		const place = await aStripeFunnel();
		const { row } = await aPaidCheckout(place);
		const settledAt = Date.parse(row.settled_at ?? '');
		if (days > 0) await tickAt(settledAt + days * DAY_MS - 1, { PROCESSOR_PAYLOAD_DAYS: setting });
		expect(await bodyOf(row.id)).toEqual({ kept: 1 });
		await tickAt(settledAt + days * DAY_MS, { PROCESSOR_PAYLOAD_DAYS: setting });
		expect(await bodyOf(row.id)).toEqual({ kept: 0 });
	});
});

describe('the sweep', () => {
	test('claims the events due longest, up to its limit, and not twice in a minute', async () => {
		const place = await aStripeFunnel();
		const events = [1, 2, 3].map(() => eventWith(stripeStory().checkout.expired(), {}));
		for (const event of events) await receive(place, event);
		const ids = (await inboxOf(place)).map(({ id }) => id).toReversed();
		await env.DB.prepare('UPDATE processor_events SET next_attempt_at = id, revision = revision + 1 WHERE program_id = ?')
			.bind(place.id)
			.run();
		const sent = holdingQueue();
		const ctx = { ...contextAt(Date.now()), effects: sent };
		expect(await sweepEvents(ctx, 2)).toBe(2);
		expect(sent.held).toEqual([{ version: 1, kind: 'processor_events', ids: ids.slice(0, 2) }]);
		expect(await sweepEvents(ctx, 2)).toBeGreaterThanOrEqual(1);
		expect(await sweepEvents({ ...ctx, now: ctx.now + MINUTE_MS - 1 }, 1_000)).toBe(0);
	});

	test('splits many events into messages that a consumer can process', async () => {
		const place = await aStripeFunnel();
		for (let count = 0; count < 45; count += 1) await receive(place, stripeStory().checkout.expired());
		const sent = holdingQueue();
		await sweepEvents({ ...contextAt(Date.now() + MINUTE_MS), effects: sent }, 1_000);
		expect(Math.max(...sent.held.map((message) => JSON.stringify(message).split(',').length - 2))).toBeLessThanOrEqual(20);
		await work(sent.held);
		expect(await inboxOf(place, '?state=received')).toEqual([]);
	});
});
