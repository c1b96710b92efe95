/** The database as it looks when the first batch commits but its answer is lost on the way. */
export function losingFirstAnswer(db: D1Database): D1Database {
	let isLost = false;
	return new Proxy(db, {
		get(target, name) {
			if (name !== 'batch') {
				const value: unknown = Reflect.get(target, name, target);
				return typeof value === 'function' ? value.bind(target) : value;
			}
			return async (statements: D1PreparedStatement[]) => {
				const answer = await target.batch(statements);
				if (isLost) return answer;
				isLost = true;
				throw new Error('D1_ERROR: Network connection lost.');
			};
		},
	});
}
