import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { missingStripeEvents } from '../../src/processor/stripe/missing-events.ts';
import { readStatus } from '../../src/reporting/read-status.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Story, StoryOptions } from '../../testing/stripe/story-types.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt } from '../support/clock.ts';
import { aLead, aSale, track } from '../support/funnel.ts';
import { aStripeFunnel, aSubscription, inboxOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { api, unique } from '../support/world.ts';

// Problems that cause no refused event or call: events that are not selected at the processor, and sales reported twice.

async function actionOf(name: string, funnel: StripeFunnel, now = Date.now() + HOUR_MS): Promise<string | null | undefined> {
	const { checks } = await readStatus(contextAt(now), funnel.id);
	return checks.find((check) => check.name === name)?.nextAction;
}

async function sendWithout(funnel: StripeFunnel, story: Story, type: string): Promise<void> {
	await send(funnel, ...story.first.events().filter((event) => event.type !== type));
}

const aPaidSubscription = async (options: StoryOptions = {}) => {
	const funnel = await aStripeFunnel();
	return { funnel, story: await aSubscription(funnel, options) };
};

describe('an event that Stripe is not set to send', () => {
	const SELECTED = 'stripe_events_selected';

	test('is named with its purpose over HTTP, until it arrives', async () => {
		const { funnel, story } = await aPaidSubscription();
		await sendWithout(funnel, story, 'invoice_payment.paid');
		expect(await actionOf(SELECTED, funnel, Date.now())).toBeNull();
		await atInstant(Date.now() + HOUR_MS, async () => {
			const { body } = await api<{ blocker: string; gates: { payout: { next_action: string } } }>(`${funnel.path}/status`, {
				token: funnel.owner.token,
			});
			expect(body.data).toMatchObject({ blocker: expect.any(String), gates: { payout: { status: 'fail' } } });
			expect(body.data.gates.payout.next_action).toMatch(
				/^Stripe does not send all the events that are needed\. Add to the events of its webhook endpoint: invoice_payment\.paid, because its invoices \(API version 20[\d-]+\.\w+\) do not name their payment/,
			);
		});
		await send(funnel, story.renew().invoicePaymentPaid());
		expect(await actionOf(SELECTED, funnel)).toBeNull();
	});

	test.each<[string, StoryOptions]>([
		['if an older API version names the payment in its invoices', { shape: 'old' }],
		['if nothing was charged', { trialDays: 14 }],
	])('is not required %s', async (_where, options) => {
		const { funnel, story } = await aPaidSubscription(options);
		await sendWithout(funnel, story, 'invoice_payment.paid');
		expect(await actionOf(SELECTED, funnel)).toBeNull();
	});

	test('is reported separately for test mode, which has its own endpoint', async () => {
		const { funnel, story } = await aPaidSubscription();
		await send(funnel, ...story.first.events());
		const tested = await aSubscription(funnel, { livemode: false });
		await sendWithout(funnel, tested, 'invoice_payment.paid');
		expect(await actionOf(SELECTED, funnel)).toMatch(/: invoice_payment\.paid \(to the endpoint for test mode\), because its invoices/);
	});

	test('may be the one that records sales', async () => {
		const { funnel, story } = await aPaidSubscription();
		await send(funnel, story.first.invoicePaymentPaid(), story.first.chargeSucceeded());
		expect(await actionOf(SELECTED, funnel)).toMatch(/: invoice\.paid, because only this event records the sales of paid invoices/);
		await send(funnel, story.first.invoicePaymentSucceeded());
		expect(await actionOf(SELECTED, funnel)).toBeNull();
	});

	test('is not reported if its companion may be out of range or on its way', () => {
		const lone = { type: 'invoice_payment.paid', isTest: false };
		expect(missingStripeEvents([{ ...lone, isEvidence: false }], [])).toEqual([]);
		expect(missingStripeEvents([{ ...lone, isEvidence: true }], [])).toMatchObject([{ type: 'invoice.paid' }]);
		expect(missingStripeEvents([], [{ apiVersion: '2025-02-24.acacia', isTest: false }])).toEqual([]);
		expect(missingStripeEvents([], [{ apiVersion: '2025-03-31.basil', isTest: true }])).toMatchObject([{ isTest: true }]);
	});
});

const AFTER_THE_WAIT = Date.now() + 4 * DAY_MS + HOUR_MS;

describe('a refund or dispute without a payment', () => {
	const LINKED = 'stripe_reversals_linked';

	test('is reported with advice after it expired, for a week or until its replay', async () => {
		const { funnel, story } = await aPaidSubscription();
		await send(funnel, story.first.invoicePaid());
		const dispute = story.first.dispute().created();
		await send(funnel, dispute);
		expect(await actionOf(LINKED, funnel)).toBeNull();
		await tickAt(AFTER_THE_WAIT);
		const [row] = await inboxOf(funnel, `?event_id=${dispute.id}`);
		const told = await actionOf(LINKED, funnel, AFTER_THE_WAIT);
		expect(told).toMatch(
			new RegExp(
				`^The charge\\.dispute\\.created ${dispute.id} from Stripe expired on \\d+ \\w+ 20.* UTC: no sale of this payment was recorded. No commission was reversed`,
			),
		);
		expect(told).toContain(`POST ${funnel.path}/processor-events/${row?.id}/replay`);
		expect(await actionOf(LINKED, funnel, AFTER_THE_WAIT + 8 * DAY_MS)).toBeNull();
		await send(funnel, story.first.invoicePaymentPaid());
		await api(`${funnel.path}/processor-events/${row?.id}/replay`, { token: funnel.owner.token, method: 'POST' });
		expect(await actionOf(LINKED, funnel, AFTER_THE_WAIT)).toBeNull();
	});

	test('is not reported if the payment is known, or belongs to nobody or another program', async () => {
		const funnel = await aStripeFunnel();
		const theirs = stripeStory({ metadata: { program_id: '1000000', tracker_customer_key: 'x' } });
		const [direct, unknown] = [{ tracker_customer_key: unique('direct') }, { tracker_customer_key: unique('unknown') }];
		await track('lead', { customer_key: direct.tracker_customer_key }, funnel.apiToken);
		for (const story of [theirs, stripeStory(), stripeStory({ metadata: direct }), stripeStory({ metadata: unknown })]) {
			await send(funnel, story.checkout.completed(), story.first.refund().created());
		}
		await tickAt(AFTER_THE_WAIT);
		expect(await inboxOf(funnel, '?state=waiting')).toEqual([]);
		expect(await actionOf(LINKED, funnel, AFTER_THE_WAIT)).toBeNull();
	});
});

async function aStripeSale(options: StoryOptions = {}) {
	const funnel = await aStripeFunnel();
	const customerKey = await aLead(funnel);
	const story = stripeStory({ metadata: { tracker_customer_key: customerKey }, ...options });
	await send(funnel, story.checkout.completed());
	return { funnel, customerKey, story };
}

describe('a payment that backend and processor report under different ids', () => {
	const ONCE = 'sales_reported_once';

	test('is reported with both ids and advice, for a week or until one is refunded', async () => {
		const { funnel, customerKey, story } = await aStripeSale();
		expect(await actionOf(ONCE, funnel)).toBeNull();
		await aSale(funnel, { transaction_id: `order-${customerKey}`, customer_key: customerKey });
		const told = await actionOf(ONCE, funnel);
		expect(told).toMatch(/^Possible double reporting: in the last 7 days, .* 1 pair of sales /);
		expect(told).toContain(`The newest pair is ${story.first.ids.paymentIntent} and order-${customerKey}. `);
		expect(await actionOf(ONCE, funnel, Date.now() + 8 * DAY_MS)).toBeNull();
		await track('refund', { transaction_id: `order-${customerKey}` }, funnel.apiToken);
		expect(await actionOf(ONCE, funnel)).toBeNull();
	});

	test('is found even if only the backend includes the tax', async () => {
		const { funnel, customerKey } = await aStripeSale({ amount: 11_900, tax: 1_900 });
		await aSale(funnel, { customer_key: customerKey, amount_cents: 11_900 });
		expect(await actionOf(ONCE, funnel)).toMatch(/^Possible double reporting/);
	});

	test.each<[string, Record<string, unknown>]>([
		['another amount', { amount_cents: 9_900 }],
		['another currency', { currency: 'EUR' }],
		['another customer', { customer_key: undefined }],
	])('is not assumed with %s', async (_what, change) => {
		const { funnel, customerKey } = await aStripeSale();
		const other = 'customer_key' in change ? await aLead(funnel) : customerKey;
		await aSale(funnel, { ...change, customer_key: other });
		expect(await actionOf(ONCE, funnel)).toBeNull();
	});

	test('is not assumed if the two are more than an hour apart', async () => {
		const { funnel, customerKey } = await aStripeSale();
		await atInstant(Date.now() + HOUR_MS + MINUTE_MS, async () => {
			await aSale(funnel, { customer_key: customerKey });
		});
		expect(await actionOf(ONCE, funnel, Date.now() + 2 * HOUR_MS)).toBeNull();
	});

	test('is not assumed for one sale with several ids, or for renewals', async () => {
		const { funnel, story } = await aPaidSubscription();
		await send(funnel, ...story.first.events(), ...story.renew().events(), ...story.renew().events());
		const { status } = await track('sale', { transaction_id: story.first.ids.charge, amount_cents: 10_000 }, funnel.apiToken);
		expect(status).toBe(409);
		expect(await actionOf(ONCE, funnel)).toBeNull();
	});
});
