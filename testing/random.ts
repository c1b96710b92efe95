/** A small seeded random number generator (mulberry32). The same seed gives the same history on every machine. */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	bits(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = this.#state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return (mixed ^ (mixed >>> 14)) >>> 0;
	}

	/** An integer from 0 to `limit` - 1. */
	below(limit: number): number {
		return this.bits() % limit;
	}

	/** Both ends are included. */
	between(low: number, high: number): number {
		return low + this.below(high - low + 1);
	}

	chance(probability: number): boolean {
		return this.bits() < probability * 2 ** 32;
	}

	pick<Item>(items: readonly Item[]): Item {
		const item = items[this.below(items.length)];
		if (item === undefined) throw new Error('Nothing to pick from');
		return item;
	}

	/** The probability is proportional to the item's weight. */
	weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item {
		let left = this.below(items.reduce((sum, { weight }) => sum + weight, 0));
		for (const item of items) {
			left -= item.weight;
			if (left < 0) return item;
		}
		throw new Error('Nothing to pick from');
	}

	/** In random order. */
	some<Item>(items: readonly Item[], probability: number): Item[] {
		return this.shuffled(items.filter(() => this.chance(probability)));
	}

	shuffled<Item>(items: readonly Item[]): Item[] {
		return items
			.map((item) => ({ item, order: this.bits() }))
			.toSorted((a, b) => a.order - b.order)
			.map(({ item }) => item);
	}
}

/** A separate seed for each part. */
export function subSeed(seed: number, part: number): number {
	return new Random((Math.imul(seed, 0x9e3779b1) ^ Math.imul(part + 1, 0x85ebca6b)) >>> 0).bits();
}
