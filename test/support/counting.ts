/** A D1 database that counts its trips: a batch is one, and so is each run, all, first or raw of a statement. */
export interface CountingDatabase extends D1Database {
	readonly trips: () => number;
}

const TRIPS = new Set<string | symbol>(['run', 'all', 'first', 'raw']);

export function countingTrips(db: D1Database): CountingDatabase {
	let trips = 0;
	// The real batch() takes real statements only.
	const real = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

	const counted = (statement: D1PreparedStatement): D1PreparedStatement => {
		const proxy = new Proxy(statement, {
			get(target, name) {
				if (name === 'bind') return (...values: unknown[]) => counted(target.bind(...values));
				const value: unknown = Reflect.get(target, name, target);
				if (typeof value !== 'function') return value;
				return (...values: unknown[]): unknown => {
					if (TRIPS.has(name)) trips += 1;
					return value.apply(target, values);
				};
			},
		});
		real.set(proxy, statement);
		return proxy;
	};

	return {
		trips: () => trips,
		prepare: (query) => counted(db.prepare(query)),
		batch: (statements) => {
			trips += 1;
			return db.batch(statements.map((statement) => real.get(statement) ?? statement));
		},
		exec: (query) => {
			trips += 1;
			return db.exec(query);
		},
		dump: () => db.dump(),
		withSession: (constraint) => db.withSession(constraint),
	};
}
