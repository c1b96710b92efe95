import { sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { requireExpected } from '../domain/payouts/payout.ts';
import type { Run } from '../runs/run.ts';
import { startRun } from '../runs/start-run.ts';
import { APPROVAL } from './approve-commissions.ts';
import { choiceInAudit, type FilteredCommissions } from './commissions-to-decide.ts';
import type { DecisionSelection } from './decision-selection.ts';
import { REJECTION } from './reject-commissions.ts';
import { countMatches } from './undecided-walk.ts';

/**
 * The most undecided commissions to count before the response. With a search, each costs more reads. If there are more, the run counts them
 * first.
 */
const COUNTED_ROWS = 10_000;
const SEARCHED_ROWS = 2_500;

export interface RequestedDecision extends FilteredCommissions {
	readonly kind: 'approve' | 'reject';
	/** For rejections only. */
	readonly reason?: string | undefined;
}

/**
 * Starts a run that approves or rejects all matching commissions (decision 65). Rejects with 409 for an unexpected number, or if such a run
 * is in progress.
 */
export async function startDecision(ctx: Context, program: ManagedProgram, request: RequestedDecision): Promise<Run> {
	const { kind, filter, expectedCount, reason } = request;
	const decision = kind === 'approve' ? APPROVAL : REJECTION;
	const windowRows = filter.search === undefined ? COUNTED_ROWS : SEARCHED_ROWS;
	const walk = { programId: program.id, filter, isPossible: decision.isPossible, after: undefined, windowRows };
	const { newest, window } = await read(ctx.db, {
		newest: ctx.db.select({ id: sql<number>`coalesce(max(id), 0)` }).from(sql`commissions`),
		window: countMatches(ctx, { ...walk, maxId: sql`(SELECT max(id) FROM commissions)` }),
	});
	const { walked = 0, matching = 0 } = window[0] ?? {};
	const isCounted = walked < windowRows;
	if (isCounted) requireExpected(matching, { count: expectedCount, limit: Number.POSITIVE_INFINITY, made: decision.made });
	const selection: DecisionSelection = { ...filter, reason, isCounted, untilId: newest[0]?.id ?? 0 };
	return startRun(ctx, program, {
		kind,
		selection,
		expectedCount,
		// Omits the reason, which may name a customer, because audit entries are never erased.
		audited: { action: `commission.${kind}`, detail: choiceInAudit(request) },
	});
}
