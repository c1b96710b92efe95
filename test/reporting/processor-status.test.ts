import { expect, test } from 'vitest';
import { readStatus } from '../../src/reporting/read-status.ts';
import { contextAt } from '../support/clock.ts';
import { aLead } from '../support/funnel.ts';
import { inboxOf, receive as receiveFromStripe, tickAt } from '../support/inbox.ts';
import { aPaddleFunnel, aPaddleStory, type PaddleFunnel, receiveFromPaddle, sendFromPaddle } from '../support/paddle.ts';
import { paddleStory } from '../../testing/paddle/story.ts';
import { signingSecret } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { api } from '../support/world.ts';

// A program's status lists each processor other than Stripe by name, with only its own events.

const MINUTE_MS = 60_000;

async function checksOf(of: PaddleFunnel, now = Date.now()): Promise<Record<string, string | null>> {
	const { checks } = await readStatus(contextAt(now), of.id);
	const found = checks.filter(({ name }) => /^(?:paddle|stripe)_/.test(name));
	return Object.fromEntries(found.map(({ name, nextAction }) => [name, nextAction]));
}

test('a connected processor waits for its first event and then has no advice', async () => {
	const funnel = await aPaddleFunnel();
	expect(await checksOf(funnel)).toEqual({
		stripe_connected: expect.stringMatching(/^Optional\. /),
		paddle_events_received: expect.stringMatching(
			/^No event has arrived from Paddle yet\. .*\/processors\/paddle, and sends.*transaction\.completed/,
		),
		paddle_signatures_match: null,
		paddle_timestamps_match: null,
		paddle_events_applied: null,
	});
	await sendFromPaddle(funnel, [(await aPaddleStory(funnel)).first.completed()]);
	expect(await checksOf(funnel)).toMatchObject({ paddle_events_received: null, paddle_events_applied: null });
});

test('a processor with a refused or unmatched event says so, and Stripe stays fine', async () => {
	const funnel = await aPaddleFunnel();
	const secret = signingSecret();
	await api(`${funnel.path}/stripe`, { method: 'PUT', token: funnel.owner.token, body: { webhook_secret: secret } });
	const customData = { tracker_customer_key: await aLead(funnel) };
	await api(`${funnel.path}/partners/${funnel.partnerId}`, { method: 'DELETE', token: funnel.owner.token });
	await sendFromPaddle(funnel, [paddleStory({ customData }).first.completed()]);
	const [refused] = await inboxOf(funnel);
	expect(refused?.state).toBe('refused');
	expect(await checksOf(funnel)).toMatchObject({
		stripe_events_received: expect.stringMatching(/^No event has arrived from Stripe yet/),
		stripe_events_applied: null,
		paddle_events_applied: expect.stringMatching(
			/^The transaction\.completed evt_\w+ from Paddle was refused on .* UTC: .* Correct that and replay the event: /,
		),
	});
	await receiveFromStripe(funnel, stripeStory().checkout.completed(), { secret });
	const later = Date.now() + 6 * MINUTE_MS;
	expect(await checksOf(funnel, later)).toMatchObject({
		stripe_events_received: null,
		stripe_events_applied: expect.stringMatching(/^Events from Stripe have been waiting/),
		paddle_events_applied: expect.stringMatching(/was refused/),
	});
	await tickAt(later);
	await receiveFromPaddle(funnel, paddleStory().first.completed());
	expect(await checksOf(funnel, Date.now() + 6 * MINUTE_MS)).toMatchObject({
		paddle_events_applied: expect.stringMatching(/^Events from Paddle have been waiting since/),
	});
});
