import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { limitOf } from '../../testing/limits.ts';
import { atInstant } from '../support/at-instant.ts';
import { anOutage } from '../support/bindings.ts';
import { countingTrips, metered } from '../../testing/d1/metered.ts';
import { tick } from '../support/deliver.ts';
import { losingAnswers, losingTrips } from '../../testing/d1/failing.ts';
import { aLead, balanceOf, rows } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, post, receive, type StripeFunnel, tickAt, work } from '../support/inbox.ts';
import { signed, signingSecret } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { api, aProgram } from '../support/world.ts';

// Stripe's webhook stores a signed event once. An unsigned one changes nothing.

const MINUTE_MS = 60_000;
const RECEIVED = { received: true };

let funnel: StripeFunnel;
beforeAll(async () => {
	funnel = await aStripeFunnel();
});

const aCheckout = () => stripeStory().checkout.completed();
const stored = (event: { readonly id: string }) => rows('SELECT * FROM processor_events WHERE event_id = ? ORDER BY id', event.id);
const address = () => `/webhooks/stripe/${funnel.id}`;

test('a signed event is stored unchanged, and queued for processing', async () => {
	const event = aCheckout();
	const { body: sent } = signed(event, funnel.secret, Date.now());
	const before = Date.now();
	const { status, body, messages } = await receive(funnel, event);
	expect([status, body]).toEqual([200, RECEIVED]);
	const [row] = await stored(event);
	expect(messages).toEqual([{ version: 1, kind: 'processor_events', ids: [row?.['id']] }]);
	expect(row).toMatchObject({
		program_id: funnel.id,
		processor: 'stripe',
		type: 'checkout.session.completed',
		is_test: 0,
		happened_at: event.created * 1_000,
		payload: sent,
		state: 'received',
		reason: null,
		attempts: 0,
	});
	expect(Number(row?.['received_at'])).toBeGreaterThanOrEqual(before);
	expect(Number(row?.['next_attempt_at']) - Number(row?.['received_at'])).toBe(MINUTE_MS);
});

describe('a repeated event', () => {
	test('is stored once, and each delivery is acknowledged', async () => {
		const event = aCheckout();
		for (let time = 0; time < 3; time += 1) expect((await receive(funnel, event)).body).toEqual(RECEIVED);
		expect(await stored(event)).toHaveLength(1);
	});

	test('arriving in parallel is stored once', async () => {
		const event = aCheckout();
		const answers = await Promise.all(Array.from({ length: 5 }, () => receive(funnel, event)));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
		const [row, ...others] = await stored(event);
		expect([others, answers.flatMap(({ messages }) => messages)]).toEqual([
			[],
			[{ version: 1, kind: 'processor_events', ids: [row?.['id']] }],
		]);
	});

	test('at another program belongs to that program', async () => {
		const other = await aStripeFunnel();
		const event = aCheckout();
		await receive(funnel, event);
		await receive(other, event);
		expect((await stored(event)).map((row) => row['program_id'])).toEqual([funnel.id, other.id]);
	});

	test('is acknowledged if the first answer of the database was lost', async () => {
		const event = aCheckout();
		expect((await receive(funnel, event, { bindings: { DB: losingAnswers(env.DB) } })).status).toBe(200);
		expect(await stored(event)).toHaveLength(1);
	});
});

