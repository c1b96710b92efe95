import { Hono } from 'hono';
import * as z from 'zod/mini';
import { parseDayOrInstant } from '../../../domain/moment.ts';
import { once } from '../../../once.ts';
import { Parsed } from '../../../parsed.ts';
import { type ListedEvent, listProcessorEvents, type ProcessorEventState } from '../../../processor/list-processor-events.ts';
import { readProcessorEvent } from '../../../processor/read-processor-event.ts';
import { replayProcessorEvent } from '../../../processor/replay-processor-event.ts';
import { replayProcessorEvents } from '../../../processor/replay-processor-events.ts';
import { PROCESSOR_NAMES } from '../../../processor/processors.ts';
import type { AppEnv } from '../../app-env.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { Identifier, QueryFlag, Strict } from '../../fields.ts';
import { isoOf } from '../../../domain/instant.ts';
import { noQuery, optionalBody, params, query } from '../../validate.ts';
import { requireProgram } from '../session.ts';

const STATES = [
	'received',
	'waiting',
	'applied',
	'ignored',
	'refused',
	'expired',
	'failed',
] as const satisfies readonly ProcessorEventState[];

export const ProcessorEventQuery = once(() =>
	z.extend(PageQuery(), {
		processor: z.optional(z.enum<readonly string[]>(PROCESSOR_NAMES, `must be one of ${PROCESSOR_NAMES.join(', ')}`)),
		state: z.optional(z.enum(STATES, `must be one of ${STATES.join(', ')}`)),
		type: z.optional(Identifier()),
		event_id: z.optional(Identifier()),
		test: z.optional(QueryFlag()),
	}),
);

const REPLAYABLE = ['refused', 'expired', 'failed', 'ignored', 'applied'] as const satisfies readonly ProcessorEventState[];
const STATES_ERROR = `must be a list of ${REPLAYABLE.join(', ')}`;

const INSTANT_ERROR = 'must be the settled_before of an earlier answer, or an instant such as 2026-01-31T12:00:00Z';

const SettledBefore = once(() =>
	Parsed(INSTANT_ERROR, (text) => {
		const moment = parseDayOrInstant(text);
		return moment?.kind === 'instant' ? moment.at : undefined;
	}),
);

export const ReplayRequest = once(() =>
	Strict({
		states: z._default(
			z.array(z.enum(REPLAYABLE, `must be one of ${REPLAYABLE.join(', ')}`), STATES_ERROR).check(z.minLength(1, STATES_ERROR)),
			['refused', 'expired', 'failed'],
		),
		settled_before: z.optional(SettledBefore()),
	}),
);

/** /api/v1/programs/:id/processor-events, the inbox. */
export const processorEvents = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(ProcessorEventQuery), async (c) => {
		const { ctx, program } = c.var;
		const { processor, state, type, event_id: eventId, test, cursor, limit, total } = c.req.valid('query');
		const isTest = test === undefined ? undefined : test === 'true';
		const page = await listProcessorEvents(ctx, program.id, { processor, state, type, eventId, isTest, cursor, limit, total });
		return c.json({ success: true, data: page.rows.map(eventOnWire), meta: metaOf(page) });
	})
	// For owners and admins, because the event's body contains personal data.
	.get('/:eventId', requireProgram('admin'), noQuery, params(['eventId']), async (c) => {
		const { ctx, program } = c.var;
		const { event, payload } = await readProcessorEvent(ctx, program.id, c.req.valid('param').eventId);
		return c.json({ success: true, data: { ...eventOnWire(event), payload } });
	})
	.post('/:eventId/replay', requireProgram('admin'), params(['eventId']), async (c) => {
		const { ctx, program } = c.var;
		const event = await replayProcessorEvent(ctx, program, c.req.valid('param').eventId);
		return c.json({ success: true, data: eventOnWire(event) });
	});

/** /api/v1/programs/:id/processor-replay */
export const processorReplay = new Hono<AppEnv>().post('/', requireProgram('admin'), optionalBody(ReplayRequest), async (c) => {
	const { ctx, program } = c.var;
	const { states, settled_before: settledBefore = ctx.now } = c.req.valid('json');
	const request = { states: [...new Set(states)], settledBefore: Math.min(settledBefore, ctx.now) };
	const { replayed, remaining } = await replayProcessorEvents(ctx, program, request);
	return c.json({ success: true, data: { replayed, remaining, settled_before: isoOf(request.settledBefore) } });
});

function eventOnWire(event: ListedEvent) {
	return {
		id: event.id,
		processor: event.processor,
		event_id: event.eventId,
		type: event.type,
		test: event.isTest,
		state: event.state,
		reason: event.reason,
		sale_id: event.saleId,
		attempts: event.attempts,
		happened_at: isoOf(event.happenedAt),
		received_at: isoOf(event.receivedAt),
		next_attempt_at: isoOf(event.nextAttemptAt),
		expires_at: isoOf(event.expiresAt),
		settled_at: isoOf(event.settledAt),
		// False once the body has been purged.
		replayable: event.hasPayload,
	};
}
