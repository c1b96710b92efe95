import { Hono } from 'hono';
import * as z from 'zod/mini';
import { PAY_OUTCOMES } from '../../domain/payouts/due.ts';
import { isoOf } from '../../domain/instant.ts';
import { momentText } from '../../domain/moment.ts';
import { formatResultPosition, parseResultPosition, RUN_KINDS, RUN_STATES, type RunKind } from '../../domain/run.ts';
import { once } from '../../once.ts';
import { DecisionSelection } from '../../commissions/decision-selection.ts';
import { listRunResults, type PaidResult } from '../../payouts/list-run-results.ts';
import { paySelectionOf } from '../../payouts/pay-run.ts';
import { listRuns, readRun } from '../../runs/list-runs.ts';
import type { Run } from '../../runs/run.ts';
import { stopRun } from '../../runs/stop-run.ts';
import type { AppEnv } from '../app-env.ts';
import { metaOf, NextCursor, PageQuery } from '../page.ts';
import { noQuery, params, query } from '../validate.ts';
import { requireProgram } from './session.ts';

export const RunQuery = once(() =>
	z.extend(PageQuery(), {
		kind: z.optional(z.enum(RUN_KINDS, `must be one of ${RUN_KINDS.join(', ')}`)),
		state: z.optional(z.enum(RUN_STATES, `must be one of ${RUN_STATES.join(', ')}`)),
	}),
);

export const ResultQuery = once(() =>
	z.object({
		cursor: z.optional(NextCursor(parseResultPosition)),
		limit: PageQuery().shape.limit,
		outcome: z.optional(z.enum(PAY_OUTCOMES, `must be one of ${PAY_OUTCOMES.join(', ')}`)),
	}),
);

/** /api/v1/programs/:id/runs */
export const runs = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(RunQuery), async (c) => {
		const { ctx, program } = c.var;
		const page = await listRuns(ctx, program, c.req.valid('query'));
		return c.json({ success: true, data: page.rows.map(runOnWire), meta: metaOf(page) });
	})
	.get('/:runId', requireProgram('member'), noQuery, params(['runId']), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: runOnWire(await readRun(ctx, program, c.req.valid('param').runId)) });
	})
	.get('/:runId/results', requireProgram('member'), params(['runId']), query(ResultQuery), async (c) => {
		const { ctx, program } = c.var;
		const page = await listRunResults(ctx, program, c.req.valid('param').runId, c.req.valid('query'));
		const meta = { next_cursor: page.next ? formatResultPosition(page.next) : null };
		return c.json({ success: true, data: page.rows.map(resultOnWire), meta });
	})
	.post('/:runId/stop', requireProgram('admin'), params(['runId']), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: runOnWire(await stopRun(ctx, program, c.req.valid('param').runId)) });
	});

export function runOnWire(run: Run) {
	return {
		id: run.id,
		kind: run.kind,
		state: run.state,
		filter: FILTERS[run.kind](run),
		expected_count: run.expectedCount,
		counts: run.counts,
		sums: run.sums,
		created_by: { id: run.createdBy, name: run.creatorName },
		created_at: isoOf(run.createdAt),
		finished_at: isoOf(run.finishedAt),
		failure_reason: run.failureReason,
	};
}

/** Each kind's request as it was sent. */
const FILTERS: Readonly<Record<RunKind, (run: Run) => Readonly<Record<string, unknown>>>> = {
	pay: (run) => {
		const { partnerIds, status, groupId, method, search, before, minimum } = paySelectionOf(run);
		const [cents, currency] = typeof minimum === 'number' ? [minimum, undefined] : [minimum.cents, minimum.currency];
		return {
			partner_ids: partnerIds,
			status,
			group_id: groupId,
			method,
			search,
			before: before && momentText(before),
			minimum_cents: cents,
			minimum_currency: currency,
		};
	},
	approve: decisionOnWire,
	reject: decisionOnWire,
};

function decisionOnWire({ selection }: Run) {
	const { status, partnerId, currency, from, to, search } = DecisionSelection.parse(selection);
	return { status, partner_id: partnerId, currency, from: from && momentText(from), to: to && momentText(to), search };
}

function resultOnWire(result: PaidResult) {
	return {
		partner: { id: result.partnerId, name: result.partnerName },
		currency: result.currency,
		outcome: result.outcome,
		payout_id: result.payoutId,
		amount_cents: result.amountCents,
		recovered_cents: result.recoveredCents,
		commissions: result.commissions,
		commissions_left: result.commissionsLeft,
	};
}
