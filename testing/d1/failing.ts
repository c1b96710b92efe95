/** What becomes of a trip to D1: lost on the way there, or committed with its answer lost on the way back. */
export type FaultyTrip = 'never arrives' | 'loses its answer' | undefined;

const LOST = 'D1_ERROR: Network connection lost.';
const WRITE = /^\s*(insert|update|delete)\b/i;

/** The database behind a bad connection: `becomes` is asked of each trip that writes, counted from 1. */
export function faultyDb(db: D1Database, becomes: (writingTrip: number) => FaultyTrip | Promise<FaultyTrip>): D1Database {
	const texts = new WeakMap<object, string>();
	let trips = 0;
	const travel = async <Answer>(queries: readonly string[], go: () => Promise<Answer>): Promise<Answer> => {
		if (!queries.some((query) => WRITE.test(query))) return go();
		trips += 1;
		const trip = await becomes(trips);
		if (trip === 'never arrives') throw new Error(LOST);
		const answer = await go();
		if (trip === 'loses its answer') throw new Error(LOST);
		return answer;
	};
	const watch = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
		texts.set(statement, query);
		return Object.assign(statement, {
			bind: wrapBind(statement, query),
			all: wrap(statement.all.bind(statement), query),
			run: wrap(statement.run.bind(statement), query),
			raw: wrap(statement.raw.bind(statement), query),
		});
	};
	const wrap =
		<Arguments extends unknown[], Answer>(method: (...given: Arguments) => Promise<Answer>, query: string) =>
		(...given: Arguments) =>
			travel([query], () => method(...given));
	const wrapBind = (statement: D1PreparedStatement, query: string) => {
		const bind = statement.bind.bind(statement);
		return (...values: unknown[]) => watch(bind(...values), query);
	};
	return {
		prepare: (query) => watch(db.prepare(query), query),
		batch: <Row>(statements: D1PreparedStatement[]) =>
			travel(
				statements.map((statement) => texts.get(statement) ?? ''),
				() => db.batch<Row>(statements),
			),
		exec: (query) => db.exec(query),
		dump: () => db.dump(),
		withSession: (constraint) => db.withSession(constraint),
	};
}

/** The first `times` writing trips commit, but their answers are lost. */
export function losingAnswers(db: D1Database, times = 1): D1Database {
	return faultyDb(db, (trip) => (trip <= times ? 'loses its answer' : undefined));
}

/** The first `times` writing trips never arrive. */
export function losingTrips(db: D1Database, times = 1): D1Database {
	return faultyDb(db, (trip) => (trip <= times ? 'never arrives' : undefined));
}

/** Something else is committed after the caller has read, and before its first write. */
export function interrupted(db: D1Database, work: () => Promise<unknown>): D1Database {
	return faultyDb(db, async (trip) => {
		if (trip === 1) await work();
		return undefined;
	});
}
