interface Entry {
	readonly at: number;
	readonly order: number;
	readonly work: () => Promise<unknown>;
	/** A click and nothing else: what it sends may wait for what comes next. */
	readonly isClick: boolean;
}

/** What is to happen, and when. What happens may add what comes later. */
export class Agenda {
	#entries: Entry[] = [];
	#added: Entry[] = [];
	#count = 0;

	/** How much was added so far. */
	get added(): number {
		return this.#count;
	}

	add(at: number, work: () => Promise<unknown>, isClick = false): void {
		this.#count += 1;
		this.#added.push({ at, order: this.#count, work, isClick });
	}

	/** What is due before `until`, in its order; of what happens at once the first that was added comes first. */
	*due(until: number): Generator<Entry> {
		for (;;) {
			const next = this.#takeNext();
			if (!next || next.at >= until) return;
			yield next;
		}
	}

	/** What was added since is mostly little beside what there is. */
	#takeNext(): Entry | undefined {
		if (this.#added.length > this.#entries.length) this.#entries = [...this.#entries, ...this.#added.splice(0)].toSorted(lastFirst);
		for (const entry of this.#added.splice(0)) {
			let [low, high] = [0, this.#entries.length];
			while (low < high) {
				const middle = (low + high) >> 1;
				const there = this.#entries[middle];
				if (there && lastFirst(there, entry) < 0) low = middle + 1;
				else high = middle;
			}
			this.#entries.splice(low, 0, entry);
		}
		return this.#entries.pop();
	}
}

function lastFirst(one: Entry, other: Entry): number {
	return other.at - one.at || other.order - one.order;
}
