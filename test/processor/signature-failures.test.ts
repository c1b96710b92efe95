import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { refusing } from '../../testing/d1/failing.ts';
import { paddleStory } from '../../testing/paddle/story.ts';
import { signingSecret } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { readStatus } from '../../src/reporting/read-status.ts';
import { contextAt } from '../support/clock.ts';
import { aCustomFunnel, customEvent, receiveCustom } from '../support/custom-webhook.ts';
import { rows } from '../support/funnel.ts';
import { aStripeFunnel, type Received, receive, type Sending, type StripeFunnel } from '../support/inbox.ts';
import { aPaddleFunnel, receiveFromPaddle } from '../support/paddle.ts';
import { api } from '../support/world.ts';

// If signatures fail, the status blames a wrong secret or a wrong clock, and never says that nothing arrived.

const MINUTE_MS = 60_000;
const aCheckout = () => stripeStory().checkout.completed();

interface WireCheck {
	readonly name: string;
	readonly ok: boolean;
	readonly next_action: string | null;
}

/** The advice about a processor, as members and program key holders read it. */
async function adviceOn(of: StripeFunnel, processor: string): Promise<Record<string, string | null>> {
	const byKey = await api<never>('/api/v1/cli/status', { token: of.apiToken });
	const byMember = await api<{ checks: WireCheck[] }>(`${of.path}/status`, { token: of.owner.token });
	const { checks } = byMember.body.data;
	expect(byKey.body).toMatchObject({ checks });
	const own = checks.filter(({ name }) => name.startsWith(processor) && /_(received|match)$/.test(name));
	return Object.fromEntries(own.map(({ name, next_action: action }) => [name.slice(processor.length + 1), action]));
}

const NOTHING_CAME = { events_received: expect.stringMatching(/^No event has arrived/), signatures_match: null, timestamps_match: null };
const WELL = { events_received: null, signatures_match: null, timestamps_match: null };
const REFUSED = expect.stringMatching(/^Events have arrived from \w+, but all were refused/);

interface Connected {
	readonly funnel: StripeFunnel;
	readonly send: (sending?: Pick<Sending, 'secret' | 'signedAt'>) => Promise<Received>;
}

const PROCESSORS: [processor: string, connect: () => Promise<Connected>][] = [
	[
		'stripe',
		async () => {
			const funnel = await aStripeFunnel();
			return { funnel, send: (sending) => receive(funnel, aCheckout(), sending) };
		},
	],
	[
		'paddle',
		async () => {
			const funnel = await aPaddleFunnel();
			return { funnel, send: (sending) => receiveFromPaddle(funnel, paddleStory().first.completed(), sending) };
		},
	],
	[
		'custom',
		async () => {
			const funnel = await aCustomFunnel();
			return { funnel, send: (sending) => receiveCustom(funnel, customEvent('signup', { customer_key: 'c1' }), sending) };
		},
	],
];

describe.each(PROCESSORS)('%s', (processor, connect) => {
	const wrong = () =>
		processor === 'custom' ? `whsec_${btoa('x'.repeat(32))}` : `${processor === 'paddle' ? 'pdl_ntfset_' : 'whsec_'}${'x'.repeat(32)}`;

	test('a wrong secret is named, with the number of events it refused, until one is accepted', async () => {
		const { funnel, send } = await connect();
		expect(await adviceOn(funnel, processor)).toEqual(NOTHING_CAME);
		for (let time = 0; time < 3; time += 1) expect((await send({ secret: wrong() })).status).toBe(400);
		expect(await adviceOn(funnel, processor)).toEqual({
			events_received: REFUSED,
			signatures_match: expect.stringMatching(/^3 events from \w+ arrived with a signature that does not match, the last on /),
			timestamps_match: null,
		});
		expect((await send()).status).toBe(200);
		expect(await adviceOn(funnel, processor)).toEqual(WELL);
		await send({ secret: wrong() });
		expect(await adviceOn(funnel, processor)).toEqual({ ...WELL, signatures_match: expect.stringMatching(/^1 event from /) });
	});

	test('a wrong timestamp is named separately, and only if the secret is right', async () => {
		const { funnel, send } = await connect();
		const { status, body } = await send({ signedAt: Date.now() - 20 * MINUTE_MS });
		expect([status, body]).toEqual([
			400,
			{ error: expect.stringMatching(/^The signature is right, but the timestamp is 20 minutes behind/) },
		]);
		expect(await adviceOn(funnel, processor)).toEqual({
			events_received: REFUSED,
			signatures_match: null,
			timestamps_match: expect.stringMatching(
				/^1 event from \w+ arrived with the right signature but a wrong timestamp, .* Its timestamp was 20 minutes behind/,
			),
		});
		await send({ secret: wrong(), signedAt: Date.now() - 60 * MINUTE_MS });
		expect(await adviceOn(funnel, processor)).toMatchObject({
			signatures_match: expect.stringMatching(/^1 event /),
			timestamps_match: expect.stringMatching(/^1 event .* 20 minutes (?:behind|ahead)/),
		});
	});
});

