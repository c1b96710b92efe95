import { isNull, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { readMeasured, write } from '../db/client.ts';
import { alerts } from '../db/schema/alerts.ts';
import { FULL_PERCENT, planAlerts, RELIEVED_PERCENT, shareOf, type Trouble } from '../domain/monitoring/alert.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/calendar.ts';
import { WAIT_MS } from '../domain/processors/inbox-schedule.ts';
import { PATIENCE_MS } from '../domain/monitoring/processor-checks.ts';
import { oldClicksOf } from '../domain/monitoring/old-clicks.ts';
import { HEARD, silentSince } from '../domain/monitoring/processor-silence.ts';
import { postbackChannel } from '../postbacks/postback-channel.ts';
import { dueSince } from '../webhooks/claim-due.ts';
import { isAlertDue } from './alert-message.ts';
import { selectOldClicks } from './estimate-old-clicks.ts';
import { type KeptAlert, troubleOf } from './kept-alert.ts';
import { sendAlerts } from './send-alerts.ts';
import { begin, end } from './write-alerts.ts';

/** Limits each count. */
const COUNTED = 1_000;
/** How many of a program's newest events are searched for one processor. */
const LOOKED_THROUGH = 1_000;
const OPEN_ALERTS = 500;

/**
 * Records and sends alerts that begin or end. One round trip if nothing changes. A run also ends the alert about silent cron. Returns how
 * many were sent.
 */
export async function watchService(ctx: Context): Promise<number> {
	const { found, bytes } = await readMeasured(ctx.db, { vitals: selectVitals(ctx), open: selectOpen(ctx), heard: selectHeard(ctx) });
	const open = found.open.map(toAlert);
	const endpoints = found.heard.map((endpoint) => ({
		...endpoint,
		key: keyOf(endpoint),
		heardAt: Instants.parse(JSON.parse(endpoint.heardAt)),
	}));
	const [vitals = NOTHING_WAITS] = found.vitals;
	const troubles = [...troublesOf(ctx, vitals, bytes, open), ...silences(endpoints, ctx.now)];
	const { begun, over } = planAlerts(open, troubles, (alert) => {
		if (alert.kind === 'database_full') return bytes !== undefined;
		if (alert.kind !== 'processor_silent') return true;
		const endpoint = endpoints.find(({ key }) => key === alert.key);
		// Without an endpoint, the processor was disconnected or the program deactivated.
		return !endpoint || Math.max(0, ...endpoint.heardAt) > alert.facts.since;
	});
	if (begun.length + over.length > 0)
		await write(ctx.db, [
			...(await withEstimates(ctx, begun)).flatMap((trouble) => begin(ctx, trouble)),
			...over.flatMap((alert) => end(ctx, alert)),
		]);
	else if (!vitals.isAlertDue) return 0;
	return sendAlerts(ctx);
}

function selectVitals(ctx: Context) {
	const { db, now } = ctx;
	const dead = sql`(SELECT created_at FROM dead_letters WHERE replayed_at IS NULL LIMIT ${COUNTED})`;
	return db
		.select({
			deadLetters: sql<number>`(SELECT count(*) FROM ${dead})`,
			deadSince: sql<number | null>`(SELECT min(created_at) FROM ${dead})`,
			stuckSince: sql<number | null>`(
				SELECT min(created_at) FROM (SELECT created_at FROM outbox WHERE created_at < ${now - PATIENCE_MS} LIMIT ${COUNTED})
			)`,
			eventsSince: sql<number | null>`(
				SELECT min(expires_at) - ${WAIT_MS} FROM (
					SELECT expires_at FROM processor_events INDEXED BY processor_events_due
					WHERE next_attempt_at IS NOT NULL AND state = 'received' AND expires_at < ${now + WAIT_MS - PATIENCE_MS} LIMIT ${COUNTED}
				)
			)`,
			postbacksSince: dueSince(ctx, postbackChannel),
			isAlertDue: isAlertDue(ctx),
		})
		.from(sql`(SELECT 1)`);
}

const NOTHING_WAITS = { deadLetters: 0, deadSince: null, stuckSince: null, eventsSince: null, postbacksSince: null, isAlertDue: false };

type Vitals = Awaited<ReturnType<typeof selectVitals>>[number];

function selectOpen({ db }: Context) {
	const { id, kind, key, facts } = alerts;
	return db.select({ id, kind, key, facts }).from(alerts).where(isNull(alerts.endedAt)).limit(OPEN_ALERTS);
}

function toAlert(row: Awaited<ReturnType<typeof selectOpen>>[number]): KeptAlert {
	return { id: row.id, key: row.key, ...troubleOf(row) };
}

type Seen = Trouble & Pick<KeptAlert, 'key'>;

function troublesOf(
	{ now, settings: { databaseLimitBytes: limitBytes } }: Context,
	{ deadLetters, deadSince, stuckSince, eventsSince, postbacksSince }: Vitals,
	bytes: number | undefined,
	open: readonly KeptAlert[],
): Seen[] {
	const troubles: Seen[] = [];
	const add = (trouble: Trouble) => troubles.push({ ...trouble, key: trouble.kind });
	if (deadSince !== null) add({ kind: 'dead_letters', facts: { count: deadLetters, since: deadSince } });
	if (stuckSince !== null) add({ kind: 'outbox_stuck', facts: { since: stuckSince } });
	if (eventsSince !== null) add({ kind: 'processor_events_late', facts: { since: eventsSince } });
	if (postbacksSince !== null && now - postbacksSince > PATIENCE_MS) add({ kind: 'postbacks_late', facts: { since: postbacksSince } });
	const fullFrom = open.some(({ kind }) => kind === 'database_full') ? RELIEVED_PERCENT : FULL_PERCENT;
	if (bytes !== undefined && shareOf({ bytes, limitBytes }) >= fullFrom) add({ kind: 'database_full', facts: { bytes, limitBytes } });
	return troubles;
}

/** Estimates what would free space, but only when the alert begins. */
async function withEstimates(ctx: Context, begun: readonly Seen[]): Promise<readonly Seen[]> {
	if (!begun.some(({ kind }) => kind === 'database_full')) return begun;
	const oldClicks = oldClicksOf(await selectOldClicks(ctx));
	return begun.map((seen) => (seen.kind === 'database_full' ? { ...seen, facts: { ...seen.facts, oldClicks } } : seen));
}

const Instants = z.array(z.number());

/** When processors last sent events: hourly per program, every minute for silent ones. */
function selectHeard({ db, now }: Context) {
	const minute = Math.floor((now % HOUR_MS) / MINUTE_MS);
	const heardAt: SQL<string> = sql`(
		SELECT json_group_array(received_at) FROM (
			SELECT received_at FROM (
				SELECT received_at, processor, is_test FROM processor_events WHERE program_id = e.program_id ORDER BY id DESC LIMIT ${LOOKED_THROUGH}
			) WHERE processor = e.processor AND is_test = 0 LIMIT ${HEARD}
		)
	)`;
	return db
		.select({
			programId: sql<number>`e.program_id`,
			programName: sql<string>`p.name`,
			processor: sql<string>`e.processor`,
			heardAt,
		})
		.from(sql`processor_endpoints e JOIN programs p ON p.id = e.program_id AND p.active = 1`)
		.where(
			sql`e.program_id % 60 = ${minute} OR EXISTS (
				SELECT 1 FROM alerts WHERE ended_at IS NULL AND key = 'processor_silent:' || e.program_id || ':' || e.processor
			)`,
		);
}

interface Endpoint {
	readonly programId: number;
	readonly programName: string;
	readonly processor: string;
}

function keyOf({ programId, processor }: Pick<Endpoint, 'programId' | 'processor'>): string {
	return `processor_silent:${programId}:${processor}`;
}

function silences(endpoints: readonly (Endpoint & { readonly key: string; readonly heardAt: readonly number[] })[], now: number): Seen[] {
	return endpoints.flatMap(({ key, heardAt, programId, programName, processor: name }) => {
		const since = silentSince(heardAt, now);
		const processor = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
		return since === null ? [] : [{ kind: 'processor_silent' as const, key, facts: { since, programId, programName, processor } }];
	});
}
