import type { AlertKind } from '../../src/domain/monitoring/alert.ts';
import { WAIT_MS } from '../../src/domain/processors/inbox-schedule.ts';
import { hearOfStripe, silenceStripe } from './alerts.ts';
import { callWith } from './bindings.ts';
import { deliver } from './deliver.ts';

// How each alert begins and ends.

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Values that change between tests are functions. */
export interface Stage {
	readonly DB: D1Database;
	readonly token: () => string;
	readonly programId: () => number;
	readonly now: () => number;
	readonly setLimit: (gigabytes: string) => unknown;
}

interface Story {
	readonly begin: () => Promise<unknown>;
	readonly end: () => Promise<unknown>;
}

export function alertStories(stage: Stage): Readonly<Record<Exclude<AlertKind, 'cron_silent'>, Story>> {
	const { DB, programId, now } = stage;
	const run = (sql: string, ...values: unknown[]) =>
		DB.prepare(sql)
			.bind(...values)
			.run();
	return {
		dead_letters: {
			begin: () => deliver('affiliate-dead-letters', [{ body: { version: 0 } }], { DB }),
			end: () => run('UPDATE dead_letters SET replayed_at = 1'),
		},
		outbox_stuck: {
			begin: () =>
				run(
					"INSERT INTO outbox (program_id, id, kind, subject_id, created_at, failures) VALUES (?, 'stuck', 'partner_joined', 0, ?, 30)",
					programId(),
					now() - 5 * MINUTE_MS,
				),
			end: () => run("DELETE FROM outbox WHERE id = 'stuck'"),
		},
		processor_events_late: {
			begin: () =>
				run(
					`INSERT INTO processor_events
						(program_id, processor, event_id, type, is_test, happened_at, received_at, payload, state, next_attempt_at, expires_at)
					VALUES (?1, 'stripe', 'late', 'invoice.paid', 0, ?2, ?2, '{}', 'received', ?3, ?4)`,
					programId(),
					now() - 6 * MINUTE_MS,
					now() + DAY_MS,
					now() - 6 * MINUTE_MS + WAIT_MS,
				),
			end: () =>
				run(
					"UPDATE processor_events SET state = 'ignored', reason = 'a test', next_attempt_at = NULL, settled_at = 1, revision = revision + 1 WHERE event_id = 'late'",
				),
		},
		postbacks_late: {
			begin: () => aWaitingPostback(stage, 0),
			end: () => run("UPDATE postback_deliveries SET state = 'delivered', next_attempt_at = NULL"),
		},
		database_full: {
			begin: async () => stage.setLimit('0.001'),
			end: async () => stage.setLimit('10'),
		},
		processor_silent: {
			begin: () => silenceStripe(DB, programId(), now()),
			end: () => hearOfStripe(DB, programId(), now()),
		},
	};
}

/** Its last call has been due for some minutes. */
export async function aWaitingPostback({ DB, token, programId, now }: Stage, failures: number): Promise<void> {
	const partner = { name: 'Pat', email: `pat${programId()}@partner.example` };
	const { body } = await callWith({ DB }, `/api/v1/programs/${programId()}/partners`, { token: token(), body: partner });
	await DB.prepare('DELETE FROM postback_deliveries').run();
	const made = await DB.prepare(
		`INSERT INTO postbacks (program_id, partner_program_id, url, events, created_at, failures, failing_since)
		VALUES (?, ?, 'https://network.example/', '[]', 0, ?, ?)`,
	)
		.bind(programId(), Number(Object(body['data']).partner_program_id), failures, failures === 0 ? null : 1)
		.run();
	await DB.prepare(
		`INSERT INTO postback_deliveries
			(postback_id, operation, event, subject_id, is_test, amount_cents, currency, state, next_attempt_at, created_at)
		VALUES (?, 'a', 'sale', 1, 0, 1, 'USD', 'pending', ?, 0)`,
	)
		.bind(made.meta.last_row_id, now() - 6 * MINUTE_MS)
		.run();
}