describe('an event that Stripe did not sign for this program is refused and leaves nothing', () => {
	const refused = { error: expect.stringMatching(/^The Stripe-Signature does not match this body, or is older than 5 minutes\. Check/) };

	test.each<[what: string, sending: () => Promise<Parameters<typeof receive>[2]> | Parameters<typeof receive>[2]]>([
		['with an invented secret', () => ({ secret: signingSecret() })],
		['with the secret of another program', async () => ({ secret: (await aStripeFunnel()).secret })],
		['for a truncated body', () => ({ alter: (body) => body.slice(0, -20) })],
		['for another amount', () => ({ alter: (body) => body.replace('"amount_total": 10000', '"amount_total": 10001') })],
		['for the same JSON in other bytes', () => ({ alter: (body) => JSON.stringify(JSON.parse(body)) })],
		['for a body that was not empty', () => ({ alter: () => '' })],
		['without a signature in its header', () => ({ headers: { 'Stripe-Signature': `t=${Math.floor(Date.now() / 1_000)}` } })],
		['with an invalid header', () => ({ headers: { 'Stripe-Signature': 'x'.repeat(5_000) } })],
		['with an empty header', () => ({ headers: { 'Stripe-Signature': '' } })],
		[
			'for the test clock only (v0)',
			() => ({ headers: { 'Stripe-Signature': `t=${Math.floor(Date.now() / 1_000)},v0=${'a'.repeat(64)}` } }),
		],
	])('signed %s', async (_what, sending) => {
		const event = aCheckout();
		const { status, body, messages } = await receive(funnel, event, await sending());
		expect([status, body, messages]).toEqual([400, refused, []]);
		expect(JSON.stringify(body)).not.toContain(funnel.secret.slice(6));
		expect(await stored(event)).toEqual([]);
	});

	test('not signed at all', async () => {
		const { status, body } = await post(address(), JSON.stringify(aCheckout()));
		expect([status, body]).toEqual([
			400,
			{ error: 'The Stripe-Signature header is missing: this address takes webhooks that Stripe has signed' },
		]);
	});

	test('signed more than five minutes ago', async () => {
		const event = aCheckout();
		const { status, body, messages } = await receive(funnel, event, { signedAt: Date.now() - 20 * MINUTE_MS });
		expect([status, body, messages]).toEqual([
			400,
			{
				error: expect.stringMatching(
					/^The signature is right, but the timestamp is 20 minutes behind the time here\. .* Correct the clock/,
				),
			},
			[],
		]);
		expect(await stored(event)).toEqual([]);
	});

	test('a flood of them costs one trip each, and hardly a write', async () => {
		const own = await aStripeFunnel();
		const flood = async (count: number) => {
			const DB = metered(env.DB);
			for (let call = 0; call < count; call += 1) await receive(own, aCheckout(), { secret: signingSecret(), bindings: { DB } });
			return DB.spent();
		};
		expect((await flood(16)).rowsWritten).toBeLessThanOrEqual(10);
		const { trips, rowsWritten, rowsRead } = await flood(15);
		expect([trips, rowsWritten]).toEqual([15, 0]);
		expect(rowsRead).toBeLessThanOrEqual(30);
	});

	test('up to five minutes old, or from a clock that is ahead, is accepted', async () => {
		for (const signedAt of [Date.now() - 298_000, Date.now() + 60_000]) {
			expect((await receive(funnel, aCheckout(), { signedAt })).status).toBe(200);
		}
	});
});

