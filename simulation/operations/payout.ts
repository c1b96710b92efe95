import { approveCommissions } from '../../src/commissions/approve-commissions.ts';
import { markFailed } from '../../src/payouts/mark-failed.ts';
import { markSent } from '../../src/payouts/mark-sent.ts';
import { payCommissions } from '../../src/payouts/pay-commissions.ts';
import { rejectCommissions } from '../../src/commissions/reject-commissions.ts';
import { startPayRun } from '../../src/payouts/start-pay-run.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { aProgram, aSoldTransaction, insist, managed, type Operation } from './operation.ts';

export const payout: Operation = { kind: 'payout', weight: 12, races: true, run: pay };
/** A run's slices are queue messages, which may arrive late, twice or never. */
export const run: Operation = { kind: 'run', weight: 4, races: true, run: startARun };
export const approve: Operation = { kind: 'approve', weight: 3, races: true, run: (sim, random) => decide(sim, random, 'approve') };
export const reject: Operation = { kind: 'reject', weight: 3, races: true, run: (sim, random) => decide(sim, random, 'reject') };
export const send: Operation = { kind: 'send', weight: 3, races: true, run: markAsSent };
export const fail: Operation = { kind: 'fail', weight: 3, races: true, run: markAsFailed };

async function pay(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const chosen = someCommissions(sim, random, program.id, ['approved', 'refunded']);
	// Uses exact balances as the minimum, so that even a small deduction matters.
	const balances = sim.rows.balances.map(({ balance_cents }) => Math.max(balance_cents, 1));
	const request = random.chance(0.4)
		? { commissionIds: chosen }
		: {
				partnerIds: random.chance(0.2) ? [random.between(1, 3)] : undefined,
				before: random.chance(0.2) ? ({ kind: 'instant', at: sim.now - random.below(40) * 86_400_000 } as const) : undefined,
				minimumCents: random.chance(0.4) ? random.pick([...balances, 1, 2_000]) : undefined,
			};
	await insist(random, () => sim.request('payout', { program, payout: request }, (ctx) => payCommissions(ctx, managed(program), request)));
}

/** Refused while another run is in progress. */
async function startARun(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const due = {
		partnerIds: random.chance(0.2) ? [random.between(1, 3)] : undefined,
		minimumCents: random.chance(0.3) ? random.pick([1, 2_000]) : undefined,
	};
	await insist(random, () => sim.request('run', { program, due }, (ctx) => startPayRun(ctx, managed(program), due)));
}

async function decide(sim: Simulation, random: Random, kind: 'approve' | 'reject'): Promise<void> {
	const program = aProgram(random);
	const ids = someCommissions(sim, random, program.id, kind === 'approve' ? ['pending'] : ['pending', 'approved', 'refunded']);
	await insist(random, () =>
		sim.request(kind, { program, ids }, (ctx) =>
			kind === 'approve' ? approveCommissions(ctx, managed(program), ids) : rejectCommissions(ctx, managed(program), ids, undefined),
		),
	);
}

async function markAsSent(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const made = somePayouts(sim, program.id, random);
	const payoutIds = made.slice(0, random.between(1, 3));
	const sending = { payoutIds, reference: undefined, sentAt: undefined };
	await insist(random, () => sim.request('sent', { program, ids: payoutIds }, (ctx) => markSent(ctx, managed(program), sending)));
}

/** Often twice at once, because the amount must be returned only once. */
async function markAsFailed(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const [id = 0] = somePayouts(sim, program.id, random);
	const mark = () => sim.request('failed', { program, ids: [id] }, (ctx) => markFailed(ctx, managed(program), id, 'closed'));
	await Promise.all(Array.from({ length: random.between(1, 2) }, () => insist(random, mark)));
}

/** Usually payouts that can still be sent or fail. */
function somePayouts(sim: Simulation, programId: number, random: Random): number[] {
	const isStrict = random.chance(0.85);
	const fitting = sim.rows.payouts.filter(
		(row) => !isStrict || (row.program_id === programId && row.amount_cents > 0 && row.failed_at === null),
	);
	const from = fitting.length > 0 ? random.below(fitting.length) : 0;
	const ids = [...fitting.slice(from), ...fitting.slice(0, from)].map(({ id }) => id);
	return ids.length > 0 ? ids : [999];
}

/** Selects commissions by transaction, so that the selection stays the same when the history is shortened. */
function someCommissions(sim: Simulation, random: Random, programId: number, statuses: readonly string[]): number[] {
	const transactions = new Set(Array.from({ length: random.between(1, 3) }, () => aSoldTransaction(sim, random)));
	const isStrict = random.chance(0.95);
	const fitting = sim.rows.commissions.find((row) => row.program_id === programId && statuses.includes(row.status));
	const sales = new Map(sim.rows.sales.map((row) => [row.id, row.processor_event_id]));
	const ids = sim.rows.commissions
		.filter((row) => transactions.has(sales.get(row.sale_id) ?? '') && (row.program_id === programId || !isStrict))
		.map((row) => row.id);
	if (fitting && random.chance(0.6)) return [fitting.id];
	return ids.length > 0 ? ids : [999];
}
