import { approveCommissions } from '../src/commissions/approve-commissions.ts';
import { listPartners } from '../src/partners/list-partners.ts';
import { markFailed } from '../src/payouts/mark-failed.ts';
import { payCommissions } from '../src/payouts/pay-commissions.ts';
import { recordReversal } from '../testing/service/payments.ts';
import { expectedBalances } from './invariants/payouts.ts';
import type { Request, Verbs } from './world/journal.ts';
import { managed } from './operations/operation.ts';
import type { Simulation } from './world/simulation.ts';
import { Violation } from './world/violation.ts';
import { type Program, WORLD } from './world/world.ts';

const NAME = 'partners are paid what they see as available, and no money is stuck';

/** Runs work as a separate step, without faults. */
export type Calmly = (work: () => Promise<unknown>) => Promise<void>;

/** In half of the histories, waives all holds first. */
export async function settleAccounts(sim: Simulation, calmly: Calmly): Promise<void> {
	for (const program of WORLD.programs) {
		if (!sim.rows.commissions.some(({ program_id }) => program_id === program.id)) continue;
		if (sim.rows.entries.length % 2 === 0) await waiveHolds(sim, program, calmly);
		await payAll(sim, program, calmly);
		if (sim.rows.entries.length % 3 === 0 && (await failAll(sim, program, calmly))) await payAll(sim, program, calmly);
		if (await undoReversals(sim, program, calmly)) await payAll(sim, program, calmly);
	}
}

async function payAll(sim: Simulation, program: Program, calmly: Calmly): Promise<void> {
	const available = await checkBalances(sim, program, calmly);
	const paid = await answerTo<'payout'>(calmly, () =>
		sim.request('payout', { program, payout: {} }, (ctx) => payCommissions(ctx, managed(program), {})),
	);
	const amounts = moneyIn(paid.map(({ partnerId, currency, amountCents }) => [`${partnerId} ${currency}`, amountCents] as const));
	const due = moneyIn([...available]);
	if (amounts !== due) throw new Violation(NAME, `program ${program.id}: available is ${due}, but paid was ${amounts}`);
	const left = [...(await checkBalances(sim, program, calmly))].filter(([, cents]) => cents !== 0);
	if (left.length > 0) throw new Violation(NAME, `program ${program.id}: after everything was paid, ${left.join()} is still available`);
}

/** The commissions of a failed payout can be paid again. */
async function failAll(sim: Simulation, program: Program, calmly: Calmly): Promise<boolean> {
	const failing = sim.rows.payouts.filter((row) => row.program_id === program.id && row.amount_cents > 0 && row.failed_at === null);
	for (const { id } of failing)
		await answerTo<'failed'>(calmly, () =>
			sim.request('failed', { program, ids: [id] }, (ctx) => markFailed(ctx, managed(program), id, 'The account is closed')),
		);
	return failing.length > 0;
}

/**
 * The payouts came first, so the reinstated money belongs to no open commission. Each dispute is won, lost again and won again, so that
 * nothing is withheld twice.
 */
async function undoReversals(sim: Simulation, program: Program, calmly: Calmly): Promise<boolean> {
	const reversals = sim.journal
		.answered('reversal')
		.filter(({ request }) => request.params.program.id === program.id && !request.params.isTest);
	const reported = new Map(reversals.map(({ request }) => [request.params.fact.reversal.id, request.params]));
	for (const { paymentIds, fact } of reported.values()) {
		if (fact.reversal.kind === 'total') continue;
		const { kind, id, happenedAt } = fact.reversal;
		// Later than anything reported about the dispute.
		const at = happenedAt + (kind === 'dispute' ? 1_000_000 : 15);
		const won = { undoneAt: at, stoodAt: undefined };
		const states = kind === 'dispute' ? [won, { undoneAt: undefined, stoodAt: at + 1 }, { ...won, undoneAt: at + 2 }] : [won];
		for (const [index, state] of states.entries()) {
			const changed = { ...fact, reversal: { ...fact.reversal, ...state } };
			const params = { program, paymentIds, isTest: false, fact: changed, opId: `undone-${index}-${id}` };
			await calmly(() => sim.request('reversal', params, (ctx) => recordReversal(ctx, program.id, false, changed, params.opId)));
		}
	}
	return reported.size > 0;
}

/** All amounts except 0, as text. */
function moneyIn(amounts: readonly (readonly [account: string, cents: number])[]): string {
	return amounts
		.filter(([, cents]) => cents !== 0)
		.map(([account, cents]) => `${account} ${cents}`)
		.toSorted()
		.join();
}

async function waiveHolds(sim: Simulation, program: Program, calmly: Calmly): Promise<void> {
	const pending = sim.rows.commissions.filter(({ program_id, status }) => program_id === program.id && status === 'pending');
	const ids = pending.map(({ id }) => id);
	if (ids.length === 0) return;
	await calmly(() => sim.request('approve', { program, ids }, (ctx) => approveCommissions(ctx, managed(program), ids)));
}

/** Compares with the ledger entries. Returns the available amount per partner and currency. */
async function checkBalances(sim: Simulation, program: Program, calmly: Calmly): Promise<Map<string, number>> {
	const page = { cursor: undefined, limit: 50 };
	const { rows } = await answerTo<'balances'>(calmly, () =>
		sim.request('balances', { program }, (ctx) => listPartners(ctx, program, page)),
	);
	const reported: string[] = [];
	const available = new Map<string, number>();
	for (const { id, partnerProgramId, balances } of rows) {
		for (const [currency, { availableCents, pendingCents, debtCents }] of Object.entries(balances)) {
			reported.push(`${partnerProgramId} ${currency}: ${availableCents} ${pendingCents} ${debtCents}`);
			available.set(`${id} ${currency}`, availableCents);
		}
	}
	const due = [...expectedBalances(sim.rows, program.id, sim.now)].map(([account, balance]) => `${account}: ${balance}`);
	if (reported.toSorted().join() !== due.toSorted().join())
		throw new Violation(NAME, `program ${program.id} reports ${reported.join()} (available, pending, debt); expected is ${due.join()}`);
	return available;
}

async function answerTo<Kind extends keyof Verbs>(calmly: Calmly, send: () => Promise<Request<Kind>>): Promise<Verbs[Kind]['receipt']> {
	const requests: Request<Kind>[] = [];
	await calmly(async () => requests.push(await send()));
	const answer = requests[0]?.answer;
	if (answer?.state !== 'answered') throw new Violation(NAME, `without faults, the answer is ${answer?.state}`);
	return answer.receipt;
}
