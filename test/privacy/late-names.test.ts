import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { stripeStory } from '../../testing/stripe/story.ts';
import { callWith } from '../support/bindings.ts';
import { linkIdOf, mintClickId } from '../support/clock.ts';
import { deliver } from '../support/deliver.ts';
import { aClickJob, readReport } from '../support/report.ts';
import { placesOf } from '../support/everywhere.ts';
import { aLead, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, receive, send, type StripeFunnel, work } from '../support/inbox.ts';
import { sweepAt } from '../support/sweep.ts';
import { api, unique } from '../support/world.ts';
import { interrupted } from '../../testing/d1/failing.ts';

// Late or concurrent events do not restore erased ids.

let funnel: StripeFunnel;
beforeAll(async () => {
	funnel = await aStripeFunnel();
});

async function erase(body: object, { path, owner } = funnel): Promise<void> {
	const { status, text } = await api(`${path}/customers/erase`, { token: owner.token, body });
	if (status !== 200) throw new Error(`The erase answered ${status}: ${text}`);
}

describe('a subscription’s processor reference', () => {
	test('is erased even if only a lead connects the click to the person', async () => {
		const click = await track('click', {
			affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`,
			additional_data: { test_mode: true },
		});
		const [click_id, customer_key] = [String(click.body['click_id']), unique('customer')];
		// A test click creates no customer, so only the lead event has the key.
		await track('lead', { customer_key, click_id }, funnel.apiToken);
		const story = stripeStory({ mode: 'subscription', subscriptionMetadata: { tracker_click_id: click_id } });
		await send(funnel, story.subscription.created());
		expect(await placesOf(click_id)).toContain('processor_bindings.click_id');
		await erase({ customer_key });
		await sweepAt(Date.now());
		for (const id of [customer_key, click_id, String(story.ids.subscription)]) expect(await placesOf(id)).toEqual([]);
	});

	test('is not written by an event that was in progress during the erase', async () => {
		const customer_key = await aLead(funnel);
		const story = stripeStory({ mode: 'subscription', subscriptionMetadata: { tracker_customer_key: customer_key } });
		const event = story.subscription.created();
		const { messages } = await receive(funnel, event);
		await work(messages, { DB: interrupted(env.DB, () => erase({ customer_key })) });
		expect(await outcomeOf(funnel, event)).toBe('refused: Not recorded: its customer was erased');
		expect(await rows('SELECT * FROM processor_bindings WHERE customer_key = ?', customer_key)).toEqual([]);
		await sweepAt(Date.now());
		expect(await placesOf(customer_key)).toEqual([]);
	});

	test('is erased in any order of events', async () => {
		for (let round = 0; round < 6; round += 1) {
			const customer_key = await aLead(funnel);
			const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: customer_key } });
			await Promise.all([erase({ customer_key }), send(funnel, story.subscription.created()), send(funnel, story.first.invoicePaid())]);
			await sweepAt(Date.now() + 3 * 60_000);
			for (const id of [customer_key, story.ids.subscription ?? '']) expect(await placesOf(id)).toEqual([]);
		}
	});

	test("is not marked as unsold by another program's payment of the invoice", async () => {
		const customer_key = await aLead(funnel);
		const metadata = { tracker_customer_key: customer_key, program_id: '1000000' };
		const story = stripeStory({ mode: 'subscription', clientReferenceId: customer_key, subscriptionMetadata: metadata });
		const { invoice } = story.first.ids;
		// The invoice now refers to the customer.
		await send(funnel, story.checkout.completed());
		await erase({ customer_key });
		const event = story.first.invoicePaid();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toMatch(/^refused: /);
		expect(await rows('SELECT 1 FROM processor_bindings WHERE processor_id = ?', invoice)).toEqual([]);
	});

	test('of another customer of the same click remains, without the click', async () => {
		const click_id = await mintClickId(await linkIdOf(funnel));
		const [person, housemate] = [unique('customer'), unique('customer')];
		for (const customer_key of [person, housemate]) await track('lead', { customer_key, click_id }, funnel.apiToken);
		const metadata = { tracker_customer_key: housemate, tracker_click_id: click_id };
		const story = stripeStory({ mode: 'subscription', metadata });
		await send(funnel, story.subscription.created());
		await erase({ customer_key: person });
		await sweepAt(Date.now());
		const bindings = await rows('SELECT customer_key, click_id FROM processor_bindings WHERE processor_id = ?', story.ids.subscription);
		expect(bindings).toEqual([{ customer_key: housemate, click_id: null }]);
		expect(await placesOf(click_id)).toEqual([]);
	});
});

test("after the search an ignored or refused event keeps no body with the person's name, and other people's events lose the click", async () => {
	const click_id = await mintClickId(await linkIdOf(funnel));
	const [person, housemate] = [unique('customer'), unique('customer')];
	for (const customer_key of [person, housemate]) await track('lead', { customer_key, click_id }, funnel.apiToken);
	await erase({ customer_key: person });
	await sweepAt(Date.now() + 16 * 86_400_000);
	const expired = (customer_key: string) =>
		stripeStory({ metadata: { tracker_customer_key: customer_key, tracker_click_id: click_id } }).checkout.expired();
	const [theirs, others] = [expired(person), expired(housemate)];
	const elsewhere = stripeStory({ metadata: { tracker_customer_key: person, program_id: '999999' } }).checkout.completed();
	for (const event of [theirs, others, elsewhere]) await send(funnel, event);
	expect(await outcomeOf(funnel, elsewhere)).toMatch(/^refused: The program_id in the metadata does not match/);
	expect(await outcomeOf(funnel, theirs)).toMatch(/^ignored: /);
	expect(await placesOf(person)).toEqual([]);
	expect(await placesOf(click_id)).toEqual([]);
	expect(await placesOf(housemate)).toContain('processor_events.payload');
});

describe('an erased click that a queue delivers again', () => {
	let own: StripeFunnel;
	beforeAll(async () => {
		own = await aStripeFunnel();
	});
	const clicksOf = async () => (await readReport(own)).metrics.totalClicks;
	async function anErasedClick(deliveries: number) {
		const [job, customer_key] = [await aClickJob(own, Date.now()), unique('customer')];
		for (let count = 0; count < deliveries; count += 1) await deliver('affiliate-clicks', [{ body: job }]);
		await track('lead', { click_id: job.clickId, customer_key }, own.apiToken);
		await erase({ customer_key }, own);
		await sweepAt(Date.now());
		return job;
	}

	test('is neither counted nor stored, and other clicks of the batch are', async () => {
		const before = await clicksOf();
		const [job, other] = [await anErasedClick(1), await aClickJob(own, Date.now())];
		const { acked } = await deliver('affiliate-clicks', [{ body: job }, { body: other }]);
		expect(acked).toHaveLength(2);
		await deliver('affiliate-clicks', [{ body: job }]);
		expect(await placesOf(job.clickId)).toEqual([]);
		expect(await placesOf(other.clickId)).not.toEqual([]);
		expect(await clicksOf()).toBe(before + 2);
	});

	test('is counted once if its row arrives after the erase, and erased by the next search', async () => {
		const before = await clicksOf();
		const job = await anErasedClick(0);
		for (let count = 0; count < 2; count += 1) await deliver('affiliate-clicks', [{ body: job }]);
		await sweepAt(Date.now() + 3 * 60_000);
		expect(await placesOf(job.clickId)).toEqual([]);
		await deliver('affiliate-clicks', [{ body: job }]);
		expect(await placesOf(job.clickId)).toEqual([]);
		expect(await clicksOf()).toBe(before + 1);
	});

	test('is erased again if its erased hash was deleted', async () => {
		const job = await anErasedClick(1);
		await rows('DELETE FROM erased_ids WHERE program_id = ?', own.id);
		await deliver('affiliate-clicks', [{ body: job }]);
		expect(await placesOf(job.clickId)).not.toEqual([]);
		await sweepAt(Date.now() + 3 * 60_000);
		expect(await placesOf(job.clickId)).toEqual([]);
	});

	test('is counted once in a race', async () => {
		for (let round = 0; round < 5; round += 1) {
			const [job, customer_key, before] = [await aClickJob(own, Date.now()), unique('customer'), await clicksOf()];
			await track('lead', { click_id: job.clickId, customer_key }, own.apiToken);
			const again = () => deliver('affiliate-clicks', [{ body: job }]);
			await Promise.all([again(), erase({ customer_key }, own), again()]);
			await sweepAt(Date.now() + 3 * 60_000);
			await again();
			expect(await placesOf(job.clickId)).toEqual([]);
			expect(await clicksOf()).toBe(before + 1);
		}
	});
});

describe('a lead after an erase', () => {
	const test_mode = { additional_data: { test_mode: true } };

	test('in test mode by an erased key finds no customer, like a real one', async () => {
		const customer_key = await aLead(funnel);
		await erase({ customer_key });
		await sweepAt(Date.now());
		const lead = await track('lead', { customer_key, ...test_mode }, funnel.apiToken);
		expect([lead.status, lead.body['error']]).toEqual([400, 'Customer not found. Provide a valid click_id or customer_key.']);
		expect(await placesOf(customer_key)).toEqual([]);
	});

	test('stores no erased click with a new key, real or test', async () => {
		const job = await aClickJob(funnel, Date.now());
		const customer_key = unique('customer');
		await track('lead', { click_id: job.clickId, customer_key }, funnel.apiToken);
		await erase({ customer_key });
		await sweepAt(Date.now());
		for (const more of [test_mode, {}]) {
			const lead = await track('lead', { click_id: job.clickId, customer_key: unique('customer'), ...more }, funnel.apiToken);
			expect(lead.status).toBe(200);
			expect(await placesOf(job.clickId)).toEqual([]);
		}
		for (const token of [funnel.apiToken, undefined]) {
			const lead = await track('lead', { click_id: job.clickId, ...test_mode }, token);
			expect([lead.status, lead.body['error']]).toEqual([400, 'Customer not found. Provide a valid click_id or customer_key.']);
		}
		expect(await placesOf(job.clickId)).toEqual([]);
	});

	test('stores no erased test click', async () => {
		const click = await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`, ...test_mode });
		const [click_id, customer_key] = [String(click.body['click_id']), unique('customer')];
		await track('lead', { click_id, customer_key }, funnel.apiToken);
		await erase({ customer_key });
		await sweepAt(Date.now());
		const lead = await track('lead', { click_id, customer_key: unique('customer') }, funnel.apiToken);
		expect(lead.status).toBe(200);
		expect(await placesOf(click_id)).toEqual([]);
	});
});

