import { expect, test } from 'vitest';
import { clickIdFrom, stripeMetadata } from '../../../src/sdk/index.ts';
import { aTracker } from '../../support/faulty-network.ts';
import { aClick, aLead, balanceOf } from '../../support/funnel.ts';
import { aStripeFunnel, outcomeOf, send } from '../../support/inbox.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';

// The webhook attributes payments by the ids that stripeMetadata provides.

const RECORDED = /^applied: Sale \d+ recorded, commission \d+$/;

test('a payment is attributed by its session, and the backend may report it too', async () => {
	const funnel = await aStripeFunnel();
	const click_id = clickIdFrom(`tracker_click_id=${await aClick(funnel)}`);
	const { metadata } = stripeMetadata('payment', { click_id, program_id: funnel.id });
	const story = stripeStory({ metadata });
	const event = story.checkout.completed();
	await send(funnel, event);
	expect(await outcomeOf(funnel, event)).toMatch(RECORDED);
	const sale = { transaction_id: story.first.ids.paymentIntent, amount_cents: 10_000, customer_key: 'user-1', click_id };
	expect(await aTracker(funnel).sale(sale)).toMatchObject({ recorded: true, duplicate: true });
	expect(await balanceOf(funnel)).toBe(2_000);
});

test('a subscription and its renewal are attributed by the subscription alone', async () => {
	const funnel = await aStripeFunnel();
	const { metadata, subscription_data } = stripeMetadata('subscription', { customer_key: await aLead(funnel) });
	const story = stripeStory({ mode: 'subscription', metadata, subscriptionMetadata: subscription_data.metadata });
	const events = [story.first.invoicePaid(), story.renew().invoicePaid()];
	await send(funnel, ...events);
	for (const event of events) expect(await outcomeOf(funnel, event)).toMatch(RECORDED);
});
