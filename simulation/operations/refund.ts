import { recordTestRefund } from '../../src/test-mode/record-test-events.ts';
import { reverseSale } from '../../src/refunds/reverse-sale.ts';
import type { Random } from '../../testing/random.ts';
import type { SaleRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { aName, aProgram, aSoldTransaction, insist, type Operation } from './operation.ts';

/** Full, partial or too high, with or without refund_id, repeated, or for an unknown sale. */
export const refund: Operation = { kind: 'refund', weight: 22, races: true, run: refundSale };

async function refundSale(sim: Simulation, random: Random): Promise<void> {
	const isTest = random.chance(0.06);
	const tested = sim.rows.sales.findLast((row) => row.is_test === 1);
	const transactionId = isTest && tested ? tested.processor_event_id : aSoldTransaction(sim, random);
	const sold = sim.rows.sales.find((row) => row.processor_event_id === transactionId && row.is_test === Number(isTest));
	const share = random.between(1, 99);
	const amount = random.weighted([
		{ weight: 4, cents: undefined },
		{ weight: 6, cents: Math.max(1, Math.floor(((sold?.amount_cents ?? 500) * share) / 100)) },
		{ weight: 1, cents: sold?.amount_cents ?? 500 },
		{ weight: 1, cents: (sold?.amount_cents ?? 500) + share },
	]);
	const claimed = aProgram(random);
	const own = WORLD.programs.find(({ id }) => id === sold?.program_id);
	const program = own && random.chance(0.9) ? own : claimed;
	const report = {
		transactionId,
		amountCents: amount.cents,
		reason: random.chance(0.3) ? 'requested_by_customer' : undefined,
		refundId: random.chance(0.65) ? aRefundId(sim, random, sold) : undefined,
	};
	if (report.refundId !== undefined) sim.erased.noteRefundId(report.refundId);
	await insist(random, () =>
		isTest
			? sim.request('testRefund', { program, refund: report }, (ctx) => recordTestRefund(ctx, program.keyHash, report))
			: sim.request('refund', { program, refund: report }, (ctx) => reverseSale(ctx, program.keyHash, report)),
	);
}

/** Sometimes contains the buyer's key. */
function aRefundId(sim: Simulation, random: Random, sold: SaleRow | undefined): string {
	const name = aName(sim, random, 'refund', 4);
	const buyer = sim.rows.customers.find(({ id }) => id === sold?.customer_id)?.customer_key;
	return buyer != null && random.chance(0.2) ? `${name} of ${buyer}` : name;
}
