import { recordSale } from '../../src/tracking/record-sale.ts';
import { recordTestSale } from '../../src/tracking/record-test-events.ts';
import type { Random } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import { PRODUCTS } from '../world.ts';
import { aClickId, aKey, aKnownKey, aName, aProgramFor, aTransaction, insist, type Operation } from './operation.ts';

/** A payment, or a renewal of a subscription; now and then with a transaction_id that was used before, or in test mode. */
export const sale: Operation = { kind: 'sale', weight: 24, races: true, run: buy };

async function buy(sim: Simulation, random: Random): Promise<void> {
	const ids = random.weighted([
		{ weight: 3, withKey: true, withClick: true },
		{ weight: 3, withKey: true, withClick: false },
		{ weight: 5, withKey: false, withClick: true },
	]);
	const clickId = ids.withClick ? aClickId(sim, random) : undefined;
	const customerKey = ids.withKey ? (ids.withClick ? aKey(sim, random) : aKnownKey(sim, random)) : undefined;
	const program = aProgramFor(sim, random, clickId);
	const isSubscription = random.chance(0.45);
	const bought = {
		transactionId: aTransaction(sim, random),
		amountCents: random.weighted([
			{ weight: 6, cents: random.between(1, 30_000) },
			{ weight: 3, cents: random.between(1, 9) },
			{ weight: 1, cents: 99_999_999_999 - random.below(1000) },
		]).cents,
		currency: random.weighted([
			{ weight: 7, currency: undefined },
			{ weight: 2, currency: 'USD' },
			{ weight: 2, currency: 'EUR' },
			{ weight: 1, currency: 'JPY' },
		]).currency,
		customerKey,
		clickId,
		saleType: isSubscription ? ('subscription' as const) : ('payment' as const),
		isRecurring: isSubscription,
		subscriptionId: isSubscription ? aName(sim, random, 'sub', 2) : undefined,
		subscriptionInterval: isSubscription ? ('monthly' as const) : undefined,
		productId: random.chance(0.5) ? random.pick(PRODUCTS) : undefined,
		lineItems: undefined,
	};
	const isTest = random.chance(0.07);
	await insist(random, () =>
		isTest
			? sim.ask('testSale', { program, sale: bought }, (ctx) => recordTestSale(ctx, program.keyHash, bought))
			: sim.ask('sale', { program, sale: bought }, (ctx) => recordSale(ctx, program.keyHash, bought)),
	);
}
