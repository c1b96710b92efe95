import { describe, expect, test } from 'vitest';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { aClick, aLead, aPartner, balanceOf, track } from '../support/funnel.ts';
import { aStripeFunnel, eventWith, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { unique } from '../support/world.ts';

// Removing the keys from a subscription's metadata stops its commissions (decision 33).

const UNSET =
	'renewal not attributed: its subscription has no tracker metadata. Put tracker_customer_key or tracker_click_id in the metadata of the subscription (in Checkout: subscription_data.metadata), or turn on renewals_follow_checkout for the program';

const named = (customerKey: string) => ({ tracker_customer_key: customerKey });

interface InvoiceObject {
	readonly parent?: { readonly subscription_details?: object };
	readonly subscription_details?: object;
	readonly lines?: { readonly data: readonly object[] };
}

/** A renewal's invoice without the keys in its subscription and its lines. */
function withoutKeys(event: StripeEvent): StripeEvent {
	const { parent, subscription_details: details, lines }: InvoiceObject = event.data.object;
	return eventWith(event, {
		...(parent && { parent: { ...parent, subscription_details: { ...parent.subscription_details, metadata: {} } } }),
		...(details && { subscription_details: { metadata: {} } }),
		lines: { ...lines, data: (lines?.data ?? []).map((line) => ({ ...line, metadata: {} })) },
	});
}

/** Its metadata had the keys at first and later does not. */
async function aStoppedSubscription(funnel: StripeFunnel, shape: 'new' | 'old' = 'new') {
	const story = stripeStory({ mode: 'subscription', metadata: named(await aLead(funnel)), shape });
	await send(funnel, story.subscription.created(), story.checkout.completed(), story.first.invoicePaid());
	expect(await balanceOf(funnel)).toBe(2_000);
	return story;
}

const renewed = (story: Awaited<ReturnType<typeof aStoppedSubscription>>) => withoutKeys(story.renew().invoicePaid());

describe('a renewal with subscription metadata, but without the keys', () => {
	test.each(['new', 'old'] as const)('is not attributed, though earlier events had them (the %s shape of invoices)', async (shape) => {
		const funnel = await aStripeFunnel();
		const story = await aStoppedSubscription(funnel, shape);
		const renewal = renewed(story);
		await send(funnel, renewal);
		expect(await outcomeOf(funnel, renewal)).toBe(`waiting: waits: ${UNSET}`);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, renewal)).toBe(`expired: ${UNSET}`);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('is not attributed by the lines of an earlier change', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStoppedSubscription(funnel);
		const { parent }: { parent?: object } = renewed(story).data.object;
		const renewal = eventWith(story.renew().invoicePaid(), { parent });
		expect(JSON.stringify(renewal)).toContain('tracker_customer_key');
		await send(funnel, renewal);
		expect(await outcomeOf(funnel, renewal)).toMatch(/^waiting: /);
	});

	test('belongs to the customer in its own metadata', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStoppedSubscription(funnel);
		await send(funnel, eventWith(renewed(story), { metadata: named(await aLead(funnel)) }));
		expect(await balanceOf(funnel)).toBe(4_000);
	});

	test('belongs to the customer that the subscription names later', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStoppedSubscription(funnel);
		const renewal = renewed(story);
		await send(funnel, renewal);
		const updated = story.subscription.updated();
		await send(funnel, { ...eventWith(updated, { metadata: named(await aLead(funnel)) }), created: renewal.created + 60 });
		expect(await outcomeOf(funnel, renewal)).toMatch(/^applied: Sale \d+ recorded/);
	});

	test('follows the first sale with renewals_follow_checkout, whatever later events name', async () => {
		const funnel = await aStripeFunnel({ renewals_follow_checkout: true });
		const other = await aPartner(funnel.owner, funnel.id);
		const story = await aStoppedSubscription(funnel);
		const customer_key = unique('other');
		await track('lead', { click_id: await aClick(other), customer_key }, funnel.apiToken);
		await send(funnel, eventWith(story.subscription.updated(), { metadata: named(customer_key) }), renewed(story));
		expect([await balanceOf(funnel), await balanceOf(other)]).toEqual([4_000, 0]);
	});

	test('without any metadata, like invoices from before 2023, is attributed by earlier events', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStoppedSubscription(funnel, 'old');
		await send(funnel, eventWith(renewed(story), { subscription_details: { metadata: null } }));
		expect(await balanceOf(funnel)).toBe(4_000);
	});

	test('a first invoice still follows the checkout', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ mode: 'subscription', metadata: named(await aLead(funnel)), subscriptionMetadata: {} });
		await send(funnel, story.checkout.completed(), story.first.invoicePaid());
		expect(await balanceOf(funnel)).toBe(2_000);
	});
});
