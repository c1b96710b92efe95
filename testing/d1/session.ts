import type { Gate } from './look-alike.ts';

// D1's sessions without replicas, which the local D1 lacks too.

const CONSTRAINTS: readonly string[] = ['', 'first-primary', 'first-unconstrained'];

/** A session keeps the newest bookmark that it was opened with or has seen. `reached` returns the database's bookmark. */
export function openSession(reached: () => string, gate: Gate, constraint = '') {
	let bookmark = CONSTRAINTS.includes(constraint.trim()) ? null : constraint.trim();
	const through: Gate = (call) =>
		gate({
			...call,
			run: () => {
				const answer = call.run();
				if (bookmark === null || bookmark < reached()) bookmark = reached();
				return answer;
			},
		});
	return { through, getBookmark: () => bookmark };
}
