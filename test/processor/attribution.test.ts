import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { linkIdOf, mintClickId } from '../support/clock.ts';
import { aClick, aLead, balanceOf, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, backendSells, inboxOf, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { customersOf, customersWith } from '../support/leads.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { api, unique } from '../support/world.ts';

// A payment is attributed by its metadata, or by an earlier event or sale.

const bindingsOf = ({ id }: { readonly id: number }) =>
	rows('SELECT processor_id, customer_key, click_id, is_test FROM processor_bindings WHERE program_id = ? ORDER BY processor_id', id);

describe('the metadata of a checkout', () => {
	test('by customer_key', async () => {
		const funnel = await aStripeFunnel();
		const { checkout } = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
		const event = checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test.each(['tracker_click_id', 'client_reference_id'])('by the click of a customer without a lead, in %s', async (place) => {
		const funnel = await aStripeFunnel();
		const clickId = await aClick(funnel);
		const options = place === 'tracker_click_id' ? { metadata: { tracker_click_id: clickId } } : { clientReferenceId: clickId };
		await send(funnel, stripeStory(options).checkout.completed());
		expect(await balanceOf(funnel)).toBe(2_000);
		expect(await customersOf(clickId)).toMatchObject([{ status: 'conversion', signup_date: null }]);
	});

	test('by both, which links them', async () => {
		const funnel = await aStripeFunnel();
		const [clickId, customerKey] = [await aClick(funnel), unique('customer')];
		const metadata = { tracker_click_id: clickId, tracker_customer_key: customerKey, program_id: String(funnel.id) };
		await send(funnel, stripeStory({ metadata }).checkout.completed());
		expect(await customersOf(clickId)).toMatchObject([{ customer_key: customerKey, status: 'conversion' }]);
	});

	test('records no sale for a customer without a partner', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = unique('customer');
		await track('lead', { customer_key: customerKey }, funnel.apiToken);
		const event = stripeStory({ metadata: { tracker_customer_key: customerKey } }).checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toMatch(/^waiting: waits: as far as is known, no partner brought the customer/);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, event)).toBe('expired: not recorded: no partner brought the customer');
		expect(await rows('SELECT id FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([]);
	});

	test("is refused if the customer's partner has left", async () => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel) };
		await api(`${funnel.path}/partners/${funnel.partnerId}`, { method: 'DELETE', token: funnel.owner.token });
		const event = stripeStory({ metadata }).checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toBe('refused: Refused: No partner-program relationship found for this customer');
	});
});

describe('program_id', () => {
	test.each([
		['another program', (id: number) => String(id + 1)],
		['another spelling', (id: number) => `0${id}`],
		['nonsense', () => 'my-program'],
	])('of %s: nothing is applied, and no reference is stored', async (_what, spell) => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel), program_id: spell(funnel.id) };
		const story = stripeStory({ mode: 'subscription', metadata });
		const events = [story.checkout.completed(), story.first.invoicePaid()];
		await send(funnel, ...events);
		for (const event of events) {
			expect(await outcomeOf(funnel, event)).toBe('refused: The program_id in the metadata does not match the program of this address');
		}
		for (const binding of await bindingsOf(funnel)) expect(binding).toMatchObject({ customer_key: null, click_id: null });
		expect(await rows('SELECT id FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([]);
	});

	test('may be missing, or name this program', async () => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel), program_id: ` ${funnel.id} ` };
		await send(funnel, stripeStory({ metadata }).checkout.completed());
		expect(await balanceOf(funnel)).toBe(2_000);
	});
});

/** Only its checkout has metadata. */
async function aMuteSubscription(funnel: StripeFunnel) {
	const metadata = { tracker_customer_key: await aLead(funnel) };
	return stripeStory({ mode: 'subscription', metadata, subscriptionMetadata: {} });
}

const UNSET =
	'renewal not attributed: its subscription has no tracker metadata. Put tracker_customer_key or tracker_click_id in the metadata of the subscription (in Checkout: subscription_data.metadata), or turn on renewals_follow_checkout for the program';

describe('the first invoice of a subscription without metadata', () => {
	test("belongs to the checkout's customer, in either order", async () => {
		const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
		const story = await aMuteSubscription(funnel);
		await send(funnel, story.checkout.completed(), story.first.invoicePaid());
		expect(await balanceOf(funnel)).toBe(2_000);
		const late = await aMuteSubscription(other);
		const invoice = late.first.invoicePaid();
		await send(other, invoice);
		expect(await outcomeOf(other, invoice)).toBe('waiting: waits: nothing identifies the customer yet; an earlier event may still arrive');
		await send(other, late.checkout.completed());
		expect(await balanceOf(other)).toBe(2_000);
	});

	test("is not attributed by another program's checkout", async () => {
		const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
		const story = await aMuteSubscription(funnel);
		await send(funnel, story.checkout.completed());
		const invoice = story.first.invoicePaid();
		await send(other, invoice);
		expect(await outcomeOf(other, invoice)).toMatch(/^waiting: /);
		expect(await balanceOf(other)).toBe(0);
	});
});

