export interface Trip {
	readonly by: 'batch' | 'exec' | 'run' | 'all' | 'first' | 'raw';
	/** All statements of a batch; empty for exec(). */
	readonly statements: readonly WatchedStatement[];
}

export interface WatchedStatement {
	readonly query: string;
	/** The real statement with its bound values. */
	readonly bound: D1PreparedStatement;
}

/** Calls `go` to make the trip, and returns the result. */
export type AroundTrip = <Answer>(go: () => Promise<Answer>, trip: Trip) => Promise<Answer>;

const TRIPS = ['run', 'all', 'first', 'raw'] as const;

export function isWrite(query: string): boolean {
	return /\b(insert|update|delete)\b/i.test(query);
}

/** A plain object type, so that it can be spread. */
export type WatchedDatabase = Pick<D1Database, 'prepare' | 'batch' | 'exec' | 'dump' | 'withSession'>;

/** A batch is one trip, and so is each run, all, first or raw of a statement. */
export function aroundTrips(db: D1Database, around: AroundTrip): WatchedDatabase {
	// The real batch() accepts only real statements.
	const real = new WeakMap<D1PreparedStatement, WatchedStatement>();

	const watched = (bound: D1PreparedStatement, query: string): D1PreparedStatement => {
		const proxy = new Proxy(bound, {
			get(target, name) {
				if (name === 'bind') return (...values: unknown[]) => watched(target.bind(...values), query);
				const value: unknown = Reflect.get(target, name, target);
				if (typeof value !== 'function') return value;
				const by = TRIPS.find((method) => method === name);
				if (by === undefined) return value.bind(target);
				// all() returns the same rows as raw(), and their cost. Rows as objects lose nothing, because a write never returns two columns
				// with the same name.
				if (by === 'raw' && isWrite(query)) {
					return async () => {
						const { results } = await around(() => target.all<object>(), { by: 'all', statements: [{ query, bound }] });
						return results.map(Object.values);
					};
				}
				return (...values: unknown[]) =>
					around(async (): Promise<unknown> => value.apply(target, values), { by, statements: [{ query, bound }] });
			},
		});
		real.set(proxy, { query, bound });
		return proxy;
	};

	const watchedTrips = (of: Pick<D1Database, 'prepare' | 'batch'>): Pick<D1Database, 'prepare' | 'batch'> => ({
		prepare: (query) => watched(of.prepare(query), query),
		batch: <Row>(sent: D1PreparedStatement[]) => {
			const statements = sent.map((statement) => real.get(statement) ?? { query: 'of another database', bound: statement });
			return around(() => of.batch<Row>(statements.map(({ bound }) => bound)), { by: 'batch', statements });
		},
	});

	return {
		...watchedTrips(db),
		exec: (query) => around(() => db.exec(query), { by: 'exec', statements: [] }),
		dump: () => db.dump(),
		withSession: (constraint) => {
			const session = db.withSession(constraint);
			return { ...watchedTrips(session), getBookmark: () => session.getBookmark() };
		},
	};
}
