import { env } from 'cloudflare:workers';
import { budgetOf } from '../../../testing/scale/budget.ts';
import { dearestOf, rowsReadBy } from '../../../testing/scale/recorded.ts';
import { EXCEPTIONS } from '../exceptions.ts';
import { NOT_YET } from '../not-yet.ts';
import type { Measured } from './ask.ts';

/** What is wrong with what a route, job or message read: each complaint names the case, its rows, and the statement that read most. */
export async function complaintsOf(name: string, cases: readonly Measured[]): Promise<readonly string[]> {
	const over = cases.filter(({ rows, sendings }) => rowsReadBy(sendings) > budgetOf(rows));
	const ceiling = NOT_YET[name] ?? EXCEPTIONS[name]?.ceiling;
	const list = name in NOT_YET ? 'test/scale/not-yet.ts' : 'test/scale/exceptions.ts';
	if (name in NOT_YET && name in EXCEPTIONS) return [`${name} stands in both lists`];
	if (ceiling === undefined) return Promise.all(over.map(complaintOf));
	if (over.length === 0) return [`${name} holds the budget now: remove it from ${list}`];
	const most = Math.max(...over.map(({ sendings }) => rowsReadBy(sendings)));
	if (most < ceiling / 2) return [`${name} reads ${most} rows at most now: lower its ceiling in ${list}`];
	return Promise.all(over.filter(({ sendings }) => rowsReadBy(sendings) > ceiling).map(complaintOf));
}

async function complaintOf({ name, rows, sendings }: Measured): Promise<string> {
	const dearest = dearestOf(sendings);
	const budget = `${name} read ${rowsReadBy(sendings)} rows, for ${rows}: the budget is ${budgetOf(rows)}.`;
	if (!dearest) return budget;
	const plan = await planOfStatement(dearest.query);
	return `${budget} The dearest statement read ${dearest.rowsRead}:\n${dearest.query}\n${plan.join('\n')}`;
}

/** How SQLite goes about a statement, a line for each step. */
export async function planOfStatement(query: string): Promise<readonly string[]> {
	const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
		.bind(...valuesFor(query))
		.all<{ detail: string }>();
	return results.map(({ detail }) => detail);
}

/** As many values as it asks for; the plan does not depend on them. */
function valuesFor(query: string): null[] {
	const numbered = [...query.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
	return Array.from({ length: numbered.length > 0 ? Math.max(...numbered) : query.split('?').length - 1 }, () => null);
}
