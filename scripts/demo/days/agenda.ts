interface Entry {
	readonly at: number;
	readonly order: number;
	readonly work: () => Promise<unknown>;
	/** True if the entry is only a click, whose messages may be delivered later. */
	readonly isClick: boolean;
}

/** Scheduled work. Work may schedule later work. */
export class Agenda {
	#entries: Entry[] = [];
	#added: Entry[] = [];
	#count = 0;

	get added(): number {
		return this.#count;
	}

	add(at: number, work: () => Promise<unknown>, isClick = false): void {
		this.#count += 1;
		this.#added.push({ at, order: this.#count, work, isClick });
	}

	/** The entries due before `until`, in chronological order; entries with the same time stay in the order they were added. */
	*due(until: number): Generator<Entry> {
		for (;;) {
			const next = this.#takeNext();
			if (!next || next.at >= until) return;
			yield next;
		}
	}

	/** Usually only a few entries are new, so each is inserted by binary search; many are sorted all at once. */
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