test.each<[what: string, body: unknown]>([
	['not JSON', 'hello'],
	['half an event', '{"id": "evt_1", "object": "event"'],
	['a list', []],
	['null', 'null'],
	['an object', { id: 'ch_1', object: 'charge' }],
	['a thin event', { id: 'evt_1', object: 'v2.core.event', type: 'v1.billing.meter.no_meter_found', created: '2026-11-01T00:00:00.000Z' }],
	['an event without an id', { object: 'event', type: 'charge.refunded', created: 1, livemode: true, data: { object: {} } }],
	[
		'an event with an id that is a number',
		{ id: 7, object: 'event', type: 'charge.refunded', created: 1, livemode: true, data: { object: {} } },
	],
	['an event without a type', { id: 'evt_none', object: 'event', created: 1, livemode: true, data: { object: {} } }],
	[
		'an event that is nested too deep',
		`{"id":"evt_deep","object":"event","type":"a","created":1,"livemode":true,"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
	],
	['an event without a time', { id: 'evt_none', object: 'event', type: 'charge.refunded', livemode: true, data: { object: {} } }],
	['an event with an impossible time', { id: 'evt_none', object: 'event', type: 'a', created: 1e15, livemode: true, data: { object: {} } }],
])('a signed body that is not an event is refused: %s', async (_what, sent) => {
	const before = await rows('SELECT count(*) AS n FROM processor_events WHERE program_id = ?', funnel.id);
	const { status, body } = await receive(funnel, sent);
	expect([status, body]).toEqual([400, { error: expect.any(String) }]);
	expect(await rows('SELECT count(*) AS n FROM processor_events WHERE program_id = ?', funnel.id)).toEqual(before);
});

test('an event of any type and content is stored and processed', async () => {
	const event = {
		id: `evt_${crypto.randomUUID()}`,
		object: 'event',
		type: 'invoice.upcoming',
		created: 1,
		livemode: true,
		data: { object: 7 },
	};
	await work((await receive(funnel, event)).messages);
	expect(await inboxOf(funnel, `?event_id=${event.id}`)).toMatchObject([{ state: 'ignored', reason: 'invoice.upcoming is not read' }]);
});

describe('while the signing secret is rotated', () => {
	test('the old and the new one are accepted, until the old one is removed', async () => {
		const rolling = await aStripeFunnel();
		const fresh = signingSecret();
		const put = (body: object) => api(`${rolling.path}/stripe`, { method: 'PUT', token: rolling.owner.token, body });
		await put({ webhook_secrets: [fresh, rolling.secret] });
		const statusesOf = async () => [
			(await receive(rolling, aCheckout())).status,
			(await receive(rolling, aCheckout(), { secret: fresh })).status,
			(await receive(rolling, aCheckout(), { secret: signingSecret() })).status,
		];
		expect(await statusesOf()).toEqual([200, 200, 400]);
		await put({ webhook_secret: fresh });
		expect(await statusesOf()).toEqual([400, 200, 400]);
	});

	test('Stripe signs with both at once', async () => {
		const event = aCheckout();
		const now = Date.now();
		const [old, fresh] = [signed(event, signingSecret(), now), signed(event, funnel.secret, now)];
		const header = `${old.header},${fresh.header.split(',')[1]}`;
		expect((await receive(funnel, event, { headers: { 'Stripe-Signature': header } })).status).toBe(200);
	});
});

describe('an address without a connection', () => {
	test('gives the same answer, whatever the reason', async () => {
		const [plain, ended, asleep] = [await aProgram(funnel.owner), await aStripeFunnel(), await aStripeFunnel()];
		await api(`${ended.path}/stripe`, { method: 'DELETE', token: funnel.owner.token });
		await api(asleep.path, { method: 'PATCH', token: funnel.owner.token, body: { active: false } });
		for (const id of [plain.id, ended.id, asleep.id, 999_999_999]) {
			const { status, body } = await receive({ ...funnel, id }, aCheckout());
			expect([status, body]).toEqual([404, { error: expect.stringMatching(/^No Stripe webhook is set up at this address/) }]);
		}
	});

	test.each(['0', '-1', '1.5', 'x', '1e3', '%00', '9'.repeat(30)])('refuses the id %s', async (id) => {
		expect((await post(`/webhooks/stripe/${id}`, '{}', { headers: { 'Stripe-Signature': 't=1,v1=a' } })).status).toBe(400);
	});

	test('cannot be called by pages of other sites', async () => {
		const answer = await api(address(), {
			method: 'OPTIONS',
			headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' },
		});
		expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([405, null]);
		expect((await api(address())).status).toBe(405);
	});
});

test("a flood from one address is limited before any trip, but Stripe's own address is not", async () => {
	const DB = countingTrips(env.DB);
	const limited = { DB, SERVER_LIMIT: limitOf(3) };
	const attacker = { 'CF-Connecting-IP': crypto.randomUUID() };
	const statuses: number[] = [];
	for (let call = 0; call < 5; call += 1) {
		const forged = { secret: signingSecret(), headers: attacker, bindings: limited };
		statuses.push((await receive(funnel, aCheckout(), forged)).status);
	}
	expect([statuses, DB.trips()]).toEqual([[400, 400, 400, 429, 429], 3]);
	const sending = { headers: { 'CF-Connecting-IP': crypto.randomUUID() }, bindings: limited };
	expect((await receive(funnel, aCheckout(), sending)).status).toBe(200);
});

describe('every acknowledged event is processed, even if', () => {
	test('its message is lost: the sweep sends it a minute later, not before', async () => {
		const story = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
		const event = story.checkout.completed();
		const balance = await balanceOf(funnel);
		expect((await receive(funnel, event, { bindings: { EFFECTS: anOutage(env.EFFECTS) } })).status).toBe(200);
		const now = Date.now();
		await tickAt(now + MINUTE_MS - 5_000);
		expect(await stored(event)).toMatchObject([{ state: 'received' }]);
		await tickAt(now + MINUTE_MS);
		expect(await stored(event)).toMatchObject([{ state: 'applied' }]);
		expect((await balanceOf(funnel)) - balance).toBe(2_000);
	});

	test('the queue fails during the sweep too: the next sweep sends it', async () => {
		const event = aCheckout();
		await receive(funnel, event);
		await atInstant(Date.now() + MINUTE_MS, () => tick({ EFFECTS: anOutage(env.EFFECTS) }));
		await tickAt(Date.now() + 3 * MINUTE_MS);
		expect((await stored(event))[0]).not.toMatchObject({ state: 'received' });
	});

	test('and an event that could not be stored is not acknowledged', async () => {
		const event = aCheckout();
		expect((await receive(funnel, event, { bindings: { DB: losingTrips(env.DB, 1_000) } })).status).toBe(500);
		expect((await receive(funnel, event, { bindings: { DB: anOutage(env.DB) } })).status).toBe(500);
		expect(await stored(event)).toEqual([]);
	});
});
