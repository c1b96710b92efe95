import type { ReversalFact } from '../../src/domain/processors/processor-event.ts';
import { linkPayment, recordPayment, recordReversal } from '../../testing/service/payments.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { type Program, START, WORLD } from '../world/world.ts';
import { aBuyer, aName, insist, type Operation } from './operation.ts';

// A processor reports a few payments repeatedly, in parts and in any order, alongside the backend. A repeated event keeps its op id.

const DAY_MS = 86_400_000;
const CHARGED = [10_000, 999, 12_345] as const;
const CURRENCIES = ['USD', 'USD', 'EUR'] as const;
const REFUNDED_PERCENT = [25, 50, 13] as const;

export const payment: Operation = { kind: 'payment', weight: 14, races: true, run: pay };
/** A refund, a dispute, a total, or only ids that belong together. */
export const reversal: Operation = { kind: 'reversal', weight: 22, races: true, run: reverse };

/** One of only a few, so that operations often collide. */
function aPayment(sim: Simulation, random: Random): number {
	return Number(aName(sim, random, '', CHARGED.length).slice(1));
}

function aSoldPayment(sim: Simulation, random: Random): number {
	const number = aPayment(sim, random);
	if (random.chance(0.1)) return number;
	const sold = CHARGED.map((_, index) => index).filter((index) => idsOf(index).some((id) => isKnown(sim, id)));
	return sold.find((other) => other >= number) ?? sold[0] ?? number;
}

function isKnown(sim: Simulation, paymentId: string): boolean {
	return sim.rows.sales.some(({ processor_event_id, is_test }) => processor_event_id === paymentId && is_test === 0);
}

function idsOf(number: number): readonly string[] {
	return [`pi-${number}`, `ch-${number}`, `in-${number}`];
}

async function pay(sim: Simulation, random: Random): Promise<void> {
	const number = aPayment(sim, random);
	const paymentIds = someIds(random, number);
	const { clickId, customerKey } = aBuyer(sim, random);
	const program = programOf(random, number);
	const sale = {
		transactionId: random.pick(paymentIds),
		amountCents: random.weighted([
			{ weight: 3, cents: CHARGED[number] ?? 1 },
			{ weight: 2, cents: random.between(1, 20_000) },
			{ weight: 1, cents: random.between(1, 9) },
		]).cents,
		currency: random.chance(0.8) ? program.currency : 'JPY',
		saleType: 'payment' as const,
		isRecurring: false,
		subscriptionId: undefined,
		subscriptionInterval: undefined,
		productId: random.chance(0.2) ? 'pro' : undefined,
		lineItems: undefined,
	};
	const fact = {
		kind: 'payment' as const,
		attribution: { customerKey: undefined, clickId: undefined, programId: undefined, processorIds: [] },
		sale,
		...named(paymentIds),
		chargedCents: CHARGED[number] ?? 1,
		paidAt: sim.now - random.pick([0, 1000, DAY_MS, -8 * DAY_MS]),
	};
	const isTest = random.chance(0.07);
	const opId = `event-${random.bits()}`;
	const params = { program, sale: { ...sale, customerKey, clickId }, paymentIds, paidAt: fact.paidAt, isTest, opId };
	await insist(random, () =>
		sim.request('payment', params, (ctx) => recordPayment(ctx, program.id, { fact, customerKey, clickId, isTest }, opId)),
	);
}

async function reverse(sim: Simulation, random: Random): Promise<void> {
	const number = aSoldPayment(sim, random);
	const paymentIds = someIds(random, number);
	const program = programOf(random, number);
	const isTest = random.chance(0.05);
	const { kind } = random.weighted([
		{ weight: 5, kind: 'refund' as const },
		{ weight: 2, kind: 'dispute' as const },
		{ weight: 3, kind: 'total' as const },
		{ weight: 2, kind: 'ids' as const },
	]);
	if (kind === 'ids') {
		const ids = named(paymentIds);
		await insist(random, () => sim.request('link', { program, paymentIds, isTest }, (ctx) => linkPayment(ctx, program.id, isTest, ids)));
		return;
	}
	const fact: ReversalFact = {
		kind: 'reversal',
		...named(paymentIds),
		currency: CURRENCIES[number] ?? 'USD',
		reason: random.chance(0.3) ? 'as reported' : undefined,
		reversal: aReversal(random, kind, number),
	};
	const opId = `event-${random.bits()}`;
	await insist(random, () =>
		sim.request('reversal', { program, paymentIds, isTest, fact, opId }, (ctx) => recordReversal(ctx, program.id, isTest, fact, opId)),
	);
}

/** Always the same few, some of them undone. The last one belongs to a second charge. */
function aReversal(random: Random, kind: 'refund' | 'dispute' | 'total', number: number): ReversalFact['reversal'] {
	const index = random.below(kind === 'dispute' ? 1 : REFUNDED_PERCENT.length);
	const charged = CHARGED[number] ?? 1;
	const refunded = (which: number) => Math.max(1, Math.floor((charged * (REFUNDED_PERCENT[which] ?? 0)) / 100));
	const made = START + 10 * index;
	const undoneAt = random.chance(0.35) ? made + 15 : undefined;
	const chargeId = index === 2 ? `ch-${number}-b` : `ch-${number}`;
	const common = {
		kind,
		chargeId: random.chance(0.7) ? chargeId : undefined,
		chargeCents: random.chance(0.4) ? charged : undefined,
	};
	if (kind === 'refund') return { ...common, id: `re-${number}-${index}`, amountCents: refunded(index), happenedAt: made, undoneAt };
	if (kind === 'dispute') return { ...common, id: `dp-${number}`, amountCents: refunded(1), happenedAt: made, ...aWord(random, made) };
	const amountCents = index === 2 ? refunded(2) : [0, 1].slice(0, index + 1).reduce((sum, which) => sum + refunded(which), 0);
	return { ...common, id: `${chargeId}:${made + 1}:${amountCents}`, amountCents, happenedAt: made + 1, undoneAt: undefined };
}

/** A dispute may be won, lost again and won again. The reports may arrive in any order. */
function aWord(random: Random, made: number): Pick<ReversalFact['reversal'], 'stoodAt' | 'undoneAt'> {
	const { after, isWon } = random.weighted([
		{ weight: 5, after: 0, isWon: false },
		{ weight: 4, after: 15, isWon: true },
		{ weight: 1, after: 15, isWon: false },
		{ weight: 3, after: 30, isWon: false },
		{ weight: 1, after: 45, isWon: true },
	]);
	return isWon ? { stoodAt: undefined, undoneAt: made + after } : { stoodAt: made + after, undoneAt: undefined };
}

function someIds(random: Random, number: number): readonly string[] {
	const ids = random.some(idsOf(number), 0.6);
	return ids.length > 0 ? ids : [random.pick(idsOf(number))];
}

function named(paymentIds: readonly string[]) {
	return { paymentIds, invoiceId: paymentIds.find((id) => id.startsWith('in-')) };
}

function programOf(random: Random, number: number): Program {
	const own = WORLD.programs[number === 2 ? 1 : 0];
	const other = random.pick(WORLD.programs);
	return own && random.chance(0.94) ? own : other;
}
