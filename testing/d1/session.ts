import type { Gate } from './look-alike.ts';

// As in the local D1, there are no replicas.

const CONSTRAINTS: readonly string[] = ['', 'first-primary', 'first-unconstrained'];

/** Keeps the newest bookmark that it has seen or was opened with. `reached` returns the database's bookmark. */
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
