import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { read, type Statement } from '../db/client.ts';
import { type Step, stepOf } from '../domain/commissions/decision-run.ts';
import { remainderOf } from '../domain/payouts/payout.ts';
import type { PlanSlice, Run, Slice, SliceTry } from '../runs/run.ts';
import { APPROVAL, approvalOf } from './approve-commissions.ts';
import type { DatedCommission, Decision } from './commissions-to-decide.ts';
import { DecisionSelection } from './decision-selection.ts';
import { REJECTION, rejectionOf } from './reject-commissions.ts';
import { countMatches, selectMatches, selectWindowEnd, type Walk } from './undecided-walk.ts';

const SLICE_COMMISSIONS = 500;
/** Slices shrink to this if other requests keep changing the commissions. */
const FEWEST_COMMISSIONS = 20;
/** A window reads each commission twice, and with a search also its sale and partner. Both limits mean at most 5,000 rows. */
const WINDOW_ROWS = 2_000;
const SEARCHED_WINDOW_ROWS = 900;

/** While `counted` is set, the run only counts matches. */
const Cursor = z.object({
	counted: z.optional(z.number()),
	after: z.optional(z.object({ partnerProgramId: z.number(), id: z.number() })),
});
type Cursor = z.infer<typeof Cursor>;

/** One slice of a run that approves all matching pending commissions (decision 65). */
export const planApproval: PlanSlice = (ctx, run, slice) =>
	planDecision(ctx, run, { ...slice, decision: APPROVAL, decide: (selected) => approvalOf(ctx, slice.operation, selected) });

/** One slice of a run that rejects all matching commissions (decision 65). */
export const planRejection: PlanSlice = (ctx, run, slice) => {
	const { reason } = DecisionSelection.parse(run.selection);
	return planDecision(ctx, run, {
		...slice,
		decision: REJECTION,
		decide: (selected) => rejectionOf(ctx, slice.operation, selected, reason),
	});
};

interface SliceDecision extends SliceTry {
	readonly decision: Decision;
	readonly decide: (selected: readonly DatedCommission[]) => Statement[];
}

async function planDecision(ctx: Context, run: Run, { decision, decide, attempt }: SliceDecision): Promise<Slice> {
	const { isCounted, untilId, ...filter } = DecisionSelection.parse(run.selection);
	const cursor = run.cursor === null ? startOf(isCounted) : Cursor.parse(JSON.parse(run.cursor));
	const walk: Walk = {
		programId: run.programId,
		filter,
		isPossible: decision.isPossible,
		maxId: untilId,
		after: cursor.after,
		windowRows: filter.search === undefined ? WINDOW_ROWS : SEARCHED_WINDOW_ROWS,
	};
	if (cursor.counted !== undefined) return countSlice(ctx, run, walk, cursor.counted);
	const { matches, end } = await read(ctx.db, { matches: selectMatches(ctx, walk), end: selectWindowEnd(ctx, walk) });
	const room = Math.max(Math.floor(SLICE_COMMISSIONS / 2 ** (attempt - 1)), FEWEST_COMMISSIONS);
	const left = run.expectedCount - (run.counts['decided'] ?? 0);
	return sliceOf(stepOf({ matches, end: end[0] }, { room, left }), decide);
}

function startOf(isCounted: boolean): Cursor {
	return isCounted ? {} : { counted: 0 };
}

function sliceOf({ selected, after }: Step<DatedCommission>, decide: SliceDecision['decide']): Slice {
	const sums = [...Map.groupBy(selected, ({ currency }) => currency)].map(([currency, own]) => [
		currency,
		own.reduce((sum, commission) => sum + remainderOf(commission), 0),
	]);
	return {
		statements: selected.length === 0 ? [] : decide(selected),
		cursor: after && cursorText({ after }),
		counts: { decided: selected.length },
		sums: sql`SELECT value ->> 0 AS currency, value ->> 1 AS cents FROM json_each(${JSON.stringify(sums)})`,
		results: [],
	};
}

/** Ends the run if the total of matches is not the expected number. */
async function countSlice(ctx: Context, run: Run, walk: Walk, before: number): Promise<Slice> {
	const { window, end } = await read(ctx.db, { window: countMatches(ctx, walk), end: selectWindowEnd(ctx, walk) });
	const matching = window[0]?.matching ?? 0;
	const counted = before + matching;
	const next: Cursor | undefined = end[0] ? { counted, after: end[0] } : startOf(true);
	const isOver = !end[0] && counted !== run.expectedCount;
	return { statements: [], cursor: isOver ? undefined : cursorText(next), counts: { counted: matching }, results: [] };
}

function cursorText(cursor: Cursor): string {
	return JSON.stringify(cursor);
}
