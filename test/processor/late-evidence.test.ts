import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { aClick, aLead, balanceOf, track } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { unique } from '../support/world.ts';

// The subscription names the customer, but only its checkout names the click. The sale belongs to the partner in either order.

/** The backend reported the customer without a click. */
async function anUnattributedLead(funnel: StripeFunnel): Promise<string> {
	const customerKey = unique('customer');
	await track('lead', { customer_key: customerKey }, funnel.apiToken);
	return customerKey;
}

function aSubscription(customerKey: string, clickId: string) {
	const key = { tracker_customer_key: customerKey };
	return stripeStory({ mode: 'subscription', metadata: { ...key, tracker_click_id: clickId }, subscriptionMetadata: key });
}

describe('a lead without a click whose checkout brings one', () => {
	test('makes a sale if the checkout arrives first', async () => {
		const funnel = await aStripeFunnel();
		const story = aSubscription(await anUnattributedLead(funnel), await aClick(funnel));
		await send(funnel, story.checkout.completed(), story.first.invoicePaid());
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('makes a sale if the invoice arrives first: it waits, and the checkout resumes it', async () => {
		const funnel = await aStripeFunnel();
		const story = aSubscription(await anUnattributedLead(funnel), await aClick(funnel));
		const invoice = story.first.invoicePaid();
		await send(funnel, invoice);
		expect(await outcomeOf(funnel, invoice)).toBe(
			'waiting: waits: as far as is known, no partner brought the customer; a later event or lead may still name a click',
		);
		await send(funnel, story.checkout.completed());
		expect(await outcomeOf(funnel, invoice)).toMatch(/^applied: Sale \d+ recorded, commission/);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('makes a sale if the lead is reported again with its click', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = await anUnattributedLead(funnel);
		const invoice = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: customerKey } }).first.invoicePaid();
		await send(funnel, invoice);
		await track('lead', { customer_key: customerKey, click_id: await aClick(funnel) }, funnel.apiToken);
		await tickAt(Date.now() + 2 * MINUTE_MS);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('makes none if no click is ever reported, and the inbox says why', async () => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await anUnattributedLead(funnel) };
		const invoice = stripeStory({ mode: 'subscription', metadata }).first.invoicePaid();
		await send(funnel, invoice);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, invoice)).toBe('expired: not recorded: no partner brought the customer');
	});

	test('makes none, without a wait, if the event itself names an invalid click', async () => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await anUnattributedLead(funnel), tracker_click_id: 'cust_1_1' };
		const invoice = stripeStory({ mode: 'subscription', metadata }).first.invoicePaid();
		await send(funnel, invoice);
		expect(await outcomeOf(funnel, invoice)).toBe('ignored: Not recorded: no partner brought the customer');
	});
});

test('a customer of another program of the workspace with a click of this one makes a sale, in either order', async () => {
	const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
	const story = aSubscription(await aLead(other), await aClick(funnel));
	const invoice = story.first.invoicePaid();
	await send(funnel, invoice);
	expect(await outcomeOf(funnel, invoice)).toMatch(/^waiting: /);
	await send(funnel, story.checkout.completed());
	expect(await outcomeOf(funnel, invoice)).toMatch(/^applied: Sale \d+ recorded, commission/);
	expect(await balanceOf(funnel)).toBe(2_000);
});

test('a customer of another program of the workspace without a click of this one: the wait ends with the reason', async () => {
	const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
	const invoice = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: await aLead(other) } }).first.invoicePaid();
	await send(funnel, invoice);
	await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
	expect(await outcomeOf(funnel, invoice)).toBe('expired: not attributed: its customer_key is known in another program only');
});
