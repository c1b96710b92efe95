import { stripeStory } from '../../testing/stripe/story.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import type { HeldService } from './held-service.ts';
import { Program } from './program.ts';

// A month of four programs, with every kind of event that changes a metric. Each function covers a day or two.

export interface Story {
	readonly shop: Program;
	readonly channel: Program;
	readonly kiosk: Program;
	readonly elsewhere: Program;
}

/** `ada` and `eve` are session tokens. */
export async function playStory(service: HeldService, ada: string, eve: string): Promise<Story> {
	const deliver = () => service.worker.deliverHeld();
	const story = await begin(service, ada, eve);
	service.goOnAt('03');
	await firstVisitors(story, deliver);
	service.goOnAt('04');
	await firstSales(story);
	await service.tickOn('04');
	service.goOnAt('05');
	await lateClicks(story);
	await deliver();
	service.goOnAt('07', '23:30');
	await refunds(story);
	await deliver();
	service.goOnAt('09');
	await failedCommissions(service, story);
	await service.tickOn('10');
	service.goOnAt('11');
	await withoutCommission(story);
	service.goOnAt('12');
	const isWon = await stripePayments(story);
	service.goOnAt('14');
	await paid(story);
	await story.shop.stripe(...isWon);
	service.goOnAt('16');
	await members(story);
	await deliver();
	service.goOnAt('20', '03:30');
	await otherZones(story);
	await service.tickOn('20');
	service.goOnAt('29', '00:30');
	await lastDays(story);
	await service.tickOn('29');
	service.goOnAt('30', '09:00');
	await leftOpen(service, story);
	return story;
}

async function begin(service: HeldService, ada: string, eve: string): Promise<Story> {
	const shop = await Program.make(service, ada, { name: 'Shop', domain: 'shop.example', ...percent(20) });
	await shop.manage('/commission-rules', { type: 'percent', percent: 33.33, product_id: 'pro', hold_days: 14 });
	for (const name of ['ann', 'ben', 'cat']) await shop.join(name);
	await shop.link('ann', 'ann-2');
	const firstOnly = { type: 'flat', amount_cents: 555, currency: 'USD', recurring_months: 0, partner_id: shop.partner('ben') };
	await shop.manage('/commission-rules', firstOnly);
	await shop.connectStripe();
	const channel = await Program.make(service, ada, { name: 'Outlet', ...percent(12.5) });
	// It is the 2nd in UTC and the 1st in New York.
	await channel.join('ann');
	await channel.change({ time_zone: 'America/New_York' });
	const commission = { type: 'flat', amount_cents: 1_500, currency: 'KWD', hold_days: 3 };
	const kiosk = await Program.make(service, eve, { name: 'Kiosk', currency: 'KWD', time_zone: 'Pacific/Auckland', commission });
	await kiosk.join('dan');
	const elsewhere = await Program.make(service, eve, { name: 'Elsewhere', ...percent(5) });
	await elsewhere.join('dan');
	return { shop, channel, kiosk, elsewhere };
}

