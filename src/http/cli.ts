import { Hono } from 'hono';
import * as z from 'zod/mini';
import { once } from '../once.ts';
import { type ProgramStatus, readStatus } from '../reporting/read-status.ts';
import { type ChainReport, runTestChain, type StepReport, type TestChain } from '../test-mode/run-test-chain.ts';
import type { AppEnv } from './app-env.ts';
import { wantsCsv } from './csv.ts';
import { EventQuery } from './event-query.ts';
import { answerEvents } from './events.ts';
import { Strict } from './fields.ts';
import { isoOf } from '../domain/instant.ts';
import { requireKeyedProgram } from './program-bearer.ts';
import { body, noQuery, query } from './validate.ts';

const EVENTS = ['click', 'lead', 'sale'] as const;
export const CHAINS: readonly TestChain[] = ['chain', 'click', 'lead', 'sale', 'refund'];

export const WHICH = `must be one of ${CHAINS.join(', ')}`;

/** Earlier clients send `event_type`, and `program_id`, which the key already implies. */
export const TestEventRequest = once(() =>
	Strict({
		type: z.optional(z.enum(CHAINS, WHICH)),
		event_type: z.optional(z.enum(EVENTS, `must be one of ${EVENTS.join(', ')}`)),
		program_id: z.optional(z.unknown()),
	}).check(z.refine(({ type, event_type }) => type !== undefined || event_type !== undefined, { error: WHICH, path: ['type'] })),
);

/** Earlier clients send the program, which the key already implies. */
export const StatusQuery = once(() => z.object({ program_id: z.optional(z.string()) }));

/** /api/v1/cli, for integrators with the program key. */
export const cli = new Hono<AppEnv>()
	.use(async (c, next) => {
		await next();
		c.header('Cache-Control', 'no-store');
	})
	// Contract, 4.5.
	.get('/status', requireKeyedProgram, query(StatusQuery), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, ...statusOnWire(program.id, await readStatus(ctx, program.id)) });
	})
	// Contract, 4.6.
	.get('/events', requireKeyedProgram, query(EventQuery), async (c) => answerEvents(c, c.var.program, c.req.valid('query'), wantsCsv(c)))
	.post('/test-event', requireKeyedProgram, noQuery, body(TestEventRequest), async (c) => {
		const { ctx, keyHash } = c.var;
		const { type, event_type: event } = c.req.valid('json');
		const chain = type ?? event ?? 'chain';
		const report = await runTestChain(ctx, keyHash, chain);
		return c.json({
			success: true,
			data: { ...chainOnWire(chain, report), ...(type === undefined && event ? eventOnWire(event, report) : {}) },
		});
	});

export function statusOnWire(programId: number, status: ProgramStatus) {
	return {
		program_id: programId,
		name: status.name,
		domain: status.domain,
		recent_events: { clicks_24h: status.clicks24h, leads_24h: status.leads24h, sales_24h: status.sales24h },
		active_partners: status.activePartners,
		pending_commissions: status.pendingCommissions,
		last_event_at: { click: isoOf(status.lastClickAt), lead: isoOf(status.lastLeadAt), sale: isoOf(status.lastSaleAt) },
		stripe_connected: status.isStripeConnected,
		allowed_origins: status.allowedOrigins,
		refused_origins: status.refusedOrigins,
		checks: status.checks.map(({ name, ok, nextAction }) => ({ name, ok, next_action: nextAction })),
	};
}

export function chainOnWire(type: TestChain, { steps, shortLink, customerKey, verdict }: ChainReport) {
	const judged = EVENTS.filter((event) => verdict[event] !== undefined);
	return {
		type,
		ok: steps.every(({ ok }) => ok),
		test_mode: true,
		short_code: shortLink,
		customer_key: customerKey,
		verdict,
		attributed: judged.length > 0 && judged.every((event) => verdict[event] === 'attributed'),
		steps: steps.map(stepOnWire),
	};
}

function eventOnWire(event: (typeof EVENTS)[number], { steps, verdict }: ChainReport) {
	const [step] = steps;
	const conclusion =
		verdict[event] === 'attributed'
			? 'It is attributed to a partner'
			: 'It is not attributed to a partner, because it has no click: try a chain';
	return {
		event_type: event,
		event_id: step?.ok === true ? step.detail.eventId : null,
		received: step?.ok === true,
		message: step?.ok === false ? step.error : conclusion,
	};
}

function stepOnWire(report: StepReport) {
	if (!report.ok) return report;
	const { eventId, clickId, customerKey, transactionId } = report.detail;
	return {
		step: report.step,
		ok: true,
		detail: {
			event_id: eventId,
			...(clickId === undefined ? {} : { click_id: clickId }),
			...(customerKey === undefined ? {} : { customer_key: customerKey }),
			...(transactionId === undefined ? {} : { transaction_id: transactionId }),
		},
	};
}
