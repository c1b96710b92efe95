import { recordSale } from '../../src/sales/record-sale.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { insist, type Operation } from './operation.ts';

/**
 * Two first sales of one subscription at once. If only the first payment earns, exactly one of them must earn. Too rare to leave to chance.
 */
export const start: Operation = { kind: 'start', weight: 2, races: false, overtakes: true, run: startTwice };

async function startTwice(sim: Simulation, random: Random): Promise<void> {
	const buyers = sim.rows.customers.filter(({ status, customer_key }) => status === 'conversion' && customer_key !== null);
	if (buyers.length === 0) return;
	const buyer = random.pick(buyers);
	const program = WORLD.programs.find(({ id }) => id === buyer.program_id);
	if (!program) return;
	const subscriptionId = `start-${sim.rows.sales.length}`;
	const sales = ['a', 'b'].map((name) => ({
		transactionId: `${subscriptionId}-${name}`,
		amountCents: random.between(100, 30_000),
		currency: undefined,
		customerKey: buyer.customer_key ?? undefined,
		clickId: undefined,
		saleType: 'subscription' as const,
		isRecurring: true,
		subscriptionId,
		subscriptionInterval: 'monthly' as const,
		productId: undefined,
		lineItems: undefined,
	}));
	await Promise.all(
		sales.map((sale) => insist(random, () => sim.request('sale', { program, sale }, (ctx) => recordSale(ctx, program.keyHash, sale)))),
	);
}
