import type { ReversalFact } from '../../src/domain/processors/processor-event.ts';
import { reverseSale } from '../../src/refunds/reverse-sale.ts';
import { recordReversal } from '../../testing/service/payments.ts';
import type { Random } from '../../testing/random.ts';
import type { CommissionRow, SaleRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { type Program, START, WORLD } from '../world/world.ts';
import { insist, type Operation } from './operation.ts';

/**
 * Makes a refund forgive a debt: disputes a paid sale, then refunds an unpaid sale of the same account. The dispute may be won, and lost
 * again. Too rare to leave to chance.
 */
export const forgive: Operation = { kind: 'forgive', weight: 3, races: false, run: forgiveDebt };

async function forgiveDebt(sim: Simulation, random: Random): Promise<void> {
	const [begun] = random.shuffled(disputesOf(sim));
	if (begun && random.chance(0.5)) return change(sim, random, begun);
	const [paid] = random.shuffled(sim.rows.commissions.filter(({ status }) => status === 'paid'));
	const disputed = paid && soldBy(sim, paid);
	if (!paid || !disputed) return;
	await dispute(sim, random, disputed);
	const [unpaid] = random.shuffled(sim.rows.commissions.filter((row) => isUnpaidBeside(row, paid)));
	const refunded = unpaid && soldBy(sim, unpaid);
	if (refunded) await refund(sim, random, refunded);
	const own = disputesOf(sim).find(({ fact }) => fact.reversal.id === idOf(disputed));
	if (own && random.chance(0.5)) await change(sim, random, own);
}

interface Sold {
	readonly program: Program;
	readonly sale: SaleRow;
}

interface Disputed {
	readonly program: Program;
	readonly paymentIds: readonly string[];
	readonly fact: ReversalFact;
}

function soldBy(sim: Simulation, { sale_id, program_id }: CommissionRow): Sold | undefined {
	const program = WORLD.programs.find(({ id }) => id === program_id);
	const sale = sim.rows.sales.find(({ id }) => id === sale_id);
	return program && sale ? { program, sale } : undefined;
}

function isUnpaidBeside(row: CommissionRow, paid: CommissionRow): boolean {
	const isOfAccount = row.partner_program_id === paid.partner_program_id && row.currency === paid.currency;
	return isOfAccount && row.paid_at === null && (row.status === 'approved' || row.status === 'pending' || row.status === 'refunded');
}

const PREFIX = 'dp-forgiven-';

function idOf({ sale }: Sold): string {
	return `${PREFIX}${sale.id}`;
}

/** The disputes that this operation opened, in their last reported state. */
function disputesOf(sim: Simulation): Disputed[] {
	const reported = sim.journal.answered('reversal').map(({ request }) => request.params);
	const own = reported.filter(({ fact }) => fact.reversal.id.startsWith(PREFIX));
	return [...new Map(own.map((params) => [params.fact.reversal.id, params])).values()];
}

async function dispute(sim: Simulation, random: Random, { program, sale }: Sold): Promise<void> {
	const paymentIds = [sale.processor_event_id];
	const amountCents = random.chance(0.7) ? sale.amount_cents : random.between(1, sale.amount_cents);
	const made = {
		kind: 'dispute',
		id: idOf({ program, sale }),
		amountCents,
		happenedAt: START,
		undoneAt: undefined,
		stoodAt: START,
	} as const;
	const reversal = { ...made, chargeId: undefined, chargeCents: undefined };
	const fact = { kind: 'reversal', paymentIds, invoiceId: undefined, currency: sale.currency, reason: undefined, reversal } as const;
	await report(sim, random, { program, paymentIds, fact });
}

/** An open dispute is won; a won dispute is lost again. */
async function change(sim: Simulation, random: Random, { fact, ...of }: Disputed): Promise<void> {
	const { undoneAt, stoodAt = START } = fact.reversal;
	const isWon = undoneAt === undefined;
	const at = (undoneAt ?? stoodAt) + 10;
	const word = isWon ? { undoneAt: at, stoodAt: undefined } : { undoneAt: undefined, stoodAt: at };
	await report(sim, random, { ...of, fact: { ...fact, reversal: { ...fact.reversal, ...word } } });
}

async function report(sim: Simulation, random: Random, { program, paymentIds, fact }: Disputed): Promise<void> {
	const opId = `event-${random.bits()}`;
	await insist(random, () =>
		sim.request('reversal', { program, paymentIds, isTest: false, fact, opId }, (ctx) =>
			recordReversal(ctx, program.id, false, fact, opId),
		),
	);
}

async function refund(sim: Simulation, random: Random, { program, sale }: Sold): Promise<void> {
	const amountCents = random.chance(0.6) ? undefined : random.between(1, sale.amount_cents);
	const sent = { transactionId: sale.processor_event_id, amountCents, reason: undefined, refundId: 'forgiven' };
	sim.erased.noteRefundId(sent.refundId);
	await insist(random, () => sim.request('refund', { program, refund: sent }, (ctx) => reverseSale(ctx, program.keyHash, sent)));
}
