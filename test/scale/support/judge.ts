import { env } from 'cloudflare:workers';
import { budgetOf } from '../../../testing/scale/budget.ts';
import { costliestOf, rowsReadBy } from '../../../testing/scale/recorded.ts';
import { EXCEPTIONS } from '../exceptions.ts';
import type { Measured } from './ask.ts';
import { type PlanStep, shapesOf } from './shapes.ts';

/** Each complaint has the case, its rows and the statement that read most. */
export async function complaintsOf(name: string, cases: readonly Measured[]): Promise<readonly string[]> {
	const over = cases.filter(({ rows, sendings }) => rowsReadBy(sendings) > budgetOf(rows));
	const ceiling = EXCEPTIONS[name]?.ceiling;
	if (ceiling === undefined) return Promise.all(over.map(complaintOf));
	if (over.length === 0) return [`${name} holds the budget now: remove it from test/scale/exceptions.ts`];
	const most = Math.max(...over.map(({ sendings }) => rowsReadBy(sendings)));
	if (most < ceiling / 2) return [`${name} reads ${most} rows at most now: lower its ceiling in test/scale/exceptions.ts`];
	return Promise.all(over.filter(({ sendings }) => rowsReadBy(sendings) > ceiling).map(complaintOf));
}

function shareOf({ rows, sendings }: Measured): number {
	return rowsReadBy(sendings) / budgetOf(rows);
}

/** The case with the largest share of its budget, as a table row. */
export function worstOf(name: string, cases: readonly Measured[]): string {
	const [worst] = cases.toSorted((a, b) => shareOf(b) - shareOf(a));
	if (!worst) return `${name}: nothing`;
	const percent = `${Math.ceil(100 * shareOf(worst))} %`.padStart(9);
	return `${percent} ${String(rowsReadBy(worst.sendings)).padStart(9)} rows for ${String(worst.rows).padStart(6)}  ${name}: ${worst.name}`;
}

async function complaintOf({ name, rows, sendings }: Measured): Promise<string> {
	const dearest = costliestOf(sendings);
	const budget = `${name} read ${rowsReadBy(sendings)} rows, for ${rows}: the budget is ${budgetOf(rows)}.`;
	if (!dearest) return budget;
	const plan = await explain(dearest.query);
	return `${budget} The dearest statement read ${dearest.rowsRead}:\n${dearest.query}\n${plan.map(({ detail }) => detail).join('\n')}`;
}

/** The shapes of the expensive statements as `name: shape`, each with the statement and its plan. */
export async function shapesIn(name: string, cases: readonly Measured[]): Promise<ReadonlyMap<string, string>> {
	const sent = new Map<string, number>();
	for (const { query, rowsRead } of cases.flatMap(({ sendings }) => sendings.flat()))
		sent.set(query, Math.max(sent.get(query) ?? 0, rowsRead));
	const found = new Map<string, string>();
	for (const [query, rowsRead] of sent) {
		const plan = await explain(query);
		for (const shape of shapesOf(query, plan, rowsRead))
			found.set(`${name}: ${shape}`, `${query}\n${plan.map(({ detail }) => detail).join('\n')}`);
	}
	return found;
}

async function explain(query: string): Promise<readonly PlanStep[]> {
	const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
		.bind(...valuesFor(query))
		.all<PlanStep & Record<string, unknown>>();
	return results;
}

/** The plan does not depend on the values. */
function valuesFor(query: string): null[] {
	const numbered = [...query.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
	return Array.from({ length: numbered.length > 0 ? Math.max(...numbered) : query.split('?').length - 1 }, () => null);
}
