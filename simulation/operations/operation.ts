import type { Request } from '../world/journal.ts';
import type { Sale } from '../../src/domain/commissions/sale.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { type Program, WORLD } from '../world/world.ts';

/** Draws its details from its own seed and from small sets of names. */
export interface Operation {
	readonly kind: string;
	/** Its share among all operations. */
	readonly weight: number;
	readonly races: boolean;
	/** Sends concurrent requests itself. */
	readonly overtakes?: boolean;
	run(sim: Simulation, random: Random): Promise<void>;
}

/** One of `count` names such as `txn-3`, so that operations often collide. Races usually share one name. */
export function aName(sim: Simulation, random: Random, prefix: string, count: number): string {
	const number = random.below(count);
	const isFocused = random.chance(0.8);
	return `${prefix}-${sim.focus !== undefined && isFocused ? sim.focus % count : number}`;
}

/** Often a processor's payment id, or an order number that several shops share. */
export function aTransaction(sim: Simulation, random: Random): string {
	if (sim.theme.name === 'processors' && random.chance(0.25)) return String(1001 + random.below(2));
	const paid = sim.account.purchases().flatMap(({ ids }) => ids);
	if (paid.length > 0 && random.chance(0.6)) return random.pick(paid);
	if (sim.theme.paymentShare === 0) return aName(sim, random, 'txn', 10);
	return random.chance(sim.theme.paymentShare)
		? `${random.pick(['pi', 'ch', 'in'])}-${aName(sim, random, '', 3).slice(1)}`
		: aName(sim, random, 'txn', 10);
}
export const aKey = (sim: Simulation, random: Random) => aName(sim, random, 'customer', 4);
export const aVisitor = (sim: Simulation, random: Random) => aName(sim, random, 'visitor', sim.theme.visitors);

/** Usually the first one, because operations collide more often in fewer programs. */
export function aProgram(random: Random): Program {
	const [first, second, third] = WORLD.programs;
	if (!first || !second || !third) throw new Error('The world has three programs');
	return random.weighted([
		{ weight: 7, program: first },
		{ weight: 2, program: second },
		{ weight: 1, program: third },
	]).program;
}

/** Usually the program that the click or key belongs to, because a backend knows its own visitors. */
export function aProgramFor(sim: Simulation, random: Random, clickId: string | undefined, customerKey?: string): Program {
	const other = aProgram(random);
	const isOther = random.chance(0.08);
	const visit = clickId === undefined ? undefined : sim.issuedClicks.get(clickId);
	const link = visit && WORLD.links.find(({ id }) => id === visit.linkId);
	const customer = sim.rows.customers.find(({ customer_key }) => customerKey !== undefined && customer_key === customerKey);
	const programId = link?.programId ?? customer?.program_id;
	return (isOther ? undefined : WORLD.programs.find(({ id }) => id === programId)) ?? other;
}

/** Usually a recorded transaction: the next name that has a sale. */
export function aSoldTransaction(sim: Simulation, random: Random): string {
	const name = aTransaction(sim, random);
	if (random.chance(0.1) || !name.startsWith('txn')) return name;
	const sold = sim.rows.sales
		.filter((sale) => sale.is_test === 0)
		.map((sale) => sale.processor_event_id)
		.toSorted();
	return sold.find((other) => other >= name) ?? sold[0] ?? name;
}

/** Usually a key that some customer has. */
export function aKnownKey(sim: Simulation, random: Random): string {
	const name = aKey(sim, random);
	if (random.chance(0.15)) return name;
	const known = sim.rows.customers.flatMap(({ customer_key }) => customer_key ?? []).toSorted();
	return known.find((other) => other >= name) ?? known[0] ?? name;
}

/** The ids that identify a buyer: a key, a click or both. */
export function aBuyer(sim: Simulation, random: Random): { clickId: string | undefined; customerKey: string | undefined } {
	const hasKeys = sim.rows.customers.some(({ customer_key }) => customer_key !== null);
	const ids = random.weighted([
		{ weight: 3, withKey: true, withClick: true },
		{ weight: hasKeys ? 3 : 0, withKey: true, withClick: false },
		{ weight: 5, withKey: false, withClick: true },
	]);
	const clickId = ids.withClick ? aClickId(sim, random) : undefined;
	const customerKey = ids.withKey ? (ids.withClick ? aKey(sim, random) : aKnownKey(sim, random)) : undefined;
	return { clickId, customerKey };
}

export function aClickId(sim: Simulation, random: Random): string {
	const visitor = aVisitor(sim, random);
	const visit = sim.visits.get(visitor) ?? sim.visits.values().next().value;
	if (!visit || random.chance(0.03)) return random.pick(['cust_1_2', 'nonsense', 'cust_72057594037927936_1']);
	return random.chance(0.03) ? visit.clickId.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)) : visit.clickId;
}

/** Sometimes retries a request that got no response, like a client. */
export async function insist(random: Random, send: () => Promise<Request>): Promise<void> {
	for (let attempt = 1; attempt <= 3; attempt += 1) {
		const { answer } = await send();
		if (answer?.state !== 'crashed' && answer?.state !== 'faulted') return;
		if (random.chance(0.4)) return;
	}
}

export function aPlainSale(sale: Pick<Sale, 'transactionId' | 'amountCents' | 'currency' | 'customerKey' | 'clickId'>): Sale {
	return {
		...sale,
		saleType: 'payment',
		isRecurring: false,
		subscriptionId: undefined,
		subscriptionInterval: undefined,
		productId: undefined,
		lineItems: undefined,
	};
}

export function managed(program: Program) {
	return {
		id: program.id,
		workspaceId: program.workspaceId,
		name: `Program ${program.id}`,
		currency: program.currency,
		timeZone: program.timeZone,
		cookieWindowDays: program.windowDays,
		clickRetentionDays: null,
		active: true,
		archivedAt: null,
		payoutMinimumCents: 0,
		role: 'owner',
		actor: { userId: program.ownerId, email: 'owner@example.com', name: 'Owner', address: null },
	} as const;
}
