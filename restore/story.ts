import { beginIds, HeldService } from '../scripts/upgrade-data/held-service.ts';
import { type Story, tellStory } from '../scripts/upgrade-data/story.ts';
import { stripeStory } from '../testing/stripe/story.ts';
import type { DatabaseSync } from 'node:sqlite';

// What happens before the backup, and after it. What tells the service of it tells it again when the backup is restored.

/** Longer than a statement may be. */
const LONG_TEXT = 'He said: "It\'s\nnot what I ordered", ünd so on. BEGIN TRANSACTION; '.repeat(4_000);

/** One that is made after the backup. */
export const LATE_LINK = 'late';

export interface People {
	/** Tokens. */
	readonly ada: string;
	readonly eve: string;
}

export interface Lived extends People {
	readonly story: Story;
}

/** A month of four programs, and what an export may stumble over. */
export async function liveUntilBackup(sqlite: DatabaseSync, goOnAt: (instant: string) => void): Promise<Lived> {
	beginIds(sqlite);
	const service = new HeldService(goOnAt, sqlite);
	const [ada, eve] = [await signUp(service, 'ada'), await signUp(service, 'eve')];
	const story = await tellStory(service, ada, eve);
	const { first } = stripeStory({ metadata: { tracker_customer_key: 'by-key' }, amount: 4_000, at: Date.now() });
	const paid = first.paymentIntentSucceeded();
	// Nothing in it says what it is for, so that it waits with its body.
	await story.shop.stripe({ ...paid, data: { ...paid.data, object: { ...paid.data.object, description: LONG_TEXT } } });
	await story.shop.change({ name: 'BEGIN TRANSACTION; COMMIT; \\n' });
	return { story, ada, eve };
}

async function signUp(service: HeldService, name: string): Promise<string> {
	const body = { email: `${name}@people.example`, password: 'correct horse battery', name };
	return String((await service.call('/api/v1/auth/sign-up', { body }))['token']);
}

/** The same programs where the database lies now. */
export function storyAt(service: HeldService, { shop, channel, kiosk, elsewhere }: Story): Story {
	return { shop: shop.at(service), channel: channel.at(service), kiosk: kiosk.at(service), elsewhere: elsewhere.at(service) };
}

/** Clicks of visitors who go on, by who they are. */
export interface Clicks {
	readonly lena: string;
	readonly omar: string;
}

/** Something that is told to the service, and told again by who knows of it. */
export type Deed = (story: Story) => Promise<unknown>;

export interface Deeds {
	/** By the backends, from their own books, and by Stripe, which sends its events again. In the order in which it happened. */
	readonly told: readonly Deed[];
	/** By people, who remember or have a list. */
	readonly done: readonly Deed[];
}

export async function clickAfterBackup({ shop, channel }: Story): Promise<Clicks> {
	await shop.click('ann', { country: 'DE', from: 'https://www.google.com/' });
	return { lena: await shop.click('cat-again', { country: 'FR' }), omar: await channel.click('ann', { country: 'US' }) };
}

/** Of the day after the backup. */
export function deedsAfterBackup({ lena, omar }: Clicks): Deeds {
	const at = Date.now();
	const subscribed = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: 'by-click' }, amount: 3_300, at }).first;
	const { first: once } = stripeStory({ clientReferenceId: lena, amount: 12_000, tax: 2_000, at });
	const refund = once.refund(5_000);
	return {
		told: [
			({ shop }) => shop.lead('lena', lena),
			...byStripe(...subscribed.events().slice(0, 2)),
			({ shop }) => shop.sale('order-20', 9_900, { customer_key: 'lena', product_id: 'pro' }),
			({ shop }) => shop.refund('order-20', { refund_amount_cents: 900, refund_id: 'r-20' }),
			...byStripe(...subscribed.events().slice(2), ...once.events()),
			// Of a sale, and of a customer, of before.
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

/** Stripe's deliveries. */
function byStripe(...events: readonly unknown[]): Deed[] {
	return events.map(
		(event) =>
			({ shop }) =>
				shop.stripe(event),
	);
}

/** The day's last sale, whose message is still on its queue when the database is restored. */
export const lastSale: Deed = ({ shop }) => shop.sale('order-22', 1_500, { customer_key: 'by-key' });