describe('a renewal of a subscription without metadata', () => {
	test('is not attributed by its checkout or its first sale: the inbox says what to set', async () => {
		const funnel = await aStripeFunnel();
		const story = await aMuteSubscription(funnel);
		const renewal = story.renew().invoicePaid();
		await send(funnel, story.checkout.completed(), story.first.invoicePaid(), renewal);
		expect(await outcomeOf(funnel, renewal)).toBe(`waiting: waits: ${UNSET}`);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, renewal)).toBe(`expired: ${UNSET}`);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('is not attributed by another checkout of the same Stripe customer', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = await aLead(funnel);
		const silent = stripeStory({ mode: 'subscription' });
		const { customer } = silent.ids;
		const single = stripeStory({ metadata: { tracker_customer_key: customerKey }, customer });
		const speaking = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: customerKey }, customer });
		await send(funnel, single.checkout.completed(), ...speaking.first.events());
		const events = [silent.first.invoicePaid(), silent.renew().invoicePaid()];
		await send(funnel, ...events);
		for (const event of events) expect(await outcomeOf(funnel, event)).toMatch(/^waiting: /);
		expect(await balanceOf(funnel)).toBe(4_000);
	});

	test('is the sale that the backend reports, which resumes it', async () => {
		const funnel = await aStripeFunnel();
		const renewal = stripeStory({ mode: 'subscription', amount: 11_900, tax: 1_900 }).renew();
		const invoice = renewal.invoicePaid();
		await send(funnel, invoice);
		const sale = { transaction_id: renewal.ids.invoice, amount_cents: 10_000, customer_key: await aLead(funnel) };
		await backendSells(funnel, sale);
		expect(await outcomeOf(funnel, invoice)).toMatch(/^applied: Already recorded as sale \d+$/);
		expect(await rows('SELECT charged_cents FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([
			{ charged_cents: 11_900 },
		]);
	});

	test('expires with a reason if it is never attributed', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ mode: 'subscription' });
		const [first, renewal] = [story.first.invoicePaid(), story.renew().invoicePaid()];
		await send(funnel, first, renewal);
		await tickAt(Date.now() + 4 * DAY_MS - HOUR_MS);
		expect(await inboxOf(funnel, '?state=waiting')).toHaveLength(2);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, renewal)).toBe(`expired: ${UNSET}`);
		expect(await outcomeOf(funnel, first)).toBe(
			'expired: not attributed: neither the subscription nor its checkout session has tracker metadata',
		);
		expect(await rows('SELECT * FROM processor_event_waits WHERE program_id = ?', funnel.id)).toEqual([]);
	});
});

describe('with renewals_follow_checkout, a renewal of a subscription without metadata', () => {
	test("belongs to the partner of its subscription's first sale, in either order", async () => {
		const funnel = await aStripeFunnel({ renewals_follow_checkout: true });
		const story = await aMuteSubscription(funnel);
		const [first, renewal] = [story.first.invoicePaid(), story.renew().invoicePaid()];
		await send(funnel, renewal, first);
		expect(await outcomeOf(funnel, renewal)).toMatch(
			/^waiting: waits: renewal not attributed: its subscription has no tracker metadata and no earlier sale\. Put /,
		);
		await send(funnel, story.checkout.completed());
		expect(await balanceOf(funnel)).toBe(4_000);
		await send(funnel, story.renew().invoicePaid());
		expect(await balanceOf(funnel)).toBe(6_000);
	});

	test('needs a sale: a checkout alone is not enough', async () => {
		const funnel = await aStripeFunnel({ renewals_follow_checkout: true });
		const story = await aMuteSubscription(funnel);
		const renewal = story.renew().invoicePaid();
		await send(funnel, story.checkout.completed(), renewal);
		expect(await outcomeOf(funnel, renewal)).toMatch(/^waiting: /);
	});

	test("belongs to the customer that the backend named in the subscription's first sale", async () => {
		const funnel = await aStripeFunnel({ renewals_follow_checkout: true });
		const story = stripeStory({ mode: 'subscription' });
		await backendSells(funnel, { customer_key: await aLead(funnel), subscription_id: story.ids.subscription });
		await send(funnel, story.renew().invoicePaid());
		expect(await balanceOf(funnel)).toBe(4_000);
	});

	test('belongs to the customer that the backend names later, which resumes it', async () => {
		const funnel = await aStripeFunnel({ renewals_follow_checkout: true });
		const story = stripeStory({ mode: 'subscription' });
		await send(funnel, story.renew().invoicePaid());
		await backendSells(funnel, { customer_key: await aLead(funnel), subscription_id: story.ids.subscription });
		expect(await balanceOf(funnel)).toBe(4_000);
	});

	test('but a first invoice is not attributed by a sale that the backend reported under its own id', async () => {
		const funnel = await aStripeFunnel({ renewals_follow_checkout: true });
		const story = stripeStory({ mode: 'subscription' });
		await backendSells(funnel, { customer_key: await aLead(funnel), subscription_id: story.ids.subscription });
		await send(funnel, story.first.invoicePaid());
		expect(await balanceOf(funnel)).toBe(2_000);
	});
});

describe('a customer who is not known yet', () => {
	test('makes the event wait for a late lead', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = unique('customer');
		const event = stripeStory({ metadata: { tracker_customer_key: customerKey } }).checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toBe('waiting: waits: no customer has its customer_key or click_id yet; report the lead');
		await track('lead', { customer_key: customerKey, click_id: await aClick(funnel) }, funnel.apiToken);
		await tickAt(Date.now() + 2 * MINUTE_MS);
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Sale/);
	});

	test('expires with a reason if the lead never arrives', async () => {
		const funnel = await aStripeFunnel();
		const event = stripeStory({ metadata: { tracker_customer_key: unique('customer') } }).checkout.completed();
		await send(funnel, event);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, event)).toBe(
			'expired: not attributed: no customer has its customer_key or click_id, and no lead arrived',
		);
		expect(await customersWith('customer', funnel)).toEqual([]);
	});
});

test('a click of another program does not attribute', async () => {
	const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
	const clickId = await mintClickId(await linkIdOf(other));
	const event = stripeStory({ metadata: { tracker_click_id: clickId } }).checkout.completed();
	await send(funnel, event);
	expect(await outcomeOf(funnel, event)).toBe('refused: Refused: No affiliate attribution found for this customer in this program');
	expect([await balanceOf(funnel), await balanceOf(other)]).toEqual([0, 0]);
});
