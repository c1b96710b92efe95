import * as cast from './cast.ts';
import { travel } from './journeys.ts';
import { partnerAddress, planPartners } from './partners.ts';
import { Shop } from './shop.ts';
import { at, type Stage } from './stage.ts';
import { planTraffic } from './traffic.ts';

const VISITORS_PER_DAY = 15;

/** The workspace's second, smaller program, in a currency without cents. */
export async function planJapan(stage: Stage, session: string): Promise<Shop> {
	const { agenda, client } = stage;
	const settings = {
		name: 'Northwind Japan',
		currency: 'JPY',
		time_zone: 'Asia/Tokyo',
		allowed_origins: ['https://northwind-japan.example'],
		payout_minimum_cents: 2_000,
		// A flat amount in yen, so payments in other currencies earn nothing.
		commission: { type: 'flat', amount_cents: 350, currency: 'JPY', hold_days: 7 },
	};
	const shop = await Shop.open(client, session, { prefix: 'jp-', domain: 'northwind-japan.example', settings });
	planPartners(stage, shop, cast.JAPAN_PARTNERS);
	travel(stage, shop, {
		slug: 'tokyo-bean',
		comes: 20,
		sale: { on: 21, cents: 64_00, product: 'hand-grinder', currency: 'USD' },
		country: 'US',
	});
	for (const day of [3, 9, 15, 24, 30, 41, 86])
		travel(stage, shop, { slug: 'yama-coffee', comes: day, sale: { on: day, cents: 7_200, product: 'yanaka-blend' }, country: 'JP' });
	const { JAPAN_PARTNERS: partners, JAPAN_PLACES: places, JAPAN_PRODUCTS: products } = cast;
	planTraffic(stage, { shop, partners, places, products, visitorsPerDay: VISITORS_PER_DAY, hasClub: false });
	agenda.add(at(stage, 4, 20), () =>
		shop.manage('/application-form', { slug: 'northwind-japan', applications: 'automatic' }, { method: 'PATCH' }),
	);
	agenda.add(at(stage, 69, 21), () =>
		client.call('/api/v1/public/programs/northwind-japan/applications', {
			body: { name: 'Kissaten Walks', email: partnerAddress('kissaten-walks') },
			network: 90,
		}),
	);
	agenda.add(at(stage, 45, 20), () => shop.decide('/payouts', {}));
	return shop;
}
