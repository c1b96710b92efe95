import { payCommissions } from '../../src/payouts/pay-commissions.ts';
import { reverseSale } from '../../src/refunds/reverse-sale.ts';
import type { Random } from '../../testing/random.ts';
import type { CommissionRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { insist, managed, type Operation } from './operation.ts';

/**
 * Pays at least a partner's whole balance while a sale with a paid commission is refunded. The balance falls, but no commission in the
 * payout changes. Too rare to leave to chance.
 */
export const contest: Operation = { kind: 'contest', weight: 4, races: false, overtakes: true, run: payWhileRefunding };

async function payWhileRefunding(sim: Simulation, random: Random): Promise<void> {
	const contested = sim.rows.commissions.find((paid) => paid.status === 'paid' && payableBeside(sim, paid));
	const program = WORLD.programs.find(({ id }) => id === contested?.program_id);
	const sale = sim.rows.sales.find(({ id }) => id === contested?.sale_id);
	const account = sim.rows.balances.find((row) => contested && isOf(row, contested));
	if (!contested || !program || !sale || !account) return;
	const payout = { minimumCents: random.chance(0.7) ? account.balance_cents : random.between(1, account.balance_cents) };
	const refund = {
		transactionId: sale.processor_event_id,
		amountCents: random.chance(0.5) ? undefined : random.between(1, sale.amount_cents),
		reason: undefined,
		refundId: 'contested',
	};
	sim.erased.noteRefundId(refund.refundId);
	await Promise.all([
		insist(random, () => sim.request('payout', { program, payout }, (ctx) => payCommissions(ctx, managed(program), payout))),
		insist(random, () => sim.request('refund', { program, refund }, (ctx) => reverseSale(ctx, program.keyHash, refund))),
	]);
}

function payableBeside(sim: Simulation, paid: CommissionRow): boolean {
	const isPositive = sim.rows.balances.some((row) => isOf(row, paid) && row.balance_cents > 0);
	return isPositive && sim.rows.commissions.some((row) => row.status === 'approved' && isOf(row, paid));
}

function isOf(row: { partner_program_id: number; currency: string }, commission: CommissionRow): boolean {
	return row.partner_program_id === commission.partner_program_id && row.currency === commission.currency;
}