async function firstVisitors({ shop, channel, elsewhere }: Story, deliver: () => Promise<void>): Promise<void> {
	for (const country of ['DE', 'DE', 'US', undefined]) await shop.click('ann', { country, from: 'https://www.google.com/search' });
	await shop.click('ann', { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', country: 'US' });
	await shop.click('ann', { isTest: true });
	await shop.click('ann-2', { country: 'DE' });
	for (const from of ['https://t.co/x', 'https://news.example/1', 'nonsense', undefined]) await shop.click('ben', { country: 'FR', from });
	await shop.click('cat', {});
	await elsewhere.click('dan', { country: 'DE' });
	await shop.lead('by-click', await shop.click('ann', { country: 'DE', from: 'https://www.google.com/' }));
	await shop.lead('only-lead', await shop.click('ann-2', { country: 'AT' }));
	await shop.lead('by-key');
	await shop.lead('nobody');
	await shop.lead('of-ben', await shop.click('ben', { country: 'FR', from: 'https://t.co/y' }));
	await deliver();
	// The customer's click is stored after the first sales, so country and source are unknown until then.
	await shop.lead('early', await shop.click('ben', { country: 'US', from: 'https://late.example/' }));
	const [clickId, other] = [await channel.click('ann', { country: 'GB' }), await channel.click('ann', { country: 'US' })];
	await channel.lead('briton', clickId);
	await channel.change({ currency: 'EUR' });
	await channel.lead('american', other);
}

async function firstSales({ shop, channel }: Story): Promise<void> {
	await shop.sale('order-1', 10_000, { customer_key: 'by-click' });
	await shop.sale('order-2', 4_999, { customer_key: 'by-click', product_id: 'pro' });
	await shop.sale('order-3', 7_500, { customer_key: 'early', currency: 'EUR', product_id: 'gift' });
	await shop.sale('order-4', 333, { customer_key: 'early' });
	// A sale without a lead: the click determines the customer.
	await shop.sale('order-5', 12_345, { click_id: await shop.click('cat', { country: 'NL', from: 'https://cats.example/' }) });
	await shop.sale('order-6', 2_000, { customer_key: 'of-ben', subscription_id: 'sub-1', sale_type: 'subscription', is_recurring: true });
	await shop.sale('order-7', 1_000, { customer_key: 'nobody', status: 400 });
	await shop.sendTests();
	await channel.sale('e-1', 1_950, { customer_key: 'briton', subscription_id: 'sub-e', is_recurring: true });
	await channel.sale('e-2', 1_001, { customer_key: 'american', currency: 'USD', product_id: 'pro' });
}

async function lateClicks({ shop }: Story): Promise<void> {
	await shop.lead('by-key', await shop.click('ann-2', { country: 'CH', from: 'https://www.bing.com/' }));
	await shop.sale('order-8', 6_660, { customer_key: 'by-key' });
}

async function refunds({ shop, channel }: Story): Promise<void> {
	await shop.refund('order-1', { refund_amount_cents: 3_333, refund_id: 'r-1' });
	await shop.refund('order-1', { refund_amount_cents: 1_000, refund_id: 'r-2', refund_reason: 'Torn' });
	await shop.refund('order-3', {});
	await channel.refund('e-2', { refund_amount_cents: 500 });
}

async function failedCommissions(service: HeldService, { shop, channel }: Story): Promise<void> {
	await service.whileCommissionsFail(async () => {
		await shop.sale('order-9', 5_000, { customer_key: 'by-key', status: 500 });
		await channel.sale('e-3', 3_000, { customer_key: 'briton', status: 500 });
		service.goOnAt('10');
		await shop.refund('order-9', { refund_amount_cents: 1_250 });
	});
}

async function withoutCommission({ shop }: Story): Promise<void> {
	await shop.suspend('ben');
	await shop.sale('order-10', 9_900, { customer_key: 'of-ben', product_id: 'pro' });
	await shop.refund('order-10', { refund_amount_cents: 900, refund_id: 'r-3' });
	await shop.suspend('ben', 'active');
}

/** A payment that the backend reports under two ids, and one that is disputed. Returns the events of the won dispute. */
async function stripePayments({ shop }: Story): Promise<readonly StripeEvent[]> {
	const metadata = { tracker_customer_key: 'by-click' };
	const twice = stripeStory({ mode: 'subscription', metadata, amount: 3_000, product: 'pro', at: Date.now() }).first;
	await shop.sale(twice.ids.paymentIntent, 3_000, { customer_key: 'by-click', product_id: 'pro' });
	await shop.sale(twice.transactionId, 2_950, { customer_key: 'by-click' });
	await shop.stripe(...twice.events());
	const { first } = stripeStory({ metadata: { tracker_customer_key: 'by-key' }, amount: 20_000, tax: 1_600, at: Date.now() });
	await shop.stripe(...first.events());
	const dispute = first.dispute();
	await shop.stripe(dispute.created(), dispute.fundsWithdrawn());
	const refunded = stripeStory({ metadata, amount: 4_000, at: Date.now() }).first;
	await shop.stripe(...refunded.events());
	const refund = refunded.refund(1_000);
	await shop.stripe(refund.created('pending'), refund.chargeRefunded());
	return [dispute.closed('won'), dispute.fundsReinstated('won')];
}

async function paid({ shop, channel }: Story): Promise<void> {
	await shop.manage('/payouts', {});
	await channel.manage('/payouts', {});
	await shop.refund('order-8', { refund_amount_cents: 2_220, refund_id: 'r-4' });
	await shop.refund('order-6', {});
}

async function members({ shop }: Story): Promise<void> {
	await shop.lead('of-cat', await shop.click('cat', { country: 'NL', from: 'https://cats.example/2' }));
	await shop.sale('order-11', 4_400, { customer_key: 'of-cat', product_id: 'gift' });
	await shop.end('cat');
	await shop.sale('order-12', 1_100, { customer_key: 'of-cat', status: 400 });
	await shop.join('cat', 'cat-again');
	await shop.sale('order-12', 1_200, { customer_key: 'of-cat' });
	await shop.click('cat-again', { country: 'BE' });
	await shop.sale('order-13', 77_700, { customer_key: 'by-key', product_id: 'pro' });
	await shop.reject('order-13');
	await shop.sale('order-14', 2_000, { customer_key: 'of-ben', subscription_id: 'sub-1', sale_type: 'subscription', is_recurring: true });
}

/** 03:30 UTC on the 20th is still the 19th in New York, but already afternoon in Auckland. */
async function otherZones({ channel, kiosk }: Story): Promise<void> {
	await channel.lead('night', await channel.click('ann', { country: 'US', from: 'https://night.example/' }));
	await channel.sale('e-4', 99_999, { customer_key: 'night' });
	await kiosk.lead('kea', await kiosk.click('dan', { country: 'NZ' }));
	await kiosk.sale('k-1', 123_456, { customer_key: 'kea' });
	await kiosk.sale('k-2', 5_000, { customer_key: 'kea', currency: 'USD' });
}

async function lastDays({ shop, channel, kiosk, elsewhere }: Story): Promise<void> {
	for (const country of ['DE', 'DE', 'AT']) await shop.click('ann', { country, from: 'https://www.google.com/' });
	await shop.lead('new', await shop.click('ann-2', { country: 'DE' }));
	await shop.sale('order-15', 15_000, { customer_key: 'new', product_id: 'pro' });
	await channel.click('ann', { country: 'IE' });
	await channel.sale('e-5', 1_950, { customer_key: 'briton', subscription_id: 'sub-e', is_recurring: true });
	await kiosk.click('dan', {});
	await kiosk.refund('k-1', { refund_amount_cents: 23_456 });
	await elsewhere.end('dan');
}

/** Leaves work unfinished before the upgrade: undelivered effects, an owed commission, and a buyer's click that is not stored. */
async function leftOpen(service: HeldService, { shop, channel, kiosk }: Story): Promise<void> {
	const clickId = await shop.click('ann', { country: 'PL', from: 'https://late.example/9' });
	await shop.lead('before-click', clickId);
	await shop.sale('order-16', 8_080, { customer_key: 'before-click', product_id: 'gift' });
	await shop.sale('order-17', 3_210, { customer_key: 'by-click' });
	await shop.refund('order-2', { refund_amount_cents: 4_000, refund_id: 'r-5' });
	await shop.refund('order-5', {});
	await shop.suspend('ben');
	await shop.sale('order-18', 1_000, { customer_key: 'of-ben' });
	await shop.reject('order-11');
	await kiosk.manage('/payouts', {});
	await channel.sale('e-7', 700, { customer_key: 'briton' });
	await service.whileCommissionsFail(() => channel.sale('e-6', 6_006, { customer_key: 'night', status: 500 }));
}

function percent(of: number) {
	return { commission: { type: 'percent', percent: of } };
}
