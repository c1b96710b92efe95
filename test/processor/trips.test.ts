import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { countingTrips, metered } from '../../testing/d1/metered.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver } from '../support/deliver.ts';
import { aClick, aLead, aSale, balanceOf } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, receive, send, type StripeFunnel, work } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';

// Trips to D1 for Stripe events after the response, without a sale's notifications and metrics.

let funnel: StripeFunnel;
beforeAll(async () => {
	funnel = await aStripeFunnel();
});

const aStory = async (options: object = {}) => stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) }, ...options });
const aPayment = async () => (await aStory()).checkout.completed();

/** The events' messages are delivered together. Also returns the outcomes. */
async function tripsOf(events: readonly StripeEvent[]): Promise<{ readonly trips: number; readonly states: readonly string[] }> {
	const messages: unknown[] = [];
	for (const event of events) messages.push(...(await receive(funnel, event)).messages);
	return tripsOfMessages(messages, events);
}

async function tripsOfMessages(messages: readonly unknown[], events: readonly StripeEvent[]) {
	const DB = countingTrips(env.DB);
	const delivery = messages.map((body) => ({ body }));
	const { acked } = await deliver('affiliate-effects', delivery, { DB, EFFECTS: holdingQueue() });
	expect(acked).toHaveLength(messages.length);
	const inbox = await inboxOf(funnel);
	return { trips: DB.trips(), states: events.map(({ id }) => inbox.find((row) => row.event_id === id)?.state ?? 'not received') };
}

describe('a single event takes three: the event, the data for its decision, and its effect, which settles it', () => {
	test.each<[what: string, event: () => Promise<StripeEvent>]>([
		['the payment of a lead', aPayment],
		['the payment of a click', async () => stripeStory({ clientReferenceId: await aClick(funnel) }).checkout.completed()],
		['the first invoice of a subscription', async () => (await aStory({ mode: 'subscription' })).first.invoicePaid()],
		['a payment that the backend reported', aReportedPayment],
		['a refund', async () => (await aPaidStory()).first.refund(2_500).created()],
		["a charge's refunded total", async () => (await aPaidStory()).first.refund(2_500).chargeRefunded()],
		['a dispute', async () => (await aPaidStory()).first.dispute(2_500).created()],
		['ids of one payment', anInvoicePayment],
	])('%s', async (_what, event) => {
		expect(await tripsOf([await event()])).toEqual({ trips: 3, states: ['applied'] });
	});

	test('one more if another event identified the customer', async () => {
		const story = await aStory({ mode: 'subscription', subscriptionMetadata: {} });
		await send(funnel, story.checkout.completed());
		expect(await tripsOf([story.first.invoicePaid()])).toEqual({ trips: 4, states: ['applied'] });
	});

	test('one less if there is nothing to read', async () => {
		expect(await tripsOf([(await aStory({ mode: 'subscription' })).subscription.updated()])).toEqual({ trips: 2, states: ['applied'] });
	});

	test('one more if it is parked, and three for each later attempt', async () => {
		const refund = stripeStory().first.refund().created();
		const { messages } = await receive(funnel, refund);
		expect(await tripsOfMessages(messages, [refund])).toEqual({ trips: 4, states: ['waiting'] });
		expect(await tripsOfMessages(messages, [refund])).toEqual({ trips: 3, states: ['waiting'] });
	});

	test('one if it is already settled', async () => {
		const event = await aPayment();
		const { messages } = await receive(funnel, event);
		await work(messages);
		expect(await tripsOfMessages(messages, [event])).toEqual({ trips: 1, states: ['applied'] });
	});
});

describe('the events of one delivery', () => {
	test('are read in one trip, and then take two each', async () => {
		for (const count of [8, 20]) {
			const events = await Promise.all(Array.from({ length: count }, aPayment));
			expect(await tripsOf(events)).toEqual({ trips: 1 + 2 * count, states: events.map(() => 'applied') });
		}
	});

	test('of one payment are processed in order, and each sees the result of the one before', async () => {
		const story = await aStory();
		const refund = story.first.refund(2_500);
		const before = await balanceOf(funnel);
		const events = [story.checkout.completed(), refund.created(), refund.chargeRefunded()];
		const { trips, states } = await tripsOf(events);
		expect(states).toEqual(['applied', 'applied', 'applied']);
		// No trip is wasted: one reads all events, then each event takes one to read and one to write.
		expect(trips).toBeLessThanOrEqual(1 + 2 + 2 + 2);
		expect((await balanceOf(funnel)) - before).toBe(1_500);
		await expectSoundLedger(funnel);
	});

	test('in two messages are processed once', async () => {
		const event = await aPayment();
		const { messages } = await receive(funnel, event);
		expect(await tripsOfMessages([...messages, ...messages], [event])).toEqual({ trips: 3, states: ['applied'] });
	});

	test('are not affected if one of them fails', async () => {
		const [sound, broken] = [await aPayment(), await aPayment()];
		const trigger = `fail_${broken.id.replaceAll('-', '_')}`;
		const paymentId = JSON.stringify(broken)
			.match(/"pi_\w+"/)?.[0]
			.replaceAll('"', "'");
		await env.DB.prepare(
			`CREATE TRIGGER ${trigger} BEFORE INSERT ON affiliate_sale_events WHEN NEW.processor_event_id = ${paymentId}
			BEGIN SELECT RAISE(ABORT, 'not this one'); END`,
		).run();
		try {
			expect((await tripsOf([sound, broken])).states).toEqual(['applied', 'received']);
		} finally {
			await env.DB.prepare(`DROP TRIGGER ${trigger}`).run();
		}
	});
});

test('a payment reads and writes few rows', async () => {
	const { messages } = await receive(funnel, await aPayment());
	const DB = metered(env.DB);
	const delivery = messages.map((body) => ({ body }));
	await deliver('affiliate-effects', delivery, { DB, EFFECTS: holdingQueue() });
	expect(DB.spent().rowsWritten).toBeLessThanOrEqual(70);
});

async function aPaidStory() {
	const story = await aStory();
	await send(funnel, story.checkout.completed());
	return story;
}

async function aReportedPayment() {
	const story = await aStory();
	await aSale(funnel, { transaction_id: story.first.ids.paymentIntent });
	return story.checkout.completed();
}

async function anInvoicePayment() {
	const story = await aStory({ mode: 'subscription' });
	await send(funnel, story.first.invoicePaid());
	return story.first.invoicePaymentPaid();
}