test('a custom webhook whose clock is ahead is named so', async () => {
	const funnel = await aCustomFunnel();
	const { body } = await receiveCustom(funnel, customEvent('signup', { customer_key: 'c1' }), { signedAt: Date.now() + 20 * MINUTE_MS });
	expect(body).toEqual({ error: expect.stringContaining('20 minutes ahead of the time here') });
	expect((await adviceOn(funnel, 'custom'))['timestamps_match']).toContain('Its timestamp was 20 minutes ahead');
});

test('a new secret clears the failures of the old one, and the count restarts', async () => {
	const funnel = await aStripeFunnel();
	await receive(funnel, aCheckout(), { secret: signingSecret() });
	await receive(funnel, aCheckout(), { secret: signingSecret() });
	// A failure in the same millisecond could count for the new secret.
	await scheduler.wait(5);
	await api(`${funnel.path}/stripe`, { method: 'PUT', token: funnel.owner.token, body: { webhook_secret: signingSecret() } });
	expect(await adviceOn(funnel, 'stripe')).toEqual(NOTHING_CAME);
	// Stripe still signs with the old secret.
	await receive(funnel, aCheckout());
	expect((await adviceOn(funnel, 'stripe'))['signatures_match']).toMatch(/^1 event /);
});

test('a week after the last failure nothing is reported any more', async () => {
	const funnel = await aStripeFunnel();
	await receive(funnel, aCheckout(), { secret: signingSecret() });
	const advice = async (after: number) => {
		const { checks } = await readStatus(contextAt(Date.now() + after), funnel.id);
		return checks.find(({ name }) => name === 'stripe_signatures_match')?.nextAction;
	};
	expect(await advice(7 * DAY_MS - MINUTE_MS)).toMatch(/^1 event /);
	expect(await advice(7 * DAY_MS + MINUTE_MS)).toBeNull();
});

test('failures count only for their processor and their program', async () => {
	const funnel = await aPaddleFunnel();
	await api(`${funnel.path}/stripe`, { method: 'PUT', token: funnel.owner.token, body: { webhook_secret: signingSecret() } });
	await receive(funnel, aCheckout(), { secret: signingSecret() });
	expect((await adviceOn(funnel, 'stripe'))['signatures_match']).toMatch(/^1 event /);
	expect(await adviceOn(funnel, 'paddle')).toEqual(NOTHING_CAME);
	expect(await adviceOn(await aStripeFunnel(), 'stripe')).toEqual(NOTHING_CAME);
});

test('a signed body that is not an event is not a wrong secret', async () => {
	const funnel = await aStripeFunnel();
	const { status, body } = await receive(funnel, { object: 'v2.core.event', id: 'evt_1' });
	expect([status, body]).toEqual([400, { error: 'The body is not an event of Stripe' }]);
	expect(await adviceOn(funnel, 'stripe')).toEqual(NOTHING_CAME);
});

test('forged events do not make a working integration incomplete', async () => {
	const funnel = await aStripeFunnel();
	const gate = async () =>
		(await api<{ gates: { payout: unknown } }>(`${funnel.path}/status`, { token: funnel.owner.token })).body.data.gates.payout;
	await receive(funnel, aCheckout());
	expect(await gate()).toMatchObject({ status: 'pass' });
	await receive(funnel, aCheckout(), { secret: signingSecret() });
	expect(await gate()).toMatchObject({ status: 'pass' });
});

test('two rows are kept for each processor, without any of the content', async () => {
	const funnel = await aCustomFunnel();
	const event = customEvent('signup', { customer_key: 'somebody', email: 'some@body.example' });
	for (let time = 0; time < 20; time += 1) {
		await receiveCustom(funnel, event, { secret: `whsec_${btoa('y'.repeat(32))}` });
		await receiveCustom(funnel, event, { signedAt: Date.now() - 6 * MINUTE_MS });
	}
	const kept = await rows('SELECT * FROM signature_failures WHERE program_id = ? ORDER BY kind', funnel.id);
	expect(kept).toMatchObject([
		{ processor: 'custom', kind: 'mismatch', failures: 16 },
		{ processor: 'custom', kind: 'timestamp', failures: 16 },
	]);
	expect(JSON.stringify(kept)).not.toMatch(/somebody|body\.example/);
});

test('concurrent failures are each counted', async () => {
	const funnel = await aStripeFunnel();
	await Promise.all(Array.from({ length: 6 }, () => receive(funnel, aCheckout(), { secret: signingSecret() })));
	expect((await adviceOn(funnel, 'stripe'))['signatures_match']).toMatch(/^6 events /);
});

test('the answer does not wait for the count', async () => {
	const funnel = await aStripeFunnel();
	const DB = refusing(env.DB, 'signature_failures');
	expect((await receive(funnel, aCheckout(), { secret: signingSecret(), bindings: { DB } })).status).toBe(400);
});
