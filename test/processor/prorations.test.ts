import { describe, expect, test } from 'vitest';
import { aLead, balanceOf, rows } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, send, type StripeFunnel } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { withLines, withObject } from '../../testing/stripe/wire.ts';
import { api } from '../support/world.ts';

// Which parts of a payment earn (decision 42): prorations, flat rules and shipping.

const SHAPES = ['new', 'old'] as const;

async function flatFunnel(): Promise<StripeFunnel> {
	const funnel = await aStripeFunnel();
	const body = { product_id: 'pro', type: 'flat', amount_cents: 700, currency: 'USD' };
	const { status, text } = await api(`${funnel.path}/commission-rules`, { method: 'POST', token: funnel.owner.token, body });
	if (status !== 201) throw new Error(text);
	return funnel;
}

const aSubscriber = async (funnel: StripeFunnel, shape: (typeof SHAPES)[number], product = 'pro') =>
	stripeStory({ shape, mode: 'subscription', product, metadata: { tracker_customer_key: await aLead(funnel) } });

describe('the proration of an upgrade', () => {
	test.each(SHAPES)('earns no flat commission; first payment and renewal do: %s', async (shape) => {
		const funnel = await flatFunnel();
		const story = await aSubscriber(funnel, shape);
		const upgrade = story.renew({ billingReason: 'subscription_update', isProration: true, amount: 3_000 });
		const [paid, again] = [upgrade.invoicePaid(), upgrade.invoicePaymentSucceeded()];
		await send(funnel, story.first.invoicePaid(), paid, again, story.renew().invoicePaid());
		expect(await outcomeOf(funnel, paid)).toMatch(
			/^applied: Sale \d+ recorded, no commission: a flat commission is for first payments and regular renewals, and this is a proration$/,
		);
		expect(await balanceOf(funnel)).toBe(1_400);
		expect(await rows('SELECT count(*) AS sales FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([{ sales: 3 }]);
		await expectSoundLedger(funnel);
	});

	test.each(SHAPES)('earns a percentage: %s', async (shape) => {
		const funnel = await aStripeFunnel();
		const story = await aSubscriber(funnel, shape);
		const upgrade = story.renew({ billingReason: 'subscription_update', isProration: true, amount: 3_000 });
		await send(funnel, story.first.invoicePaid(), upgrade.invoicePaid());
		expect(await balanceOf(funnel)).toBe(2_600);
	});

	test('differs from the start of a new period, and from a renewal that also bills a change', async () => {
		const funnel = await flatFunnel();
		const story = await aSubscriber(funnel, 'old');
		const anew = story.renew({ billingReason: 'subscription_update' }).invoicePaid();
		const besides = withLines(story.renew().invoicePaid(), {}, { id: 'il_2', proration: true, amount: 500 });
		const credited = story.renew({ billingReason: 'subscription_update', isProration: true }).invoicePaid();
		const withCredit = withLines(credited, { proration: true, amount: 3_000 }, { id: 'il_2', proration: true, amount: -1_000 });
		await send(funnel, story.first.invoicePaid(), anew, besides, withCredit);
		expect(await balanceOf(funnel)).toBe(2_100);
	});

	test('is not assumed if the invoice has more lines than were sent', async () => {
		const funnel = await flatFunnel();
		const story = await aSubscriber(funnel, 'old');
		const upgrade = story.renew({ billingReason: 'subscription_update', isProration: true }).invoicePaid();
		const { object } = upgrade.data;
		const lines = 'lines' in object && typeof object.lines === 'object' ? { ...object.lines, has_more: true } : {};
		await send(funnel, story.first.invoicePaid(), withObject(upgrade, { lines }));
		// The product is unknown as well, so the program's default rule applies, which is a percentage.
		expect(await balanceOf(funnel)).toBe(700 + 2_000);
	});

	test('is explained', async () => {
		const funnel = await flatFunnel();
		const story = await aSubscriber(funnel, 'new');
		const upgrade = story.renew({ billingReason: 'subscription_update', isProration: true });
		await send(funnel, story.first.invoicePaid(), upgrade.invoicePaid());
		const { status, text } = await api(`${funnel.path}/explain?payment_id=${upgrade.ids.invoice}`, { token: funnel.owner.token });
		expect([status, text]).toEqual([200, expect.stringContaining('a flat commission is for first payments and regular renewals')]);
	});
});

const AMOUNTS = { amount: 12_900, tax: 1_900, shipping: 1_000 };
const salesOf = ({ id }: StripeFunnel) =>
	rows('SELECT amount_cents AS cents, charged_cents AS charged FROM affiliate_sale_events WHERE program_id = ?', id);

describe('shipping', () => {
	test.each(SHAPES)('does not count, whether checkout, invoice or captured payment makes the sale: %s', async (shape) => {
		for (const withInvoice of [false, true]) {
			const funnel = await aStripeFunnel();
			const metadata = { tracker_customer_key: await aLead(funnel) };
			const { checkout, first } = stripeStory({ shape, metadata, withInvoice, ...AMOUNTS });
			await send(funnel, ...(withInvoice ? [withObject(first.invoicePaid(), { metadata })] : []), checkout.completed());
			expect(await salesOf(funnel)).toEqual([{ cents: 10_000, charged: 12_900 }]);
			await send(funnel, first.refund(6_450).created());
			expect(await balanceOf(funnel)).toBe(1_000);
		}
		const funnel = await aStripeFunnel();
		const captured = stripeStory({ shape, metadata: { tracker_customer_key: await aLead(funnel) }, captured: 6_450, ...AMOUNTS });
		await send(funnel, captured.checkout.completed('unpaid'), captured.first.paymentIntentSucceeded());
		expect(await salesOf(funnel)).toEqual([{ cents: 5_000, charged: 6_450 }]);
	});

	test('counts if the program uses everything that was charged', async () => {
		const funnel = await aStripeFunnel({}, { amount_basis: 'gross' });
		await send(funnel, stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) }, ...AMOUNTS }).checkout.completed());
		expect(await salesOf(funnel)).toEqual([{ cents: 12_900, charged: 12_900 }]);
	});

	test.each([
		['its tax is included', { amount_subtotal: 1_000, amount_tax: 160, amount_total: 1_000 }, 12_900 - 1_900 - 840],
		['its tax is on top', { amount_subtotal: 1_000, amount_tax: 190, amount_total: 1_190 }, 10_000],
		['only the sum is reported', null, 10_000],
	])('is subtracted without its tax: %s', async (_what, shipping_cost, cents) => {
		const funnel = await aStripeFunnel();
		const { checkout } = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) }, ...AMOUNTS });
		await send(funnel, withObject(checkout.completed(), { shipping_cost }));
		expect(await salesOf(funnel)).toMatchObject([{ cents }]);
	});

	test('is reported by an intent created by the business', async () => {
		const funnel = await aStripeFunnel();
		const intentMetadata = { tracker_customer_key: await aLead(funnel) };
		const paid = stripeStory({ isIntentAlone: true, intentMetadata, amount: 11_000 }).first.paymentIntentSucceeded();
		await send(funnel, withObject(paid, { amount_details: { shipping: { amount: 1_000 } } }));
		expect(await salesOf(funnel)).toMatchObject([{ cents: 10_000, charged: 11_000 }]);
	});
});
