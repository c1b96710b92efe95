/** A trip to D1 that is about to be made. */
export interface Trip {
	/** The method that makes it. */
	readonly by: 'batch' | 'exec' | 'run' | 'all' | 'first' | 'raw';
	/** The statement, unless it is a batch or a script. */
	readonly statement: { readonly query: string; readonly bound: D1PreparedStatement } | undefined;
}

/** Something to do around each trip: it makes the trip by `go` and returns its answer. */
export type AroundTrip = <Answer>(go: () => Promise<Answer>, trip: Trip) => Promise<Answer>;

const TRIPS = ['run', 'all', 'first', 'raw'] as const;

/** An object of its own, so that it can be spread. */
export type WatchedDatabase = Pick<D1Database, 'prepare' | 'batch' | 'exec' | 'dump' | 'withSession'>;

/** A D1 database with something around each of its trips: a batch is one, and so is each run, all, first or raw of a statement. */
export function aroundTrips(db: D1Database, around: AroundTrip): WatchedDatabase {
	// The real batch() takes real statements only.
	const real = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

	const watched = (bound: D1PreparedStatement, query: string): D1PreparedStatement => {
		const proxy = new Proxy(bound, {
			get(target, name) {
				if (name === 'bind') return (...values: unknown[]) => watched(target.bind(...values), query);
				const value: unknown = Reflect.get(target, name, target);
				if (typeof value !== 'function') return value;
				const by = TRIPS.find((method) => method === name);
				if (by === undefined) return value.bind(target);
				return (...values: unknown[]) =>
					around(async (): Promise<unknown> => value.apply(target, values), { by, statement: { query, bound } });
			},
		});
		real.set(proxy, bound);
		return proxy;
	};

	return {
		prepare: (query) => watched(db.prepare(query), query),
		batch: <Row>(statements: D1PreparedStatement[]) =>
			around(() => db.batch<Row>(statements.map((statement) => real.get(statement) ?? statement)), { by: 'batch', statement: undefined }),
		exec: (query) => around(() => db.exec(query), { by: 'exec', statement: undefined }),
		dump: () => db.dump(),
		withSession: (constraint) => db.withSession(constraint),
	};
}
