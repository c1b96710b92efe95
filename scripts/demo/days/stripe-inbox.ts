import { HOUR_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import { signingSecret } from '../../../testing/stripe/sign.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import type { StoryOptions } from '../../../testing/stripe/story-types.ts';
import { CLUB } from './cast.ts';
import { travel, type Traveller } from './journeys.ts';
import { metadataOf } from './purchases.ts';
import type { Shop } from './shop.ts';
import { at, randomOf, type Stage } from './stage.ts';

/** The minutes after which a failing event is retried. After the last retry it has failed for good. */
const TRIES = [2, 5, 10, 19, 36, 69, 134];
const OUTAGE_MS = 3 * HOUR_MS;

/** Connects Stripe and plans events for every outcome. */
export function planStripe(stage: Stage, shop: Shop): void {
	const { agenda } = stage;
	agenda.add(at(stage, 0, 9, 25), async () => {
		shop.webhookSecret = signingSecret();
		await shop.manage('/stripe', { webhook_secret: shop.webhookSecret }, { method: 'PUT' });
	});
	planDisputes(stage, shop);
	planStrangers(stage, shop);
	planOddities(stage, shop);
	planOutage(stage, shop);
	// The third month of the club subscription earns nothing.
	const member = travel(stage, shop, { slug: 'moka-files', comes: 3 });
	agenda.add(at(stage, 3, 18), async () => {
		const story = stripeStory({ mode: 'subscription', metadata: metadataOf(shop, member), amount: CLUB.cents, product: CLUB.id });
		await shop.stripe(...story.first.events());
		for (let month = 1; month <= 2; month += 1) {
			const renewal = story.renew();
			agenda.add(renewal.paidAt, () => shop.stripe(...renewal.events()));
		}
	});
}

function pay(shop: Shop, { customerKey, clickId }: Traveller, options: StoryOptions) {
	return stripeStory({ metadata: metadataOf(shop, { customerKey, clickId }), product: 'espresso-machine', amount: 449_00, ...options });
}

/** Plans a lost, a won and an open dispute. */
function planDisputes(stage: Stage, shop: Shop): void {
	const { agenda } = stage;
	for (const { slug, on, ends } of [
		{ slug: 'espresso-atlas', on: 25, ends: 'lost' },
		{ slug: 'slow-pour', on: 46, ends: 'won' },
		{ slug: 'ines', on: 73, ends: undefined },
	] as const) {
		const buyer = travel(stage, shop, { slug, comes: on });
		agenda.add(at(stage, on, 19), async () => {
			const { first } = pay(shop, buyer, {});
			await shop.stripe(...first.events());
			agenda.add(at(stage, on + 12, 8), async () => {
				const dispute = first.dispute();
				await shop.stripe(dispute.created(), dispute.fundsWithdrawn());
				if (ends === undefined) return;
				agenda.add(at(stage, on + 24, 8), async () => {
					await shop.stripe(dispute.closed(ends));
					if (ends === 'won') await shop.stripe(dispute.fundsReinstated(ends));
				});
			});
		});
	}
}

/** Plans payments by customers without a partner, whose events are ignored. */
function planStrangers(stage: Stage, shop: Shop): void {
	const random = randomOf(stage, 101);
	for (let day = 2; day < 90; day += stage.scale < 1 ? 8 : 2) {
		const amount = random.pick([18_00, 42_50, 64_00, 139_00]);
		stage.agenda.add(at(stage, day, random.between(8, 21), random.below(60)), () => shop.stripe(...stripeStory({ amount }).first.events()));
	}
	for (const day of [87, 88]) stage.agenda.add(at(stage, day, 12), () => shop.stripe(...stripeStory({ amount: 64_00 }).first.events()));
}

function planOddities(stage: Stage, shop: Shop): void {
	const { agenda } = stage;
	// Events for another program, for Stripe's test mode, for a customer whose lead is not reported yet, and for one whose lead never is.
	agenda.add(at(stage, 71, 10), () =>
		shop.stripe(...stripeStory({ metadata: { program_id: '999999', tracker_customer_key: 'user-1001' } }).first.events()),
	);
	const tester = travel(stage, shop, { slug: 'espresso-atlas', comes: 1 });
	agenda.add(at(stage, 1, 18), () => shop.stripe(...pay(shop, tester, { livemode: false }).first.events()));
	agenda.add(at(stage, 84, 18), () => shop.stripe(...pay(shop, tester, { livemode: false }).first.events()));
	agenda.add(at(stage, 88, 19), () =>
		shop.stripe(...stripeStory({ metadata: { tracker_customer_key: 'user-not-reported-yet' } }).first.events()),
	);
	agenda.add(at(stage, 64, 13), () =>
		shop.stripe(...stripeStory({ metadata: { tracker_customer_key: 'user-never-reported' } }).first.events()),
	);
	const trial = stripeStory({ mode: 'subscription', trialDays: 14 });
	agenda.add(at(stage, 85, 11), () => shop.stripe(trial.checkout.expired()));
}

/** Plans an evening outage in which sales from Stripe cannot be stored and one event fails after its last retry. */
function planOutage(stage: Stage, shop: Shop): void {
	const { agenda, client } = stage;
	const begins = at(stage, 85, 20);
	const buyer = travel(stage, shop, { slug: 'kettle-cup', comes: 85 });
	agenda.add(begins, async () => {
		client.setOutage(true);
		await shop.stripe(...pay(shop, buyer, { product: 'burr-grinder', amount: 139_00 }).first.events());
	});
	for (const minutes of TRIES) agenda.add(begins + minutes * MINUTE_MS, () => client.tick());
	agenda.add(begins + OUTAGE_MS, async () => client.setOutage(false));
}
