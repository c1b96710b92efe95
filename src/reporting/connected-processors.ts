import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { STRIPE_TROUBLE_MS } from '../domain/monitoring/integration-check.ts';
import { WAIT_MS } from '../domain/processors/inbox-schedule.ts';
import type { ConnectedProcessor, EventTrouble } from '../domain/monitoring/processor-checks.ts';
import { FAILURES_MS } from '../domain/monitoring/signature-failure.ts';
import { ANOTHER_PROGRAM } from '../domain/processors/processor-outcome.ts';
import { isProcessorName, loadProcessor } from '../processor/processors.ts';
import { isSettled } from '../processor/signature-failures.ts';

// Parts of the status query about each processor's events. `processor` is an SQL expression.

/** How many of the newest failed or refused events are searched. */
const TROUBLES = 50;

const Trouble = z.object({
	id: z.number(),
	eventId: z.string(),
	type: z.string(),
	state: z.string(),
	reason: z.string(),
	settledAt: z.number(),
});

type Ended = readonly ('expired' | 'failed' | 'refused')[];

/** The latest recent event that ended in one of the states. Ignores events of other programs. */
export function lastTrouble(
	programId: number,
	processor: SQL,
	{ states, now, types }: { states: Ended; now: number; types?: readonly string[] },
) {
	return sql<EventTrouble | null>`(${selectTrouble(programId, processor, { states, now, types })})`.mapWith((json: string | null) =>
		json === null ? null : Trouble.parse(JSON.parse(json)),
	);
}

function selectTrouble(
	programId: number,
	processor: SQL,
	filter: { states: Ended; now: number; types?: readonly string[] | undefined },
): SQL {
	const { states, now, types } = filter;
	const isOfTypes = types ? sql`AND type IN (SELECT value FROM json_each(${JSON.stringify(types)}))` : sql``;
	return sql`
		SELECT json_object('id', id, 'eventId', event_id, 'type', type, 'state', state, 'reason', reason, 'settledAt', settled_at)
		FROM (SELECT * FROM processor_events WHERE id IN (${newestIn(programId, states)}) ORDER BY id DESC LIMIT ${TROUBLES}) t
		WHERE t.processor = ${processor} AND settled_at > ${now - STRIPE_TROUBLE_MS} AND reason <> ${ANOTHER_PROGRAM} ${isOfTypes}
		ORDER BY settled_at DESC LIMIT 1`;
}

/** The index covers exactly these states, so each takes one short lookup. */
function newestIn(programId: number, states: Ended): SQL {
	const newest = states.map(
		(state) => sql`SELECT id FROM (SELECT id FROM processor_events INDEXED BY processor_events_by_state
			WHERE program_id = ${programId} AND state = ${state} AND state IN ('refused', 'expired', 'failed') ORDER BY id DESC LIMIT ${TROUBLES})`,
	);
	return sql.join(newest, sql` UNION ALL `);
}

/** Since when the oldest unprocessed event has been due. */
export function dueSince(programId: number, processor: SQL): SQL<number | null> {
	return sql<number | null>`(
		SELECT d.expires_at - ${WAIT_MS} FROM processor_events d INDEXED BY processor_events_due
		WHERE d.next_attempt_at IS NOT NULL AND d.program_id = ${programId} AND d.state = 'received' AND d.processor = ${processor} ORDER BY d.id LIMIT 1
	)`;
}

export function anyEventAt(programId: number, processor: SQL): SQL<number | null> {
	return sql<number | null>`(
		SELECT a.received_at FROM processor_events a INDEXED BY processor_events_once WHERE a.program_id = ${programId} AND a.processor = ${processor} LIMIT 1
	)`;
}

const Failures = z.array(
	z.object({
		processor: z.string(),
		kind: z.enum(['mismatch', 'timestamp']),
		failures: z.number(),
		lastAt: z.number(),
		offsetMs: z.nullable(z.number()),
	}),
);

/** Recent, unresolved failures of all connected processors. */
export function selectSignatureFailures(programId: number, now: number): SQL<z.infer<typeof Failures>> {
	return sql<z.infer<typeof Failures>>`(
		SELECT json_group_array(json_object('processor', s.processor, 'kind', s.kind, 'failures', s.failures, 'lastAt', s.last_at, 'offsetMs', s.offset_ms))
		FROM signature_failures s WHERE s.program_id = ${programId} AND s.last_at > ${now - FAILURES_MS} AND NOT ${isSettled(sql`s`)}
	)`.mapWith((json: string) => Failures.parse(JSON.parse(json)));
}

const Others = z.array(
	z.object({ name: z.string(), anyEventAt: z.nullable(z.number()), dueSince: z.nullable(z.number()), trouble: z.nullable(Trouble) }),
);

/** All except Stripe. */
export function selectOthers(programId: number, now: number): SQL<z.infer<typeof Others>> {
	const processor = sql`e.processor`;
	const trouble = selectTrouble(programId, processor, { states: ['failed', 'refused'], now });
	return sql<z.infer<typeof Others>>`(
		SELECT json_group_array(json_object(
			'name', e.processor, 'anyEventAt', ${anyEventAt(programId, processor)}, 'dueSince', ${dueSince(programId, processor)}, 'trouble', json((${trouble}))
		))
		FROM processor_endpoints e WHERE e.program_id = ${programId} AND e.processor <> 'stripe'
	)`.mapWith((json: string) => Others.parse(JSON.parse(json)));
}

/** Adds the title and event types from each processor's module. */
export async function withModules(others: z.infer<typeof Others>, failures: z.infer<typeof Failures>): Promise<ConnectedProcessor[]> {
	const named = await Promise.all(
		others.map(async ({ name, anyEventAt: at, ...rest }) => {
			if (!isProcessorName(name)) return [];
			const { title, eventTypes: events } = await loadProcessor(name);
			return [{ ...rest, name, title, events, hasEvent: at !== null, failures: failures.filter(({ processor }) => processor === name) }];
		}),
	);
	return named.flat().sort((one, other) => (one.name < other.name ? -1 : 1));
}
