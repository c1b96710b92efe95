import { type SQL, sql } from 'drizzle-orm';
import { type Context, describeFault, type SigningSecret } from '../context.ts';
import { write } from '../db/client.ts';
import { signatureFailures } from '../db/schema/health.ts';
import { MINUTE_MS } from '../domain/calendar.ts';
import { FAILURES_MS, isCountWritten, type SignatureFailure } from '../domain/monitoring/signature-failure.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';
import type { Delivery, Processor } from './processor.ts';
import { TOLERANCE_SECONDS } from './reading/signature.ts';

const WINDOW_MS = 5 * MINUTE_MS;

const NEWEST_EVENTS = 300;

/** If a secret signed it at another time, only the timestamp is wrong. */
export async function signatureFailureOf(
	processor: Processor,
	delivery: Delivery,
	secrets: readonly SigningSecret[],
	now: number,
): Promise<SignatureFailure> {
	const signedAt = processor.signedAt(delivery.headers);
	const isOff = signedAt !== undefined && Math.abs(signedAt - now) > TOLERANCE_SECONDS * 1_000;
	const isSigned = isOff && (await processor.verify(delivery, secrets, signedAt)) !== undefined;
	return isSigned ? { kind: 'timestamp', offsetMs: signedAt - now } : { kind: 'mismatch', offsetMs: null };
}

/**
 * Best-effort, after the answer. Anybody can send forgeries, so a flood writes only about fifteen times in five minutes per isolate
 * (decision 56).
 */
export function noteSignatureFailure(ctx: Context, programId: number, processor: string, failure: SignatureFailure): void {
	const key = `${processor} ${programId} ${failure.kind}`;
	const counted = cacheGet(ctx.signatureFailures, key, ctx.now) ?? { failures: 0, written: 0 };
	if (counted.failures === 0) cacheSet(ctx.signatureFailures, key, counted, ctx.now + WINDOW_MS);
	counted.failures += 1;
	if (!isCountWritten(counted.failures)) return;
	const added = counted.failures - counted.written;
	counted.written = counted.failures;
	ctx.defer(
		write(ctx.db, [addFailures(ctx, { programId, processor, failure, added })]).catch((error: unknown) =>
			ctx.log({ level: 'warn', event: 'signature_failure_not_noted', programId, ...describeFault(error) }),
		),
	);
}

interface Added {
	readonly programId: number;
	readonly processor: string;
	readonly failure: SignatureFailure;
	readonly added: number;
}

/** Restarts after an accepted event, changed secrets, or a week without failures. */
function addFailures(ctx: Context, { programId, processor, failure, added }: Added) {
	const isOver = sql`(last_at <= ${ctx.now - FAILURES_MS} OR ${isSettled(sql`signature_failures`)})`;
	return ctx.db.run(sql`
		INSERT INTO ${signatureFailures} (program_id, processor, kind, failures, since, last_at, offset_ms)
		SELECT program_id, processor, ${failure.kind}, ${added}, ${ctx.now}, ${ctx.now}, ${failure.offsetMs}
		FROM processor_endpoints WHERE program_id = ${programId} AND processor = ${processor}
		ON CONFLICT (program_id, processor, kind) DO UPDATE SET
			failures = iif(${isOver}, 0, failures) + excluded.failures,
			since = iif(${isOver}, excluded.since, since),
			last_at = max(last_at, excluded.last_at),
			offset_ms = excluded.offset_ms`);
}

export function isSettled(row: SQL): SQL {
	return sql`(
		EXISTS (SELECT 1 FROM processor_endpoints e WHERE e.program_id = ${row}.program_id AND e.processor = ${row}.processor AND e.updated_at > ${row}.last_at)
		OR EXISTS (
			SELECT 1 FROM (SELECT processor, received_at FROM processor_events WHERE program_id = ${row}.program_id ORDER BY id DESC LIMIT ${NEWEST_EVENTS}) newest
			WHERE newest.processor = ${row}.processor AND newest.received_at > ${row}.last_at
		)
	)`;
}
