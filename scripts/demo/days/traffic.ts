import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/domain/calendar.ts';
import type { Random } from '../../../testing/random.ts';
import * as cast from './cast.ts';
import { type Buyer, planPurchases } from './purchases.ts';
import type { Shop } from './shop.ts';
import { at, DAYS, randomOf, type Stage } from './stage.ts';

/** A program's visitors, and the partners who send them. */
export interface Traffic {
	readonly shop: Shop;
	readonly partners: readonly cast.CastPartner[];
	readonly places: readonly cast.Place[];
	readonly products: readonly cast.Product[];
	readonly visitorsPerDay: number;
	/** Whether the program has a subscription that is sold through Stripe. */
	readonly hasClub: boolean;
}

/** Factors for Sunday to Saturday. */
const WEEKDAYS = [0.92, 1.12, 1.08, 1.03, 1.0, 0.9, 0.78];
/** Weights for the hours 0 to 23. */
const HOURS = [2, 1, 1, 1, 1, 2, 5, 9, 11, 10, 8, 7, 8, 7, 6, 6, 7, 7, 8, 10, 12, 11, 8, 4].map((weight, hour) => ({ weight, hour }));
/** Factors for the days around a promotion. */
const PEAK: ReadonlyMap<number, number> = new Map([
	[67, 1.3],
	[68, 2.9],
	[69, 1.9],
	[70, 1.25],
]);

/** Plans all visitors and what they do. */
export function planTraffic(stage: Stage, traffic: Traffic): void {
	const random = randomOf(stage, traffic.shop.id);
	const weights = traffic.partners.reduce((sum, { weight }) => sum + weight, 0);
	for (let day = 0; day < DAYS; day += 1) {
		const visitors = traffic.visitorsPerDay * stage.scale * liveliness(stage, day);
		for (const partner of traffic.partners) {
			if (!isListed(partner, day)) continue;
			const expected = (visitors * partner.weight * moodOf(random)) / weights;
			const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
			for (let index = 0; index < count; index += 1) planVisitor(stage, traffic, { partner, day, random });
		}
	}
}

/** A day's factor, which increases weekly as the shop grows. */
function liveliness(stage: Stage, day: number): number {
	const weekday = new Date(at(stage, day, 12)).getUTCDay();
	return (0.66 + (0.68 * day) / DAYS) * (WEEKDAYS[weekday] ?? 1) * (PEAK.get(day) ?? 1);
}

/** Varies the number of a partner's visitors from day to day. */
function moodOf(random: Random): number {
	return random.between(60, 140) / 100;
}

/** Whether the partner's links work on that day, with a day's margin on either side. */
function isListed({ joins = 0, slug }: cast.CastPartner, day: number): boolean {
	if (day <= joins) return false;
	if (slug === cast.SUSPENDED.slug) return day < cast.SUSPENDED.on;
	if (slug === cast.ENDED.slug) return day < cast.ENDED.on;
	return slug !== cast.RESUMED.slug || day < cast.RESUMED.suspendedOn || day > cast.RESUMED.on;
}

interface Coming {
	readonly partner: cast.CastPartner;
	readonly day: number;
	readonly random: Random;
}

function planVisitor(stage: Stage, traffic: Traffic, { partner, day, random }: Coming): void {
	const { shop, places } = traffic;
	const instant = at(stage, day, random.weighted(HOURS).hour, random.below(60)) + random.below(60) * SECOND_MS;
	const place = random.weighted(places);
	const isCrawler = random.chance(0.02);
	const usesSecond = partner.campaign !== undefined && day >= SECOND_LINK_FROM && random.chance(0.35);
	const page = random.pick(cast.PAGES);
	const visit = {
		shortLink: shop.shortLink(usesSecond ? partner.campaign : partner.slug),
		agent: isCrawler ? cast.CRAWLER : random.pick(cast.AGENTS),
		country: place.country,
		referrer: random.chance(0.45) ? `https://${partner.slug}.example/${page.path.slice(1)}` : random.pick(cast.REFERRERS[partner.kind]),
		path: page.path,
		title: page.title,
		campaign: random.chance(0.3) ? random.pick(cast.CAMPAIGNS) : undefined,
		language: place.language,
		timezone: place.timezone,
	};
	const buyer: Buyer = { place, partner, customerKey: '', clickId: '' };
	stage.agenda.add(instant, async () => void (buyer.clickId = await shop.click(visit)), true);
	if (isCrawler || !random.chance(partner.leadsInHundred / 100)) return;
	const signsUp = instant + (random.chance(0.7) ? random.between(1, 25) * MINUTE_MS : random.between(1, 5 * 24) * (DAY_MS / 24));
	planLead(stage, shop, { buyer, random, at: signsUp });
	planPurchases(stage, traffic, { buyer, random, signedUpAt: signsUp });
}

/** Second links get visitors from this day on. */
export const SECOND_LINK_FROM = 10;

interface SigningUp {
	readonly buyer: Buyer;
	readonly random: Random;
	readonly at: number;
}

/** Usually the backend reports the lead; sometimes the page does. */
function planLead(stage: Stage, shop: Shop, { buyer, random, at: instant }: SigningUp): void {
	const fromPage = random.chance(0.15);
	stage.agenda.add(instant, async () => {
		const lead = { click_id: buyer.clickId, ...shop.newCustomer() };
		buyer.customerKey = lead.customer_key;
		// A partner who has left gets no further leads.
		if (buyer.partner.slug === cast.ENDED.slug && instant > at(stage, cast.ENDED.on, 0)) return;
		await (fromPage ? shop.page('lead', lead, `https://${shop.domain}`) : shop.track('lead', lead));
	});
}
