import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { LEASE_MS } from '../domain/webhook-schedule.ts';

/** Deliveries that are taken at a time: what is sent of them at once, twice over. */
export const CLAIMED_AT_ONCE = 12;
/** Of one endpoint, so that none holds up the others; of one that fails a single one, to see whether it still does. */
const CLAIMED_OF_ONE = 4;
/** The oldest that are due are looked through, however many wait. */
const LOOKED_THROUGH = 200;

/** A delivery that is this consumer's until its lease is over, and where it goes. */
export interface ClaimedDelivery {
	readonly id: number;
	readonly endpointId: number;
	readonly operation: string;
	readonly type: string;
	readonly subjectId: number;
	readonly payload: string;
	readonly tries: number;
	/** What shows, when the outcome is written, that it is still this consumer's. */
	readonly leasedUntil: number;
	readonly programId: number;
	readonly url: string;
	readonly sealedSecrets: string;
}

export interface Claim {
	readonly claimed: readonly ClaimedDelivery[];
	/** Whether others are due that were not taken. */
	readonly isMore: boolean;
}

/**
 * Takes what is due, the oldest first: nobody else takes it until the lease is over. What its endpoint was disabled or deleted before
 * is given up instead. One trip.
 */
export async function claimDeliveries(ctx: Context): Promise<Claim> {
	const { now } = ctx;
	const leasedUntil = now + LEASE_MS;
	const due = sql`
		SELECT d.id, d.endpoint_id, d.next_attempt_at, e.failures, e.disabled_at IS NOT NULL OR e.deleted_at IS NOT NULL AS is_off
		FROM (
			SELECT id, endpoint_id, next_attempt_at FROM webhook_deliveries
			WHERE state = 'pending' AND next_attempt_at <= ${now} ORDER BY next_attempt_at LIMIT ${LOOKED_THROUGH}
		) d JOIN webhook_endpoints e ON e.id = d.endpoint_id`;
	const { claimed, left } = await write(
		ctx.db,
		[
			ctx.db.run(sql`
				UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, settled_at = ${now}, last_error = 'disabled'
				WHERE id IN (SELECT id FROM (${due}) WHERE is_off)`),
		],
		{
			claimed: ctx.db.all<ClaimedDelivery>(sql`
				UPDATE webhook_deliveries SET next_attempt_at = ${leasedUntil}
				WHERE id IN (
					SELECT id FROM (
						SELECT id, failures, row_number() OVER (PARTITION BY endpoint_id ORDER BY next_attempt_at, id) AS place FROM (${due})
					) WHERE place <= iif(failures > 0, 1, ${CLAIMED_OF_ONE}) ORDER BY place, id LIMIT ${CLAIMED_AT_ONCE}
				)
				RETURNING id, endpoint_id AS endpointId, operation, type, subject_id AS subjectId, payload, tries, next_attempt_at AS leasedUntil,
					(SELECT program_id FROM webhook_endpoints e WHERE e.id = endpoint_id) AS programId,
					(SELECT url FROM webhook_endpoints e WHERE e.id = endpoint_id) AS url,
					(SELECT sealed_secrets FROM webhook_endpoints e WHERE e.id = endpoint_id) AS sealedSecrets`),
			left: ctx.db.all<{ id: number }>(
				sql`SELECT id FROM webhook_deliveries WHERE state = 'pending' AND next_attempt_at <= ${now} LIMIT 1`,
			),
		},
	);
	return { claimed, isMore: left.length > 0 };
}

/** Whether any delivery is due. */
export async function isAnyDue({ db, now }: Context): Promise<boolean> {
	const due = await db.all(sql`SELECT 1 FROM webhook_deliveries WHERE state = 'pending' AND next_attempt_at <= ${now} LIMIT 1`);
	return due.length > 0;
}
