/** A D1 database that sums up what its trips cost, as D1 itself counts it. */
export interface MeteredDatabase extends D1Database {
	readonly spent: () => { readonly trips: number; readonly rowsRead: number; readonly rowsWritten: number };
}

export function metered(db: D1Database): MeteredDatabase {
	let spent = { trips: 0, rowsRead: 0, rowsWritten: 0 };
	const note = (answers: readonly D1Result[]): void => {
		spent = { ...spent, trips: spent.trips + 1 };
		for (const { meta } of answers) {
			spent = { ...spent, rowsRead: spent.rowsRead + meta.rows_read, rowsWritten: spent.rowsWritten + meta.rows_written };
		}
	};
	const real = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
	const meter = (statement: D1PreparedStatement): D1PreparedStatement => {
		const proxy = new Proxy(statement, {
			get(target, name) {
				if (name === 'bind') return (...values: unknown[]) => meter(target.bind(...values));
				if (name === 'all' || name === 'run') {
					return async () => {
						const answer = await target.all();
						note([answer]);
						return answer;
					};
				}
				if (name === 'raw' || name === 'first') throw new Error(`The answer of ${name}() does not say what it cost`);
				const value: unknown = Reflect.get(target, name, target);
				return typeof value === 'function' ? value.bind(target) : value;
			},
		});
		real.set(proxy, statement);
		return proxy;
	};
	return {
		spent: () => spent,
		prepare: (query) => meter(db.prepare(query)),
		batch: async <Row>(statements: D1PreparedStatement[]) => {
			const answers = await db.batch<Row>(statements.map((statement) => real.get(statement) ?? statement));
			note(answers);
			return answers;
		},
		exec: (query) => db.exec(query),
		dump: () => db.dump(),
		withSession: (constraint) => db.withSession(constraint),
	};
}
