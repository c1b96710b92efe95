import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { LEASE_MS, REST_MS } from '../domain/webhooks/webhook-schedule.ts';
import type { Tables } from './delivery-channel.ts';

/** Two rounds of concurrent requests. */
const CLAIMED_AT_ONCE = 12;
/** Limited, so that no receiver delays the others. A failing receiver gets a single try. */
const CLAIMED_OF_ONE = 4;
/** The most receivers with waiting deliveries that a claim reads. */
const RECEIVERS_LOOKED_THROUGH = 5_000;
/** The most deliveries to disabled receivers that a claim fails. */
const GIVEN_UP_AT_ONCE = 200;
/** A prime above the number of random values, so that each value orders the receivers differently. */
const TURNS = 65_537;

export interface Claim {
	readonly ids: readonly number[];
	readonly isMore: boolean;
}

/**
 * Claims the oldest due deliveries of each receiver, in random order of receivers. A lease keeps other consumers away. A failing receiver
 * then rests, so that only one consumer tries it now and then. Deliveries to disabled receivers fail. One round trip, whose cost depends on
 * receivers, not on deliveries.
 */
export async function claimDue(ctx: Context, tables: Tables): Promise<Claim> {
	const { now } = ctx;
	const { deliveries, receivers, receiverId, isOff, givenUp } = tables;
	const turn = 1 + Math.floor(Math.random() * (TURNS - 1));
	const waiting = waitingOf(tables);
	const { taken, left } = await write(
		ctx.db,
		[
			// A leased delivery may be in progress, so its consumer settles it.
			ctx.db.run(sql`
				UPDATE ${deliveries} SET state = 'failed', next_attempt_at = NULL, last_error = 'disabled'${givenUp(ctx)}
				WHERE id IN (
					${waiting} SELECT d.id FROM waiting CROSS JOIN ${receivers} r ON r.id = waiting.id AND (${isOff})
					CROSS JOIN ${deliveries} d ON d.${receiverId} = r.id AND d.state = 'pending'
						AND (d.next_attempt_at <= ${now} OR d.next_attempt_at > ${leaseOf(ctx)})
					LIMIT ${GIVEN_UP_AT_ONCE}
				)`),
		],
		{
			taken: ctx.db.all<{ id: number }>(sql`
				UPDATE ${deliveries} SET next_attempt_at = ${leaseOf(ctx)}
				WHERE id IN (
					${waiting} SELECT id FROM (
						SELECT d.id, r.id AS receiver, r.failures, row_number() OVER (PARTITION BY r.id ORDER BY d.next_attempt_at, d.id) AS place
						FROM waiting CROSS JOIN ${receivers} r ON r.id = waiting.id AND ${isAwake(ctx, tables)}
						CROSS JOIN ${deliveries} d ON d.id IN (
							SELECT due.id FROM ${deliveries} due WHERE ${isDue(ctx, tables)} ORDER BY due.next_attempt_at LIMIT ${CLAIMED_OF_ONE})
					) WHERE place = 1 OR failures = 0 ORDER BY place, receiver * ${turn} % ${TURNS} LIMIT ${CLAIMED_AT_ONCE}
				)
				RETURNING id`),
			resting: ctx.db.all(sql`
				UPDATE ${receivers} SET rests_until = ${now + REST_MS}
				WHERE failures > 0 AND id IN (
					${waiting} SELECT id FROM waiting WHERE EXISTS (
						SELECT 1 FROM ${deliveries} d WHERE d.${receiverId} = waiting.id AND d.state = 'pending' AND d.next_attempt_at = ${leaseOf(ctx)})
				)
				RETURNING id`),
			left: selectReceiver(ctx, tables, hasDue(ctx, tables)),
		},
	);
	return { ids: taken.map(({ id }) => id), isMore: left.length > 0 };
}

/** The lease's end identifies the claims of this invocation. */
export function leaseOf({ now }: Context): number {
	return now + LEASE_MS;
}

/** Whether any delivery must be sent or failed. */
export async function isAnyDue(ctx: Context, tables: Tables): Promise<boolean> {
	const found = await selectReceiver(ctx, tables, sql`(${tables.isOff}) OR ${hasDue(ctx, tables)}`);
	return found.length > 0;
}

/** Since when the oldest delivery to a healthy receiver has been due; NULL if none is. */
export function dueSince(ctx: Context, tables: Tables): SQL<number | null> {
	const { deliveries, receivers, receiverId } = tables;
	return sql<number | null>`(
		${waitingOf(tables)} SELECT min((
			SELECT min(d.next_attempt_at) FROM ${deliveries} d
			WHERE d.${receiverId} = r.id AND d.state = 'pending' AND d.next_attempt_at <= ${ctx.now}
		)) FROM waiting CROSS JOIN ${receivers} r ON r.id = waiting.id AND r.failures = 0 AND ${isAwake(ctx, tables)}
	)`;
}

function selectReceiver(ctx: Context, tables: Tables, condition: SQL) {
	return ctx.db.all<{ id: number }>(sql`
		${waitingOf(tables)} SELECT r.id FROM waiting CROSS JOIN ${tables.receivers} r ON r.id = waiting.id WHERE ${condition} LIMIT 1`);
}

function hasDue(ctx: Context, tables: Tables): SQL {
	return sql`(${isAwake(ctx, tables)} AND EXISTS (SELECT 1 FROM ${tables.deliveries} due WHERE ${isDue(ctx, tables)}))`;
}

/** Jumps along the index from one receiver with waiting deliveries to the next. */
function waitingOf({ deliveries, receiverId }: Tables): SQL {
	return sql`
		WITH RECURSIVE waiting(id) AS (
			SELECT min(${receiverId}) FROM ${deliveries} WHERE state = 'pending'
			UNION ALL
			SELECT (SELECT min(d.${receiverId}) FROM ${deliveries} d WHERE d.state = 'pending' AND d.${receiverId} > waiting.id) FROM waiting
			WHERE waiting.id IS NOT NULL LIMIT ${RECEIVERS_LOOKED_THROUGH}
		)`;
}

function isAwake({ now }: Context, { isOff }: Tables): SQL {
	return sql`NOT (${isOff}) AND coalesce(r.rests_until, 0) <= ${now}`;
}

function isDue({ now }: Context, { receiverId }: Tables): SQL {
	return sql`due.${receiverId} = r.id AND due.state = 'pending' AND due.next_attempt_at <= ${now}`;
}
