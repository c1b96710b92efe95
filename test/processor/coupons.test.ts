import { beforeAll, describe, expect, test } from 'vitest';
import { stripeStory } from '../../testing/stripe/story.ts';
import { eventOf, type StripeEvent, withObject } from '../../testing/stripe/wire.ts';
import { aCoupon, aRival, type TestCoupon } from '../support/coupons.ts';
import { aLead, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, send, type StripeFunnel } from '../support/inbox.ts';
import { unique } from '../support/world.ts';

// Stripe identifies a payment's coupon only by ids, which other events resolve.

const SETTING = { shape: 'new', livemode: true, currency: 'usd', customer: 'cus_1' } as const;

let funnel: StripeFunnel;
let coupon: TestCoupon;
let promotion: string;
beforeAll(async () => {
	funnel = await aStripeFunnel();
	coupon = await aCoupon(funnel);
	promotion = unique('promo_');
	await send(funnel, promotionCode(promotion, coupon.code));
});

function promotionCode(id: string, code: string, metadata = {}): StripeEvent {
	return eventOf(SETTING, 'promotion_code.created', Math.floor(Date.now() / 1000), {
		id,
		object: 'promotion_code',
		code,
		active: true,
		metadata,
	});
}

function discounted(events: readonly StripeEvent[], type: string, discounts: unknown): StripeEvent[] {
	return events.map((event) => (event.type === type ? withObject(event, { discounts }) : event));
}

const customerKey = async () => {
	const key = unique('customer');
	await track('lead', { customer_key: key }, funnel.apiToken);
	return key;
};
const salesOf = (transactionId: string) =>
	rows<{ partner: number; coupon: number | null; verdict: string | null }>(
		`SELECT partner_program_id AS partner, coupon_id AS coupon, decision_facts ->> '$.coupon[0]' AS verdict
		FROM affiliate_sale_events WHERE processor_event_id = ?`,
		transactionId,
	);
const ours = (verdict: string) => [{ partner: funnel.partnerProgramId, coupon: coupon.id, verdict }];

describe('a checkout with a promotion code', () => {
	test.each<[what: string, discount: () => unknown]>([
		['by its id', () => ({ coupon: null, promotion_code: promotion })],
		['as an object', () => ({ promotion_code: { id: 'promo_other', code: coupon.code.toLowerCase(), metadata: {} } })],
	])('%s: for a customer without a partner', async (_what, discount) => {
		const story = stripeStory({ metadata: { tracker_customer_key: await customerKey() } });
		await send(funnel, ...discounted(story.first.events(), 'checkout.session.completed', [discount()]));
		expect(await salesOf(story.first.transactionId)).toEqual(ours('attributed'));
	});

	test('without a customer: the coupon alone attributes the sale', async () => {
		const story = stripeStory({});
		await send(funnel, ...discounted(story.first.events(), 'checkout.session.completed', [{ promotion_code: promotion }]));
		expect(await salesOf(story.first.transactionId)).toEqual(ours('attributed'));
	});

	test('for a customer with a partner changes nothing', async () => {
		const rival = await aRival(funnel);
		const other = unique('promo_');
		await send(funnel, promotionCode(other, 'another name', { tracker_coupon_code: rival.coupon.code }));
		const story = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
		await send(funnel, ...discounted(story.first.events(), 'checkout.session.completed', [{ promotion_code: other }]));
		expect(await salesOf(story.first.transactionId)).toEqual([{ ...ours('other')[0], coupon: null }]);
	});

	test('changes nothing if it is not one of our coupons, or is a discount without a code', async () => {
		for (const discounts of [[{ promotion_code: 'promo_unknown' }], [{ promotion_code: null }], ['di_1'], [], 'x', [null, 1]]) {
			const story = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
			await send(funnel, ...discounted(story.first.events(), 'checkout.session.completed', discounts));
			expect(await salesOf(story.first.transactionId)).toMatchObject([{ partner: funnel.partnerProgramId, coupon: null }]);
		}
	});
});

describe('a subscription', () => {
	test("whose checkout has the code, which its invoice names by the discount's id", async () => {
		const key = await customerKey();
		const metadata = { tracker_customer_key: key };
		const story = stripeStory({ mode: 'subscription', metadata });
		const events = discounted(story.first.events(), 'checkout.session.completed', [{ promotion_code: promotion }]);
		const named = ['invoice.paid', 'invoice.payment_succeeded'].reduce((all, type) => discounted(all, type, ['di_of_it']), events);
		await send(funnel, ...named);
		expect(await salesOf(story.first.transactionId)).toEqual(ours('attributed'));
		const renewal = story.renew();
		await send(funnel, ...renewal.events());
		expect(await salesOf(renewal.transactionId)).toEqual([{ partner: funnel.partnerProgramId, coupon: null, verdict: null }]);
	});

	test('whose discount arrives in its own event', async () => {
		const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: await customerKey() } });
		const id = unique('di_');
		const discount = { id, object: 'discount', promotion_code: promotion, subscription: story.ids.subscription, customer: 'cus_1' };
		await send(funnel, eventOf(SETTING, 'customer.discount.created', Math.floor(Date.now() / 1000), discount));
		await send(
			funnel,
			...['invoice.paid', 'invoice.payment_succeeded'].reduce((all, type) => discounted(all, type, [id]), story.first.events()),
		);
		expect(await salesOf(story.first.transactionId)).toEqual(ours('attributed'));
	});

	test("without a customer, and its renewals, which belong to the coupon's partner", async () => {
		const following = await aStripeFunnel({ renewals_follow_checkout: true });
		const own = await aCoupon(following);
		const id = unique('promo_');
		await send(following, promotionCode(id, own.code));
		const story = stripeStory({ mode: 'subscription' });
		const events = discounted(story.first.events(), 'checkout.session.completed', [{ promotion_code: id }]);
		await send(following, ...['invoice.paid', 'invoice.payment_succeeded'].reduce((all, type) => discounted(all, type, ['di_2']), events));
		expect(await salesOf(story.first.transactionId)).toMatchObject([{ coupon: own.id, verdict: 'attributed' }]);
		const renewal = story.renew();
		await send(following, ...renewal.events());
		expect(await salesOf(renewal.transactionId)).toMatchObject([{ partner: following.partnerProgramId }]);
		expect(await rows('SELECT id FROM customers WHERE program_id = ?', following.id)).toHaveLength(1);
	});
});

test("a code in a payment's metadata counts by itself", async () => {
	const story = stripeStory({ metadata: { tracker_customer_key: await customerKey(), tracker_coupon_code: coupon.code.toLowerCase() } });
	await send(funnel, ...story.first.events());
	expect(await salesOf(story.first.transactionId)).toEqual(ours('attributed'));
});

test('the inbox names the promotion code', async () => {
	const own = await aStripeFunnel();
	await send(own, promotionCode('promo_1', 'pat20'), promotionCode('promo_2', ' '));
	const reasons = (await inboxOf(own)).map(({ state, reason }) => [state, reason]);
	expect(reasons).toEqual([
		['ignored', 'promotion code without an id or a code'],
		['applied', 'Promotion code PAT20. Stored for later payments'],
	]);
	await send(own, promotionCode('promo_1', 'ben10'));
	expect(await rows('SELECT processor, processor_id, code FROM coupon_ids WHERE program_id = ?', own.id)).toEqual([
		{ processor: 'stripe', processor_id: 'promo_1', code: 'BEN10' },
	]);
});
