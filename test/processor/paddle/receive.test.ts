import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../../support/funnel.ts';
import { inboxOf, outcomeOf, post, type Sending, work } from '../../support/inbox.ts';
import { aPaddleFunnel, aPaddleStory, type PaddleFunnel, receiveFromPaddle as receive, sendFromPaddle } from '../../support/paddle.ts';
import { spoils, withSpoilt } from '../../support/spoilt.ts';
import { signed, signingSecret } from '../../../testing/paddle/sign.ts';
import { paddleStory } from '../../../testing/paddle/story.ts';
import type { PaddleEvent } from '../../../testing/paddle/wire.ts';

// Paddle's webhook stores a signed event once. An unsigned one changes nothing.

let funnel: PaddleFunnel;
beforeAll(async () => {
	funnel = await aPaddleFunnel();
});

const aTransaction = () => paddleStory().first.completed();
const stored = (event: PaddleEvent) => rows('SELECT * FROM processor_events WHERE event_id = ? ORDER BY id', event.event_id);

test('a signed event is stored unchanged and once, however often it arrives', async () => {
	const event = aTransaction();
	const { body: sent } = signed(event, funnel.secret, Date.now());
	const answers = await Promise.all(Array.from({ length: 4 }, () => receive(funnel, event)));
	expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, { received: true }]));
	const [row, ...others] = await stored(event);
	expect(others).toEqual([]);
	expect(row).toMatchObject({
		program_id: funnel.id,
		processor: 'paddle',
		type: 'transaction.completed',
		is_test: 0,
		happened_at: Date.parse(event.occurred_at),
		payload: sent,
	});
});

test('both secrets are accepted during a rotation, and any h1 of a header', async () => {
	const other = signingSecret();
	const rolling = await aPaddleFunnel();
	const event = aTransaction();
	const { body, header } = signed(event, rolling.secret, Date.now());
	const both = `${signed(body, other, Date.now()).header};${header.split(';')[1]}`;
	expect((await receive(rolling, event, { headers: { 'Paddle-Signature': both } })).status).toBe(200);
	expect((await receive(rolling, aTransaction(), { secret: rolling.testSecret })).status).toBe(200);
	expect((await inboxOf(rolling)).map(({ test: isTest }) => isTest)).toEqual([true, false]);
});

describe('an event that Paddle did not sign for this program is refused and leaves nothing', () => {
	const refused = {
		error: expect.stringMatching(
			/^The (?:Paddle-Signature does not match this body, or is more than|signature is right, but the timestamp is 30\d seconds)/,
		),
	};

	test.each<[what: string, sending: () => Promise<Sending> | Sending]>([
		['with an invented secret', () => ({ secret: signingSecret() })],
		['with the secret of another program', async () => ({ secret: (await aPaddleFunnel()).secret })],
		['more than five minutes ago', () => ({ signedAt: Date.now() - 302_000 })],
		['more than five minutes ahead', () => ({ signedAt: Date.now() + 302_000 })],
		['for a truncated body', () => ({ alter: (body) => body.slice(0, -20) })],
		['for another amount', () => ({ alter: (body) => body.replaceAll('"10000"', '"10001"') })],
		['for the same JSON in other bytes', () => ({ alter: (body) => JSON.stringify(JSON.parse(body), undefined, 2) })],
		['for a body that was not empty', () => ({ alter: () => '' })],
		['without a signature in its header', () => ({ headers: { 'Paddle-Signature': `ts=${Math.floor(Date.now() / 1_000)}` } })],
		['with an invalid header', () => ({ headers: { 'Paddle-Signature': 'x'.repeat(5_000) } })],
		['with an empty header', () => ({ headers: { 'Paddle-Signature': '' } })],
	])('signed %s', async (_what, sending) => {
		const event = aTransaction();
		const { status, body, messages } = await receive(funnel, event, await sending());
		expect([status, body, messages]).toEqual([400, refused, []]);
		expect(JSON.stringify(body)).not.toContain(funnel.secret.slice(11));
		expect(await stored(event)).toEqual([]);
	});

	test('not signed at all, or as another processor signs', async () => {
		const event = aTransaction();
		const { body: sent, header } = signed(event, funnel.secret, Date.now());
		for (const headers of [{}, { 'Stripe-Signature': header }]) {
			const { status, body } = await post(`/webhooks/paddle/${funnel.id}`, sent, { headers });
			expect([status, body]).toEqual([
				400,
				{ error: 'The Paddle-Signature header is missing: this address takes webhooks that Paddle has signed' },
			]);
		}
		const { status } = await post(`/webhooks/stripe/${funnel.id}`, sent, { headers: { 'Stripe-Signature': header } });
		expect(status).toBe(404);
		expect(await stored(event)).toEqual([]);
	});
});

describe('a signed body', () => {
	test.each([
		['not JSON', '{"event_id":'],
		['not an object', '"event"'],
		['not an event', '{}'],
		['without the time', JSON.stringify({ ...aTransaction(), occurred_at: undefined })],
		['empty', ''],
		[
			'nested too deep',
			`{"event_id":"evt_1","event_type":"a","occurred_at":"2026-11-20T09:00:00Z","data":${'['.repeat(3_000)}${']'.repeat(3_000)}}`,
		],
	])('that is %s is refused', async (_what, text) => {
		const { status, body } = await receive(funnel, text);
		expect([status, body]).toEqual([400, { error: 'The body is not a Paddle Billing event' }]);
	});

	test('damaged anywhere is refused as no event, or gets an outcome with a reason', async () => {
		const own = await aPaddleFunnel();
		const story = await aPaddleStory(own, { mode: 'subscription', trialDays: 7 });
		const bought = await aPaddleStory(own, { amount: 11_900, tax: 1_900 });
		await sendFromPaddle(own, [bought.first.completed()]);
		const whole = [
			story.subscription.created(),
			story.subscription.canceled(),
			story.first.completed(),
			story.renew().completed(),
			bought.first.completed(),
			bought.first.refund(1_000).created(),
			bought.first.refund(1_000).updated('rejected'),
			bought.first.dispute().created(),
			bought.first.dispute('chargeback_reverse').created(),
		];
		let number = 0;
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...whole), spoils, async (event, changes) => {
				number += 1;
				const id = `evt_fuzzed_${own.id}_${number}`;
				const spoilt = withSpoilt({ data: event.data }, changes);
				const data = typeof spoilt === 'object' && spoilt !== null && 'data' in spoilt ? spoilt.data : undefined;
				const { status, messages } = await receive(own, { ...event, event_id: id, data });
				expect(status).toBe(200);
				await work(messages);
				expect(await outcomeOf(own, { id })).toMatch(/^(applied|ignored|waiting|refused): ./);
			}),
			{ numRuns: 60 },
		);
	});
});
