import type { Random } from '../../testing/random.ts';
import type { Beginning, Claims, ProcessorName, Sent } from '../world/account.ts';
import type { Simulation } from '../world/simulation.ts';
import type { Program } from '../world/world.ts';

// What people pay and get back is one story, whichever processor tells it; a teller tells it in the words of one.

/** Somebody who is about to pay a program for the first time, as they would be named. */
export interface Buyer {
	readonly program: Program;
	readonly claims: Claims;
}

export interface Teller {
	readonly processor: ProcessorName;
	readonly begin: (sim: Simulation, random: Random, buyer: Buyer) => Beginning;
	/** A delivery of an event, signed at `at`, ms. */
	readonly deliver: (event: Sent, secret: string, at: number) => Delivery;
	/** The same event by another id. */
	readonly renamed: (event: Sent, id: string) => Sent;
}

export interface Delivery {
	readonly body: string;
	/** By their names, in lower case. */
	readonly headers: Readonly<Record<string, string>>;
}

/** At least one, mostly most of them. */
export function someOf<Item>(items: readonly Item[], random: Random): readonly Item[] {
	const some = random.some(items, 0.7);
	return some.length > 0 ? some : [random.pick(items)];
}
