import { stripeStory } from '../../testing/stripe/story.ts';
import { deliver } from './deliver.ts';
import { track } from './funnel.ts';
import { send, type StripeFunnel } from './inbox.ts';
import { settled } from './rows.ts';
import { trackWith } from './bindings.ts';
import { aClickJob } from './report.ts';
import { api, unique } from './world.ts';

export interface StoredPerson {
	readonly customerKey: string;
	readonly email: string;
	readonly clickId: string;
	readonly name: string;
	/** Stripe's id of the customer. */
	readonly payerId: string;
	readonly subscriptionId: string;
	/** Its order number does not identify the person. */
	readonly plainSale: string;
	/** An event about the person as Stripe sends it. */
	readonly wire: (event: unknown) => unknown;
	readonly story: ReturnType<typeof stripeStory>;
}

/** Everything that could identify the person. */
export function tracesOf({ customerKey, email, clickId, name, payerId, subscriptionId }: StoredPerson): string[] {
	return [customerKey, email, clickId, name, payerId, subscriptionId];
}

/** Clicks with all fields, signs up, buys through the backend and Stripe, gets a refund and a refusal, and causes dead letters. */
export async function aStoredPerson(funnel: StripeFunnel): Promise<StoredPerson> {
	const [customerKey, name] = [unique('cust'), `Jenny ${unique('Roe')}`];
	const email = `${unique('jenny')}@people.example`;
	const click = await settled(async (held) =>
		trackWith(held, 'click', {
			affiliate_url: `https://shop.example/welcome?aff=${funnel.shortLink}&sub_id=${customerKey}&for=${email}`,
			page_url: `https://shop.example/welcome?for=${email}`,
			page_title: `Welcome, ${name}`,
			referrer_url: `https://blog.example/${customerKey}`,
			session_id: `session-${customerKey}`,
			user_agent: `Mozilla/5.0 (${name})`,
			language: 'en',
			timezone: 'Europe/Berlin',
		}),
	);
	const clickId = String(click.body['click_id']);
	const call = async (route: string, body: object) => track(route, body, funnel.apiToken);
	await call('lead', { click_id: clickId, customer_key: customerKey, email });
	const plainSale = unique('order');
	const line_items = [{ name: `Mug for ${name}`, email }];
	await call('sale', { customer_key: customerKey, transaction_id: `${customerKey}-order-1`, amount_cents: 10_000, line_items });
	await call('sale', { customer_key: customerKey, transaction_id: plainSale, amount_cents: 5_000, subscription_id: `sub-${customerKey}` });
	const paid = await call('sale', { customer_key: customerKey, transaction_id: unique('order'), amount_cents: 700 });
	await manage(funnel, 'payouts', { commission_ids: [paid.body['commission_id']] }, 201);
	const rejected = await call('sale', { customer_key: customerKey, transaction_id: unique('order'), amount_cents: 900 });
	await manage(funnel, 'commissions/reject', { commission_ids: [rejected.body['commission_id']], reason: `${name} is a relative` });
	await call('refund', {
		transaction_id: plainSale,
		refund_amount_cents: 1_000,
		refund_id: `r-${customerKey}`,
		refund_reason: `${name} sent it back`,
	});
	await call('sale', { customer_key: 'nobody', transaction_id: `${customerKey}-refused`, amount_cents: 1 });
	const story = stripeStory({
		mode: 'subscription',
		metadata: { tracker_customer_key: customerKey },
		subscriptionMetadata: { tracker_customer_key: customerKey },
	});
	const wire = (event: unknown): unknown =>
		JSON.parse(JSON.stringify(event).replaceAll('jenny.rosen@example.com', email).replaceAll('Jenny Rosen', name));
	await send(
		funnel,
		wire(story.checkout.completed()),
		wire(story.subscription.created()),
		wire(story.first.invoicePaid()),
		wire(story.first.chargeSucceeded()),
		wire(story.first.invoicePaymentPaid()),
	);
	// One event keeps waiting, and one dead letter stays.
	const stranger = stripeStory({ customer: story.ids.customer });
	await send(funnel, wire(stranger.first.refund().created()), wire(stranger.first.chargeSucceeded()));
	const job = await aClickJob(funnel, Date.now(), { clickId, pageUrl: `https://shop.example/?for=${email}` });
	await deliver('affiliate-dead-letters', [{ body: job }]);
	await deliver('affiliate-dead-letters', [{ body: { kind: 'of old', about: customerKey } }]);
	return {
		customerKey,
		email,
		clickId,
		name,
		payerId: story.ids.customer,
		subscriptionId: story.ids.subscription ?? '',
		plainSale,
		wire,
		story,
	};
}

async function manage(funnel: StripeFunnel, route: string, body: object, expected = 200): Promise<void> {
	const { status, text } = await api(`${funnel.path}/${route}`, { token: funnel.owner.token, body });
	if (status !== expected) throw new Error(`${route} answered ${status}: ${text}`);
}
