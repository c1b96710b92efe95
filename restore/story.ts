import { beginIds, HeldService } from '../scripts/upgrade-data/held-service.ts';
import { type Story, playStory } from '../scripts/upgrade-data/story.ts';
import { stripeStory } from '../testing/stripe/story.ts';
import type { DatabaseSync } from 'node:sqlite';

// The events before and after the backup. The later ones are reported again once the backup is restored.

/** Longer than the maximum length of a statement. */
const LONG_TEXT = 'He said: "It\'s\nnot what I ordered", ünd so on. BEGIN TRANSACTION; '.repeat(4_000);

/** A link created after the backup. */
export const LATE_LINK = 'late';

export interface People {
	/** Session tokens. */
	readonly ada: string;
	readonly eve: string;
}

export interface Lived extends People {
	readonly story: Story;
}

/** A month of four programs, including texts that an export may corrupt. */
export async function liveUntilBackup(sqlite: DatabaseSync, goOnAt: (instant: string) => void): Promise<Lived> {
	beginIds(sqlite);
	const service = new HeldService(goOnAt, sqlite);
	const [ada, eve] = [await signUp(service, 'ada'), await signUp(service, 'eve')];
	const story = await playStory(service, ada, eve);
	const { first } = stripeStory({ metadata: { tracker_customer_key: 'by-key' }, amount: 4_000, at: Date.now() });
	const paid = first.paymentIntentSucceeded();
	// Its payload does not say what the payment is for, so the event stays parked and keeps its payload.
	await story.shop.stripe({ ...paid, data: { ...paid.data, object: { ...paid.data.object, description: LONG_TEXT } } });
	await story.shop.change({ name: 'BEGIN TRANSACTION; COMMIT; \\n' });
	return { story, ada, eve };
}

async function signUp(service: HeldService, name: string): Promise<string> {
	const body = { email: `${name}@people.example`, password: 'correct horse battery', name };
	return String((await service.call('/api/v1/auth/sign-up', { body }))['token']);
}

/** The same programs, in the service's current database. */
export function storyAt(service: HeldService, { shop, channel, kiosk, elsewhere }: Story): Story {
	return { shop: shop.at(service), channel: channel.at(service), kiosk: kiosk.at(service), elsewhere: elsewhere.at(service) };
}

/** Click ids of visitors who sign up or buy later. */
export interface Clicks {
	readonly lena: string;
	readonly omar: string;
}

/** Something that happened after the backup and can be repeated. */
export type Deed = (story: Story) => Promise<unknown>;

export interface Deeds {
	/** Reported in the original order, by backends from their own records and by Stripe, which resends its events. */
	readonly reported: readonly Deed[];
	/** Done by people, who remember it or have a list. */
	readonly done: readonly Deed[];
}

export async function clickAfterBackup({ shop, channel }: Story): Promise<Clicks> {
	await shop.click('ann', { country: 'DE', from: 'https://www.google.com/' });
	return { lena: await shop.click('cat-again', { country: 'FR' }), omar: await channel.click('ann', { country: 'US' }) };
}

export function deedsAfterBackup({ lena, omar }: Clicks): Deeds {
	const at = Date.now();
	const subscribed = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: 'by-click' }, amount: 3_300, at }).first;
	const { first: once } = stripeStory({ clientReferenceId: lena, amount: 12_000, tax: 2_000, at });
	const refund = once.refund(5_000);
	return {
		reported: [
			({ shop }) => shop.lead('lena', lena),
			...byStripe(...subscribed.events().slice(0, 2)),
			({ shop }) => shop.sale('order-20', 9_900, { customer_key: 'lena', product_id: 'pro' }),
			({ shop }) => shop.refund('order-20', { refund_amount_cents: 900, refund_id: 'r-20' }),
			...byStripe(...subscribed.events().slice(2), ...once.events()),
			// A refund of an earlier sale, and a sale of an earlier customer.
			({ shop }) => shop.refund('order-15', { refund_amount_cents: 5_000, refund_id: 'r-15' }),
			({ shop }) => shop.sale('order-21', 7_700, { customer_key: 'by-key' }),
			...byStripe(refund.created(), refund.chargeRefunded()),
			({ channel }) => channel.sale('e-20', 4_242, { click_id: omar }),
		],
		done: [
			({ channel }) => channel.manage('/payouts', {}),
			({ shop }) => shop.reject('order-17'),
			({ shop }) => shop.manage('/customers/erase', { customer_key: 'new' }),
			({ shop }) => shop.link('ann', LATE_LINK),
			({ shop }) => shop.end('cat'),
		],
	};
}

function byStripe(...events: readonly unknown[]): Deed[] {
	return events.map(
		(event) =>
			({ shop }) =>
				shop.stripe(event),
	);
}

/** The day's last sale. Its message is still in the queue when the database is restored. */
export const lastSale: Deed = ({ shop }) => shop.sale('order-22', 1_500, { customer_key: 'by-key' });
