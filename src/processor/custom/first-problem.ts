import type * as z from 'zod/mini';

/** The first problem, preceded by the field's path. */
export function firstProblem({ issues: [issue] }: z.core.$ZodError, ...above: readonly string[]): string {
	const path = [...above, ...(issue?.path ?? []).map(String)].join('.');
	const message = issue?.message ?? 'is not what it should be';
	return path === '' ? message : `${path} ${message}`;
}
