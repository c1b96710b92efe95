import { recordSale } from '../../src/sales/record-sale.ts';
import { reverseSale } from '../../src/refunds/reverse-sale.ts';
import type { Random } from '../../testing/random.ts';
import type { Purchase } from '../world/account.ts';
import type { Simulation } from '../world/simulation.ts';
import { isOrderNumber } from '../generators/custom.ts';
import { WORLD } from '../world/world.ts';
import { aBuyer, aPlainSale, insist, type Operation } from './operation.ts';

// The backend reports a payment that the processor reports too.

export async function sellToo(
	sim: Simulation,
	random: Random,
	{ ids, payer }: Purchase,
	transactionId: string = random.pick(ids),
): Promise<void> {
	const { program, price, claims } = payer;
	const [{ customerKey, clickId } = { customerKey: undefined, clickId: undefined }] = claims;
	const amountCents = random.chance(0.7) ? price.amount : random.between(1, 30_000);
	const sale = aPlainSale({ transactionId, amountCents, currency: price.currency, customerKey, clickId });
	await insist(random, () => sim.request('sale', { program, sale }, (ctx) => recordSale(ctx, program.keyHash, sale)));
}

export async function refundToo(
	sim: Simulation,
	random: Random,
	{ ids, payer }: Purchase,
	transactionId: string = random.pick(ids),
): Promise<void> {
	const { program, price } = payer;
	const refund = {
		transactionId,
		amountCents: random.chance(0.5) ? undefined : random.between(1, price.amount),
		reason: undefined,
		refundId: random.chance(0.7) ? 'beside' : undefined,
	};
	if (refund.refundId !== undefined) sim.erased.noteRefundId(refund.refundId);
	await insist(random, () => sim.request('refund', { program, refund }, (ctx) => reverseSale(ctx, program.keyHash, refund)));
}

/**
 * The backend reports one payment and its refunds under two ids, which count as two sales until the processor links the ids. Too rare to
 * leave to chance.
 */
export const twins: Operation = { kind: 'twins', weight: 3, races: false, run: reportTwice };

async function reportTwice(sim: Simulation, random: Random): Promise<void> {
	const candidates = sim.account.purchases().filter(({ ids, payer }) => ids.length > 1 && !payer.isTest && !isSold(sim, ids));
	if (candidates.length === 0) return;
	const purchase = random.pick(candidates);
	const names = random.shuffled(purchase.ids).slice(0, 2);
	for (const name of names) await sellToo(sim, random, purchase, name);
	for (const name of random.chance(0.5) ? names : [...names, ...names]) await refundToo(sim, random, purchase, name);
}

/** Two programs use the same order number (decision 55). */
export const neighbours: Operation = { kind: 'neighbours', weight: 3, races: false, run: reportSameNumber };

async function reportSameNumber(sim: Simulation, random: Random): Promise<void> {
	const orders = sim.account.purchases().filter(({ ids, payer }) => isOrderNumber(ids) && !payer.isTest && !isSold(sim, ids));
	if (orders.length === 0) return;
	const { ids, payer } = random.pick(orders);
	// Customers of other programs are refused.
	const customers = sim.rows.customers.filter((row) => row.program_id !== payer.program.id && row.customer_key !== null);
	const customer = customers.length > 0 ? random.pick(customers) : undefined;
	const others = WORLD.programs.filter(({ id }) => (customer ? id === customer.program_id : id !== payer.program.id));
	const program = random.pick(others);
	const buyer = customer ? { customerKey: customer.customer_key ?? undefined, clickId: undefined } : aBuyer(sim, random);
	const amountCents = random.between(1, 30_000);
	const sale = aPlainSale({ transactionId: random.pick(ids), amountCents, currency: undefined, ...buyer });
	await insist(random, () => sim.request('sale', { program, sale }, (ctx) => recordSale(ctx, program.keyHash, sale)));
}

function isSold(sim: Simulation, ids: readonly string[]): boolean {
	return sim.rows.sales.some(({ processor_event_id }) => ids.includes(processor_event_id));
}
