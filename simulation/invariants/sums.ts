import type { Request } from '../world/journal.ts';
import type { Simulation } from '../world/simulation.ts';
import { dueSums, keptSums, linesOf } from '../world/sums.ts';
import { type RowInvariant, type WithRows, type Invariant, violated } from './invariant.ts';

/** Decision 63. */
export const sums: RowInvariant = {
	name: 'stored sums and waiting deltas are the sums of the commissions',
	reads: ['sumScopes', 'sums', 'outbox', 'commissions'],
	check: checkSums,
};

/** Compared with the commissions at the time of reading. */
export const summaries: Invariant = { name: 'summaries show the sums of the commissions', onAnswers: true, check: checkSummaries };

function checkSums({ rows }: WithRows): void {
	const difference = keptSums(rows).differenceFrom(dueSums(rows));
	if (difference !== undefined) throw violated(sums.name, difference);
}

function checkSummaries(sim: Simulation): void {
	for (const request of sim.journal.requests.slice(sim.firstOfStep)) if (isSummary(request)) checkOne(sim, request);
}

function isSummary(request: Request): request is Request<'summary'> {
	return request.kind === 'summary';
}

function checkOne(sim: Simulation, { id, answer, saw, params: { program, partnerId } }: Request<'summary'>): void {
	if (answer?.state !== 'answered' || !saw) return;
	const membership = saw.memberships.find(({ program_id, partner_id }) => program_id === program.id && partner_id === partnerId)?.id;
	const commissions = saw.commissions.filter(
		(row) => row.program_id === program.id && (partnerId === undefined || row.partner_program_id === membership),
	);
	const [shown, due] = [answer.receipt.toSorted().join(', '), linesOf(commissions).toSorted().join(', ')];
	if (shown !== due)
		throw violated(summaries.name, `summary ${id} of program ${program.id} says ${shown || 'nothing'}, should say ${due || 'nothing'}`);
	const scope = saw.sumScopes.find(
		({ program_id, partner_program_id }) => program_id === program.id && partner_program_id === (membership ?? 0),
	);
	if (scope && scope.summed_before !== '' && shown !== '') sim.count('summary of stored sums');
}
