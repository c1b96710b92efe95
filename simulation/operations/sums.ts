import { fillSums, keepSums } from '../../src/commission-sums/keep-sums.ts';
import type { Context } from '../../src/context.ts';
import { summarizeCommissions } from '../../src/commissions/summarize-commissions.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { type Program, WORLD } from '../world/world.ts';
import { aProgram, insist, type Operation } from './operation.ts';

/** Reads the sums while they are stored, being filled, or missing. */
export const sums: Operation = { kind: 'sums', weight: 6, races: true, run: keepFillOrLook };

async function keepFillOrLook(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const partnerId = random.chance(0.5)
		? undefined
		: random.pick(WORLD.memberships.filter(({ programId }) => programId === program.id)).partnerId;
	const membership = WORLD.memberships.find((one) => one.programId === program.id && one.partnerId === partnerId);
	const scope = { programId: program.id, partnerProgramId: membership?.id ?? 0 };
	if (random.chance(0.3)) await insist(random, () => sim.request('keepSums', scope, (ctx) => keepSums(ctx, scope)));
	// One day at a time, or everything.
	const perBatch = random.pick([1, 2, 1_000]);
	if (random.chance(0.4)) await insist(random, () => sim.request('fillSums', { perBatch }, (ctx) => fillSums(ctx, perBatch)));
	await insist(random, () => sim.request('summary', { program, partnerId }, (ctx) => summarize(ctx, program, partnerId)));
}

async function summarize(ctx: Context, program: Program, partnerId: number | undefined): Promise<readonly string[]> {
	const found = await summarizeCommissions(ctx, program, { partnerId });
	return found.map((sum) => `${sum.status} ${sum.currency} ${sum.count} ${sum.amountCents} ${sum.deductedCents}`);
}
