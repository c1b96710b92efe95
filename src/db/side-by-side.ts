import { type Database, openDatabase } from './client.ts';

/** Claims names until the end of the work. Waits where other work holds one of them, and returns whether it did. */
export type Claim = (names: readonly string[]) => Promise<boolean>;

/** Work that nothing goes side by side with. */
export const alone: Claim = async () => false;

/**
 * Works on the items side by side, so many at once, and lets them share their trips to D1: what all of them wait for goes in one
 * batch. Where that fails each goes alone, and meets its own fault only. Work that claims a name which other work has claimed
 * waits until that is done.
 */
export async function sideBySide<Item>(
	db: Database,
	items: readonly Item[],
	atOnce: number,
	work: (item: Item, db: Database, claim: Claim) => Promise<void>,
): Promise<void> {
	const lanes = Math.min(atOnce, items.length);
	const convoy = new Convoy(db.$client, lanes);
	const claims = new Claims(convoy);
	const shared = openDatabase(convoy.database);
	const queue = items.values();
	const drive = async () => {
		try {
			for (const item of queue) {
				const held = claims.open();
				await work(item, shared, held.claim).finally(held.release);
			}
		} finally {
			convoy.leave();
		}
	};
	await Promise.all(Array.from({ length: lanes }, drive));
}

interface Passenger {
	readonly statements: readonly D1PreparedStatement[];
	readonly arrive: (answers: readonly D1Result[]) => void;
	readonly fail: (error: unknown) => void;
}

/** Trips wait here until every lane that is under way has one. */
class Convoy {
	readonly database: D1Database;
	readonly #db: D1Database;
	#lanes: number;
	#waiting: Passenger[] = [];

	constructor(db: D1Database, lanes: number) {
		this.#db = db;
		this.#lanes = lanes;
		this.database = this.#share();
	}

	join(): void {
		this.#lanes += 1;
	}

	leave(): void {
		this.#lanes -= 1;
		this.#depart();
	}

	#travel(statements: readonly D1PreparedStatement[]): Promise<readonly D1Result[]> {
		return new Promise((arrive, fail) => {
			this.#waiting.push({ statements, arrive, fail });
			this.#depart();
		});
	}

	#depart(): void {
		if (this.#waiting.length === 0 || this.#waiting.length < this.#lanes) return;
		const passengers = this.#waiting;
		this.#waiting = [];
		void this.#go(passengers);
	}

	async #go(passengers: readonly Passenger[]): Promise<void> {
		try {
			const answers = await this.#db.batch(passengers.flatMap(({ statements }) => statements));
			let start = 0;
			for (const { statements, arrive } of passengers) arrive(answers.slice(start, (start += statements.length)));
		} catch (error) {
			const [first] = passengers;
			if (first && passengers.length === 1) return first.fail(error);
			for (const passenger of passengers) await this.#go([passenger]);
		}
	}

	/** The database as a lane sees it. */
	#share(): D1Database {
		// The real batch() takes real statements only.
		const real = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
		const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
			const shared = new Proxy(statement, {
				get: (target, name) => {
					if (name === 'bind') return (...values: unknown[]) => wrap(target.bind(...values));
					if (name === 'all' || name === 'run') return async () => (await this.#travel([target]))[0];
					const value: unknown = Reflect.get(target, name, target);
					return typeof value === 'function' ? value.bind(target) : value;
				},
			});
			real.set(shared, statement);
			return shared;
		};
		return new Proxy(this.#db, {
			get: (target, name) => {
				if (name === 'prepare') return (query: string) => wrap(target.prepare(query));
				if (name === 'batch')
					return (statements: readonly D1PreparedStatement[]) =>
						this.#travel(statements.map((statement) => real.get(statement) ?? statement));
				const value: unknown = Reflect.get(target, name, target);
				return typeof value === 'function' ? value.bind(target) : value;
			},
		});
	}
}

interface Parked {
	readonly names: readonly string[];
	readonly resume: () => void;
}

/** Who works on what. Names are claimed all at once, so that no two wait for each other. */
class Claims {
	readonly #convoy: Convoy;
	readonly #held = new Set<string>();
	#parked: readonly Parked[] = [];

	constructor(convoy: Convoy) {
		this.#convoy = convoy;
	}

	/** For one piece of work; what it claims again is its own already. */
	open(): { readonly claim: Claim; readonly release: () => void } {
		let own: readonly string[] | undefined;
		return {
			claim: async (names) => {
				if (own) return false;
				own = names;
				return this.#take(names);
			},
			release: () => this.#release(own ?? []),
		};
	}

	async #take(names: readonly string[]): Promise<boolean> {
		if (this.#isFree(names, this.#parked)) {
			for (const name of names) this.#held.add(name);
			return false;
		}
		await new Promise<void>((resume) => {
			this.#parked = [...this.#parked, { names, resume }];
			this.#convoy.leave();
		});
		return true;
	}

	#release(names: readonly string[]): void {
		for (const name of names) this.#held.delete(name);
		const parked: Parked[] = [];
		for (const next of this.#parked) {
			if (!this.#isFree(next.names, parked)) {
				parked.push(next);
				continue;
			}
			for (const name of next.names) this.#held.add(name);
			this.#convoy.join();
			next.resume();
		}
		this.#parked = parked;
	}

	/** Neither held nor waited for by one who came before. */
	#isFree(names: readonly string[], before: readonly Parked[]): boolean {
		return names.every((name) => !this.#held.has(name) && !before.some((other) => other.names.includes(name)));
	}
}
