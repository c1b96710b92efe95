import type { Gate } from './look-alike.ts';

// D1's sessions, without replicas: the local D1 has none either.

const CONSTRAINTS: readonly string[] = ['', 'first-primary', 'first-unconstrained'];

/** A session knows the newest bookmark that it was opened with or has seen. `reached` is that of the database. */
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
