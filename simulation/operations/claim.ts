import { recordLead } from '../../src/leads/record-lead.ts';
import { recordSale } from '../../src/sales/record-sale.ts';
import type { Random } from '../../testing/random.ts';
import type { CustomerRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { aClickId, aName, aPlainSale, aProgramFor, insist, type Operation } from './operation.ts';

/** A page claims a key with its click. Then the backend reports a lead or sale with that key and any click or none. */
export const claim: Operation = { kind: 'claim', weight: 5, races: true, run: claimOrSettle };

/** More keys than any history claims. They have one digit each, so that no key contains another. */
const KEYS = 10;

async function claimOrSettle(sim: Simulation, random: Random): Promise<void> {
	const claimed = sim.rows.customers.filter(({ key_from_page, erased_at }) => key_from_page === 1 && erased_at === null);
	const [first] = claimed;
	if (!first || random.chance(0.3)) return claimByPage(sim, random);
	// In a race, usually the customer that the race is about.
	const customer = sim.focus === undefined ? random.pick(claimed) : (claimed[sim.focus % claimed.length] ?? first);
	return random.chance(0.75) ? reportLead(sim, random, customer) : sell(sim, random, customer);
}

async function claimByPage(sim: Simulation, random: Random): Promise<void> {
	const clickId = aClickId(sim, random);
	const program = aProgramFor(sim, random, clickId);
	const email = random.chance(0.5) ? `${aName(sim, random, 'typed', 2)}@example.com` : undefined;
	const report = { clickId, customerKey: aName(sim, random, 'claimed', KEYS), email, isTest: false };
	await insist(random, () =>
		sim.request('lead', { program, lead: report, isServer: false }, (ctx) =>
			recordLead(ctx, report, { mode: 'browser', origin: undefined }),
		),
	);
}

async function reportLead(sim: Simulation, random: Random, customer: CustomerRow): Promise<void> {
	const clickId = random
		.weighted([
			{ weight: 5, of: () => aClickOfProgram(sim, random, customer) },
			{ weight: 2, of: () => customer.click_id ?? undefined },
			{ weight: 1, of: () => aClickId(sim, random) },
			{ weight: 2, of: () => undefined },
		])
		.of();
	const program = programOf(customer);
	const email = random.chance(0.4) ? `${aName(sim, random, 'mail', 2)}@example.com` : undefined;
	const report = { clickId, customerKey: customer.customer_key ?? undefined, email, isTest: random.chance(0.05) };
	await insist(random, () =>
		sim.request('lead', { program, lead: report, isServer: true }, (ctx) =>
			recordLead(ctx, report, { mode: 'server', keyHash: program.keyHash }),
		),
	);
}

async function sell(sim: Simulation, random: Random, customer: CustomerRow): Promise<void> {
	const program = programOf(customer);
	const sale = aPlainSale({
		transactionId: aName(sim, random, 'txn', 10),
		amountCents: random.between(1, 30_000),
		currency: undefined,
		customerKey: customer.customer_key ?? undefined,
		clickId: random.chance(0.6) ? aClickOfProgram(sim, random, customer) : undefined,
	});
	await insist(random, () => sim.request('sale', { program, sale }, (ctx) => recordSale(ctx, program.keyHash, sale)));
}

/** Preferably not the customer's own click. */
function aClickOfProgram(sim: Simulation, random: Random, { program_id, click_id }: CustomerRow): string {
	const own = [...sim.issuedClicks.values()].filter(({ clickId, linkId, isTest }) => {
		const link = WORLD.links.find(({ id }) => id === linkId);
		return !isTest && link?.programId === program_id && clickId !== click_id;
	});
	return own.length === 0 ? aClickId(sim, random) : random.pick(own).clickId;
}

function programOf({ program_id }: CustomerRow) {
	const program = WORLD.programs.find(({ id }) => id === program_id);
	if (!program) throw new Error(`There is no program ${program_id}`);
	return program;
}
