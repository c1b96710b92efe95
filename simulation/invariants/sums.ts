import type { Request } from '../world/journal.ts';
import type { Simulation } from '../world/simulation.ts';
import { dueSums, keptSums, linesOf } from '../world/sums.ts';
import type { PayoutRow } from '../world/rows.ts';
import { grouped, type RowInvariant, type WithRows, type Invariant, violated } from './invariant.ts';

/** Decision 63. */
export const sums: RowInvariant = {
	name: 'stored sums and waiting deltas are the sums of the commissions',
	reads: ['sumScopes', 'sums', 'outbox', 'commissions'],
	check: checkSums,
};

export const payoutSums: RowInvariant = {
	name: 'sums of payouts are those of the payouts that were made or sent',
	reads: ['payouts', 'payoutSums'],
	check: checkPayoutSums,
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

const QUARTER_MS = 900_000;

function checkPayoutSums({ rows }: WithRows): void {
	const summed = rows.payouts.filter(({ amount_cents: cents, failed_at: failedAt }) => cents > 0 && failedAt === null);
	const due = [...grouped(summed, summedWith)].map(
		([key, of]) => `${key}: ${of.length}, ${of.reduce((sum, { amount_cents: cents }) => sum + cents, 0)}`,
	);
	const kept = rows.payoutSums
		.filter(({ payouts, amount_cents: cents }) => payouts !== 0 || cents !== 0)
		.map((row) => `${row.program_id} ${row.sent_from} ${row.currency}: ${row.payouts}, ${row.amount_cents}`);
	const [is, should] = [kept.toSorted().join('; '), due.toSorted().join('; ')];
	if (is !== should) throw violated(payoutSums.name, `${is || 'nothing'}, should be ${should || 'nothing'}`);
}

function summedWith({ program_id: programId, sent_at: sentAt, currency }: PayoutRow): string {
	return `${programId} ${sentAt === null ? 0 : sentAt - (sentAt % QUARTER_MS)} ${currency}`;
}
