import { recordSale } from '../../src/sales/record-sale.ts';
import { recordTestSale } from '../../src/test-mode/record-test-events.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { PRODUCTS, WORLD } from '../world/world.ts';
import { aCart } from '../world/cart.ts';
import { aBuyer, aName, aProgramFor, aTransaction, insist, type Operation } from './operation.ts';

/** Sometimes in test mode or with a transaction_id that is already in use. */
export const sale: Operation = { kind: 'sale', weight: 24, races: true, run: buy };

async function buy(sim: Simulation, random: Random): Promise<void> {
	const { clickId, customerKey } = aBuyer(sim, random);
	const program = aProgramFor(sim, random, clickId, customerKey);
	const isSubscription = random.chance(sim.theme.subscriptionShare);
	const bought = {
		transactionId: aTransaction(sim, random),
		amountCents: random.weighted([
			{ weight: 6, cents: random.between(1, 30_000) },
			{ weight: 3, cents: random.between(1, 9) },
			{ weight: 3, cents: random.between(1, 400) * random.pick([5, 5, 250]) },
			{ weight: 1, cents: 99_999_999_999 - random.below(1000) },
		]).cents,
		currency: random.chance(sim.theme.foreignCurrencyShare) ? random.pick(['USD', 'EUR', 'JPY']) : undefined,
		customerKey,
		clickId,
		saleType: isSubscription ? ('subscription' as const) : ('payment' as const),
		isRecurring: isSubscription,
		subscriptionId: isSubscription ? aSubscription(sim, random) : undefined,
		subscriptionInterval: isSubscription ? ('monthly' as const) : undefined,
		productId: random.chance(sim.theme.productShare) ? random.pick(PRODUCTS) : undefined,
		lineItems: random.chance(0.4) ? JSON.stringify(aCart(random)) : undefined,
		couponCode: random.chance(0.25) ? random.pick(CODES) : undefined,
	};
	const isTest = random.chance(0.07);
	await insist(random, () =>
		isTest
			? sim.request('testSale', { program, sale: bought }, (ctx) => recordTestSale(ctx, program.keyHash, bought))
			: sim.request('sale', { program, sale: bought }, (ctx) => recordSale(ctx, program.keyHash, bought)),
	);
}

/** Partners' coupons, and a code that does not exist. */
const CODES = [...WORLD.coupons.map(({ code }) => code), 'NOBODY'];

/** Sometimes a subscription that a processor reports too. */
function aSubscription(sim: Simulation, random: Random): string {
	const known = sim.account.payers.flatMap(({ subscription }) => subscription?.id ?? []);
	return known.length > 0 && random.chance(0.5) ? random.pick(known) : aName(sim, random, 'sub', sim.theme.subscriptions);
}
