import { eraseCustomer } from '../../src/privacy/erase-customer.ts';
import type { PersonQuery } from '../../src/privacy/person.ts';
import type { Random } from '../../testing/random.ts';
import type { CustomerRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { aClickId, aKnownKey, aName, insist, managed, type Operation } from './operation.ts';

/** Sometimes erases an erased or unknown customer, or the same customer twice at once. */
export const erase: Operation = { kind: 'erase', weight: 2, races: true, run: eraseOne };

async function eraseOne(sim: Simulation, random: Random): Promise<void> {
	const customer = aCustomer(sim, random);
	const program = WORLD.programs.find(({ id }) => id === customer?.program_id) ?? random.pick(WORLD.programs);
	const times = random.chance(0.15) ? 2 : 1;
	const person = idOf(sim, random, customer);
	await Promise.all(
		Array.from({ length: times }, () =>
			insist(random, () => sim.request('erase', { program, person }, (ctx) => eraseCustomer(ctx, managed(program), person))),
		),
	);
}

/** In a race, usually the customer that the race is about. */
function aCustomer(sim: Simulation, random: Random): CustomerRow | undefined {
	const { customers } = sim.rows;
	const key = aKnownKey(sim, random);
	const living = customers.filter(({ erased_at }) => erased_at === null);
	const named = living.find(({ customer_key }) => customer_key === key);
	if (named && random.chance(0.6)) return named;
	const some = random.chance(0.9) && living.length > 0 ? living : customers;
	return some.length > 0 ? random.pick(some) : undefined;
}

function idOf(sim: Simulation, random: Random, customer: CustomerRow | undefined): PersonQuery {
	const by = random.pick(['customerKey', 'clickId', 'email', 'customerId'] as const);
	if (by === 'customerId' || customer === undefined) return { by: 'customerId', id: customer?.id ?? 999 };
	if (by === 'customerKey' && customer.customer_key !== null) return { by, id: customer.customer_key };
	if (by === 'email') return { by, id: `${aName(sim, random, 'mail', 2)}@example.com` };
	return { by: 'clickId', id: customer.click_id ?? aClickId(sim, random) };
}