test("a click named only by the person's lead is erased from rows that were searched before", async () => {
	const test_mode = { additional_data: { test_mode: true } };
	const click = await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`, ...test_mode });
	const [click_id, customer_key, other] = [String(click.body['click_id']), unique('customer'), unique('customer')];
	await track('lead', { click_id, customer_key: other, ...test_mode }, funnel.apiToken);
	await deliver('affiliate-dead-letters', [{ body: await aClickJob(funnel, Date.now(), { clickId: click_id }) }]);
	for (const key of [customer_key, other]) await track('lead', { click_id, customer_key: key }, funnel.apiToken);
	await erase({ customer_key });
	await sweepAt(Date.now());
	expect(await placesOf(click_id)).toEqual([]);
	expect(await placesOf(other)).toContain('affiliate_lead_events.customer_key');
});

test('a refund after or during the erase stores no reason, because it may name the person', async () => {
	const own = await aStripeFunnel();
	const reason = unique('Jenny Roe sent it back');
	for (let round = 0; round < 4; round += 1) {
		const [customer_key, transaction_id] = [await aLead(own), unique('order')];
		await track('sale', { customer_key, transaction_id, amount_cents: 1_000 }, own.apiToken);
		const refund = (refund_id: string) =>
			track('refund', { transaction_id, refund_amount_cents: 100, refund_id, refund_reason: reason }, own.apiToken);
		const [, beside] = await Promise.all([erase({ customer_key }, own), refund('beside'), refund('too')]);
		const after = await refund('after');
		expect([beside.status, after.status, after.body['status']]).toEqual([200, 200, 'refunded']);
		await sweepAt(Date.now() + 3 * 60_000);
		expect(await placesOf(reason)).toEqual([]);
	}
});

test('a repeated refund is recognized after the erase though its id named the person; later ids are not stored', async () => {
	const own = await aStripeFunnel();
	const [customer_key, transaction_id] = [await aLead(own), unique('order')];
	await track('sale', { customer_key, transaction_id, amount_cents: 1_000 }, own.apiToken);
	const refund = async (refund_id: string) =>
		(await track('refund', { transaction_id, refund_amount_cents: 100, refund_id }, own.apiToken)).body['status'];
	expect(await refund(`r-${customer_key}`)).toBe('refunded');
	await erase({ customer_key }, own);
	await sweepAt(Date.now());
	expect(await placesOf(customer_key)).toEqual([]);
	for (const id of ['r', 'again']) {
		expect(await refund(`${id}-${customer_key}`)).toBe(id === 'r' ? 'skipped' : 'refunded');
		expect(await refund(`${id}-${customer_key}`)).toBe('skipped');
	}
	expect(await placesOf(customer_key)).toEqual([]);
	const [sold] = await rows('SELECT refunded_cents FROM affiliate_sale_events WHERE program_id = ?', own.id);
	expect(sold).toEqual({ refunded_cents: 200 });
});

test('test events that name the person are erased too', async () => {
	const customer_key = await aLead(funnel);
	const test_mode = { additional_data: { test_mode: true } };
	const transaction_id = `${customer_key}-try`;
	const line_items = [{ name: unique('Mug for Jenny') }];
	const sold = await track('sale', { customer_key, transaction_id, amount_cents: 100, line_items, ...test_mode }, funnel.apiToken);
	const refund_id = `${customer_key}-back`;
	const refunded = await track('refund', { transaction_id, refund_id, ...test_mode }, funnel.apiToken);
	expect([sold.status, refunded.status]).toEqual([200, 200]);
	expect((await placesOf(customer_key)).length).toBeGreaterThan(2);
	await erase({ customer_key });
	await sweepAt(Date.now());
	for (const trace of [customer_key, String(line_items[0]?.name)]) expect(await placesOf(trace)).toEqual([]);
});

test('a refund recorded while its customer is erased is recognized when it is sent again', async () => {
	const customer_key = await aLead(funnel);
	const transaction_id = unique('order');
	await track('sale', { transaction_id, customer_key, amount_cents: 10_000 }, funnel.apiToken);
	const refund = () =>
		track('refund', { transaction_id, refund_id: `refund of ${customer_key}`, refund_amount_cents: 4_000 }, funnel.apiToken);
	const DB = interrupted(env.DB, refund);
	const erased = await callWith({ DB }, `${funnel.path}/customers/erase`, { token: funnel.owner.token, body: { customer_key } });
	expect(erased.status).toBe(200);
	await sweepAt(Date.now());
	await refund();
	expect(await rows('SELECT refunded_cents FROM affiliate_sale_events WHERE processor_event_id = ?', transaction_id)).toEqual([
		{ refunded_cents: 4_000 },
	]);
	expect(await placesOf(customer_key)).toEqual([]);
});
