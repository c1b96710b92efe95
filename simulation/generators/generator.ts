import type { Random } from '../../testing/random.ts';
import type { Beginning, Claims, ProcessorName, Sent } from '../world/account.ts';
import type { Simulation } from '../world/simulation.ts';
import type { Program } from '../world/world.ts';

// Payments and refunds are the same for every processor; an event generator reports them in one processor's format.

/** A person before their first payment. */
export interface Buyer {
	readonly program: Program;
	readonly claims: Claims;
}

export interface EventGenerator {
	readonly processor: ProcessorName;
	readonly signatureHeader: string;
	readonly begin: (sim: Simulation, random: Random, buyer: Buyer) => Beginning;
	/** Signed at `at` (ms). */
	readonly deliver: (event: Sent, secret: string, at: number) => Delivery;
	/** The same event with another id. */
	readonly renamed: (event: Sent, id: string) => Sent;
}

export interface Delivery {
	readonly body: string;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
}

/** In minor units, including tax and shipping. The currency is in upper case. */
export interface Price {
	readonly amount: number;
	readonly tax: number;
	readonly shipping: number;
	readonly currency: string;
}

/** Usually includes tax. */
export function aPrice(random: Random, program: Program): Price {
	const amount = random.chance(0.7) ? random.between(3, 30_000) : random.between(1, 60) * 500;
	const aPart = (probability: number) => (random.chance(probability) ? random.below(Math.ceil(amount / 3)) : 0);
	return { amount, tax: aPart(0.6), shipping: aPart(0.3), currency: random.chance(0.85) ? program.currency : 'JPY' };
}

export function metadataOf(claims: Claims | undefined, productId?: string): Record<string, string> {
	return {
		...(claims && productId !== undefined && { tracker_product_id: productId }),
		...(claims?.customerKey !== undefined && { tracker_customer_key: claims.customerKey }),
		...(claims?.clickId !== undefined && { tracker_click_id: claims.clickId }),
		...(claims?.programId !== undefined && { program_id: String(claims.programId) }),
	};
}

/** At least one, usually most of them. */
export function someOf<Item>(items: readonly Item[], random: Random): readonly Item[] {
	const some = random.some(items, 0.7);
	return some.length > 0 ? some : [random.pick(items)];
}
