export interface PlanStep {
	readonly id: number;
	readonly parent: number;
	readonly detail: string;
}

/**
 * Plans that are too slow if they read much:
 * - `walk`: scans all rows of a program although the statement names a key with few rows;
 * - `inner scan`: scans a list or table for each row of another, because no index exists;
 * - `sort`: sorts its rows, because no index has that order;
 * - `made index`: builds an index of a whole table or list for this statement alone.
 */
export type Shape = 'walk' | 'inner scan' | 'sort' | 'made index';

/** A statement that reads fewer rows is fast in any shape. */
const MUCH = 1_000;

const BETTER_KEY =
	/\b(partner_program_id|partner_id|customer_id|payout_id|referral_link_id|click_id|event_id|customer_key|processor_event_id|hash)"? (= \?|IN \(SELECT value FROM json_each)/i;
const WALK = /^SEARCH \S+ USING (COVERING )?(INDEX \S+|PRIMARY KEY) \(program_id=\?\)/;

/** The shapes of a statement that read this many rows. */
export function shapesOf(query: string, plan: readonly PlanStep[], rowsRead: number): readonly Shape[] {
	if (rowsRead <= MUCH) return [];
	const shapes: Shape[] = [];
	if (BETTER_KEY.test(query) && plan.some(({ detail }) => WALK.test(detail))) shapes.push('walk');
	if (plan.some((step, index) => isInnerScan(step, plan.slice(0, index)))) shapes.push('inner scan');
	if (plan.some(({ detail }) => detail === 'USE TEMP B-TREE FOR ORDER BY')) shapes.push('sort');
	if (plan.some(({ detail }) => / USING AUTOMATIC /.test(detail))) shapes.push('made index');
	return shapes;
}

/** Steps with the same parent are the loops of a join, the outer one first. */
function isInnerScan({ parent, detail }: PlanStep, before: readonly PlanStep[]): boolean {
	return /^SCAN (?!CONSTANT)/.test(detail) && before.some((step) => step.parent === parent && /^(SCAN|SEARCH) /.test(step.detail));
}
