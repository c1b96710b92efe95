import { MINUTE_MS } from '../../../src/domain/calendar.ts';
import { AGENTS, ENDED, IN_DEBT, SUSPENDED } from './cast.ts';
import type { Shop } from './shop.ts';
import { at, type Stage } from './stage.ts';

// Customers who are created at any scale, so that every state of a sale, refund and commission occurs.

export interface Journey {
	/** The slug of the link. */
	readonly slug: string;
	/** The day of the click and the lead. */
	readonly comes: number;
	readonly sale?: {
		readonly on: number;
		readonly cents: number;
		readonly product: string;
		readonly currency?: string;
		/** The expected status if the sale is refused. */
		readonly status?: number;
	};
	readonly refund?: { readonly on: number; readonly cents?: number; readonly reason: string };
	readonly country?: string;
}

/** A customer's ids, filled in along the way. */
export interface Traveller {
	customerKey: string;
	email: string;
	clickId: string;
	transaction: string;
}

/** Plans a click, a lead, and perhaps a sale and a refund. */
export function travel(stage: Stage, shop: Shop, { slug, comes, sale, refund, country = 'US' }: Journey): Traveller {
	const { agenda } = stage;
	const who: Traveller = { customerKey: '', email: '', clickId: '', transaction: '' };
	// Every traveller starts at a different time.
	const minutes = (agenda.added * 7) % 180;
	const clicked = at(stage, comes, 13, minutes);
	agenda.add(clicked, async () => {
		const visit = { shortLink: shop.shortLink(slug), agent: AGENTS[0], country, referrer: `https://${slug}.example/` };
		who.clickId = await shop.click({ ...visit, path: '/gear', title: 'Grinders, kettles and machines' });
	});
	agenda.add(clicked + 4 * MINUTE_MS, async () => {
		const customer = shop.newCustomer();
		[who.customerKey, who.email] = [customer.customer_key, customer.email];
		await shop.track('lead', { click_id: who.clickId, ...customer });
	});
	if (!sale) return who;
	const { on, cents, product, currency, status } = sale;
	agenda.add(at(stage, on, 16, minutes), async () => {
		who.transaction = shop.newOrder();
		const order = { transaction_id: who.transaction, customer_key: who.customerKey, amount_cents: cents, product_id: product, currency };
		await shop.track('sale', order, status);
	});
	if (!refund) return who;
	agenda.add(at(stage, refund.on, 17, minutes), () =>
		shop.track('refund', { transaction_id: who.transaction, refund_amount_cents: refund.cents, refund_reason: refund.reason }),
	);
	return who;
}

/** The journeys of the dollar program. Payouts are made on days 31, 61 and 83. */
export function planJourneys(stage: Stage, shop: Shop): void {
	const go = (journey: Journey) => travel(stage, shop, journey);
	// Refunded after the payout: a later payout recovers the debt in part, in full, or not yet.
	go({
		slug: 'kettle-cup',
		comes: 5,
		sale: { on: 6, cents: 417_00, product: 'burr-grinder' },
		refund: { on: 50, reason: 'Returned unopened' },
	});
	go({ slug: 'kettle-cup', comes: 40, sale: { on: 40, cents: 695_00, product: 'burr-grinder' } });
	go({
		slug: 'angstrom',
		comes: 7,
		sale: { on: 7, cents: 640_00, product: 'pour-over-kit' },
		refund: { on: 45, reason: 'The office closed' },
	});
	go({ slug: 'angstrom', comes: 42, sale: { on: 42, cents: 98_00, product: 'single-origin' } });
	go({
		slug: IN_DEBT.slug,
		comes: 10,
		sale: { on: 10, cents: 1_390_00, product: 'burr-grinder' },
		refund: { on: 86, reason: 'Company order cancelled' },
	});
	// Refunded before the payout.
	go({ slug: 'crema', comes: 78, sale: { on: 80, cents: 139_00, product: 'burr-grinder' }, refund: { on: 83, reason: 'Wrong voltage' } });
	go({
		slug: 'crema',
		comes: 81,
		sale: { on: 84, cents: 73_50, product: 'single-origin' },
		refund: { on: 87, cents: 24_50, reason: 'One bag was torn' },
	});
	go({
		slug: 'roast-notes',
		comes: 50,
		sale: { on: 51, cents: 128_00, product: 'pour-over-kit' },
		refund: { on: 58, cents: 64_00, reason: 'One of two came back' },
	});
	// Sales that earn nothing or are refused.
	go({ slug: 'slow-pour', comes: 20, sale: { on: 55, cents: 49_00, product: 'single-origin' } });
	go({ slug: SUSPENDED.slug, comes: 50, sale: { on: SUSPENDED.on + 4, cents: 64_00, product: 'pour-over-kit' } });
	go({ slug: ENDED.slug, comes: 48, sale: { on: ENDED.on + 9, cents: 18_00, product: 'house-blend', status: 400 } });
	// Commissions to reject, or to approve early.
	for (const day of [57, 58, 60]) go({ slug: SUSPENDED.slug, comes: day, sale: { on: day, cents: 54_00, product: 'house-blend' } });
	for (const day of [70, 77]) go({ slug: 'espresso-atlas', comes: day, sale: { on: day, cents: 449_00, product: 'espresso-machine' } });
	for (const day of [86, 88]) go({ slug: 'moka-files', comes: day, sale: { on: day, cents: 24_50, product: 'single-origin' } });
	go({ slug: 'bean-counter', comes: 83, sale: { on: 84, cents: 50_00, product: 'gift-card' } });
	for (const [country, currency] of [
		['DE', 'EUR'],
		['GB', 'GBP'],
		['CA', 'CAD'],
	] as const)
		go({ slug: 'ines', comes: 33, sale: { on: 34, cents: 128_00, product: 'pour-over-kit', currency }, country });
	// Enough commissions for a payout to each partner.
	for (const slug of ['espresso-atlas', 'slow-pour', 'cafe-deals', 'moka-files', 'ines'])
		for (const day of [4, 38, 64]) go({ slug, comes: day, sale: { on: day, cents: 278_00, product: 'burr-grinder' } });
}
