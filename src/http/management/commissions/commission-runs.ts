import { Hono } from 'hono';
import * as z from 'zod/mini';
import { once } from '../../../once.ts';
import { startDecision } from '../../../commissions/start-decision.ts';
import type { AppEnv } from '../../app-env.ts';
import { FreeText, Strict, Whole } from '../../fields.ts';
import { body } from '../../validate.ts';
import { DecisionFilter, filterOf } from './commissions.ts';
import { runOnWire } from '../runs.ts';
import { requireProgram } from '../session.ts';

export const EXPECTED_LIMIT = 100_000_000;
const DECISIONS = ['approve', 'reject'] as const;
const REASON = 'A reason is for rejections only';

export const NewDecisionRun = once(() =>
	Strict({
		decision: z.enum(DECISIONS, `must be one of ${DECISIONS.join(', ')}`),
		filter: DecisionFilter(),
		expected_count: Whole(1, EXPECTED_LIMIT),
		reason: z.optional(FreeText(500)),
	}).check(z.refine(({ decision, reason }) => decision === 'reject' || reason === undefined, REASON)),
);

/** /api/v1/programs/:id/commissions/runs */
export const commissionRuns = new Hono<AppEnv>().post('/', requireProgram('admin'), body(NewDecisionRun), async (c) => {
	const { ctx, program } = c.var;
	const { decision: kind, filter, expected_count: expectedCount, reason } = c.req.valid('json');
	const { status, ...sent } = filter;
	const request = { kind, filter: { status, ...filterOf(sent, program.timeZone) }, expectedCount, reason };
	return c.json({ success: true, data: runOnWire(await startDecision(ctx, program, request)) }, 202);
});
