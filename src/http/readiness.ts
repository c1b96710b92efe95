import { Hono } from 'hono';
import * as z from 'zod/mini';
import { gatesOf } from '../domain/monitoring/readiness.ts';
import { once } from '../once.ts';
import { type ProgramStatus, readStatus } from '../reporting/read-status.ts';
import type { AppEnv } from './app-env.ts';
import { statusOnWire } from './cli.ts';
import { QueryFlag } from './fields.ts';
import { requireKeyedProgram } from './program-bearer.ts';
import { query } from './validate.ts';

const POLL_SECONDS = 5;

/** Earlier clients send `force_recheck`. It has no effect, because every response is fresh. */
export const ReadinessQuery = once(() => z.object({ force_recheck: z.optional(QueryFlag()) }));

/** GET /api/v1/programs/me/readiness, with the program key, in the format of earlier clients. */
export const readiness = new Hono<AppEnv>().get('/', requireKeyedProgram, query(ReadinessQuery), async (c) => {
	const { ctx, program } = c.var;
	c.header('Cache-Control', 'no-store');
	return c.json({ success: true, ...readinessOnWire(program.id, await readStatus(ctx, program.id)) });
});

function readinessOnWire(programId: number, status: ProgramStatus) {
	const { recent_events: recent, last_event_at, checks } = statusOnWire(programId, status);
	return {
		program_id: programId,
		...gatesOnWire(status),
		last_event_at,
		counts_24h: { clicks: recent.clicks_24h, leads: recent.leads_24h, sales: recent.sales_24h },
		checks,
		poll: { retry_after_seconds: POLL_SECONDS },
	};
}

export function gatesOnWire(status: ProgramStatus) {
	const gates = gatesOf(status.checks);
	const blocker = gates.find(({ isPassed }) => !isPassed);
	const payout = status.isStripeConnected ? { mode: 'stripe' } : { mode: 's2s', endpoint: '/api/v1/track/sale' };
	return {
		state: blocker ? 'incomplete' : 'integration_verified',
		integration_verified: blocker === undefined,
		blocker: blocker?.gate ?? null,
		next_action: blocker?.nextAction ?? null,
		gates: Object.fromEntries(
			gates.map(({ gate, isPassed, nextAction }) => [
				gate,
				{
					status: isPassed ? 'pass' : 'fail',
					...(nextAction === null ? {} : { next_action: nextAction }),
					...(gate === 'payout' ? payout : {}),
				},
			]),
		),
	};
}
