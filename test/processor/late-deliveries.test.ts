import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { atInstant } from '../support/at-instant.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver } from '../support/deliver.ts';
import { faultyDb } from '../../testing/d1/failing.ts';
import { aClick, aLead, balanceOf, track } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, receive, send, tickAt, work } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { unique } from '../support/world.ts';

// Messages that stayed in the queue longer than an event waits.

test('an event that arrives during the first attempt counts, even if that attempt is after the end of the wait', async () => {
	const funnel = await aStripeFunnel();
	const story = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
	const event = story.checkout.completed();
	const refund = story.first.refund(5_000).created();
	const { messages } = await receive(funnel, refund);
	await atInstant(Date.now() + 9 * DAY_MS, async () => {
		const DB = faultyDb(env.DB, async (trip) => {
			if (trip === 1) await send(funnel, event);
			return undefined;
		});
		await deliver(
			'affiliate-effects',
			messages.map((body) => ({ body })),
			{ DB, EFFECTS: holdingQueue() },
		);
	});
	expect(await outcomeOf(funnel, refund)).toMatch(/^applied/);
	expect(await balanceOf(funnel)).toBe(1_000);
});

test('the next event of a delivery counts, even if both are processed after the end of the wait', async () => {
	const funnel = await aStripeFunnel();
	const customerKey = unique('customer');
	await track('lead', { customer_key: customerKey }, funnel.apiToken);
	const key = { tracker_customer_key: customerKey };
	const metadata = { ...key, tracker_click_id: await aClick(funnel) };
	const story = stripeStory({ mode: 'subscription', metadata, subscriptionMetadata: key });
	const late = [story.first.invoicePaid(), story.checkout.completed()];
	const messages: unknown[] = [];
	for (const event of late) messages.push(...(await receive(funnel, event)).messages);
	await atInstant(Date.now() + 9 * DAY_MS, () => work(messages));
	await tickAt(Date.now() + 9 * DAY_MS + 2 * MINUTE_MS);
	expect(await Promise.all(late.map((event) => outcomeOf(funnel, event)))).toEqual([
		expect.stringMatching(/^applied: Sale \d+ recorded/),
		expect.stringMatching(/^applied/),
	]);
});
