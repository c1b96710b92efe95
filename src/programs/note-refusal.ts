import { type SQL, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { write } from '../db/client.ts';
import { hashesOf, isOneErased } from '../customers/erased-ids.ts';
import { refusals } from '../db/schema/refusals.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/calendar.ts';
import { isLogged, isRoutine, loggedMessage, type RefusedCall } from '../domain/refusal.ts';
import type { Rejection } from '../domain/rejection.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';
import { sha256Hex } from '../secrets.ts';

/** A program keeps this many refusals. Routine ones above KEPT_ROUTINE are deleted first. */
export const KEPT_REFUSALS = 1_000;
const KEPT_ROUTINE = 500;
/** The most refusals, and repeats of each, that an isolate writes for a program within `QUIET_MS`. */
const NOTED_REFUSALS = 100;
const NOTED_REPEATS = 5;
const QUIET_MS = 5 * MINUTE_MS;

/** The id is known if the call came from a page with a click. */
export type RefusingProgram = { readonly keyHash: string } | { readonly programId: number };

/**
 * Records a refused call after the response. Repeats within the hour are counted, and failures only logged. A flood costs a few hundred
 * rows per isolate in five minutes.
 */
export function noteRefusal(ctx: Context, program: RefusingProgram, call: RefusedCall, refusal: Rejection): void {
	if (!isLogged(refusal)) return;
	const noted = notedOf(ctx, program);
	if (noted.length >= NOTED_REFUSALS) return;
	ctx.defer(
		keepRefusal(ctx, program, { call, refusal, noted }).catch((error: unknown) =>
			ctx.log({ level: 'warn', event: 'refusal_not_noted', ...describeFault(error) }),
		),
	);
}

/** Fingerprints of the refusals that this isolate wrote recently. */
function notedOf(ctx: Context, program: RefusingProgram): string[] {
	const key = 'keyHash' in program ? program.keyHash : String(program.programId);
	const known = cacheGet(ctx.refusals, key, ctx.now);
	if (known) return known;
	const noted: string[] = [];
	cacheSet(ctx.refusals, key, noted, ctx.now + QUIET_MS);
	return noted;
}

interface Noted {
	readonly call: RefusedCall;
	readonly refusal: Rejection;
	readonly noted: string[];
}

async function keepRefusal(ctx: Context, program: RefusingProgram, { call, refusal, noted }: Noted): Promise<void> {
	const { status, code } = refusal;
	const message = loggedMessage(refusal);
	const fingerprint = (await sha256Hex(JSON.stringify([call, code, message]))).slice(0, 16);
	if (noted.length >= NOTED_REFUSALS || noted.filter((other) => other === fingerprint).length >= NOTED_REPEATS) return;
	noted.push(fingerprint);
	const programId =
		'keyHash' in program ? sql`(SELECT program_id FROM program_keys WHERE token_hash = ${program.keyHash})` : sql`${program.programId}`;
	const hour = Math.floor(ctx.now / HOUR_MS);
	// Refusals that name erased ids are not stored.
	const erased = await hashesOf(ctx, [call.customerKey, call.clickId, call.transactionId]);
	await write(ctx.db, [
		ctx.db.run(sql`
			INSERT INTO ${refusals} (program_id, hour, fingerprint, operation, source, status, code, message,
				transaction_id, click_id, customer_key, amount_cents, currency, is_routine, count, first_at, last_at)
			SELECT p.id, ${hour}, ${fingerprint}, ${call.operation}, ${call.source}, ${status}, ${code}, ${message},
				${call.transactionId}, ${call.clickId}, ${call.customerKey}, ${call.amountCents}, ${call.currency},
				${isRoutine(call.source, code) ? 1 : 0}, 1, ${ctx.now}, ${ctx.now}
			FROM programs p WHERE p.id = ${programId} AND NOT ${isOneErased(sql`p.id`, erased)}
			ON CONFLICT (program_id, hour, fingerprint) DO UPDATE SET count = count + 1, last_at = max(last_at, excluded.last_at)`),
		// Once per isolate and quiet period is enough.
		...(noted.length === 1 ? [trimProgram(ctx, programId)] : []),
	]);
}

function trimProgram(ctx: Context, programId: SQL) {
	return ctx.db.run(sql`
		DELETE FROM ${refusals} WHERE program_id = ${programId} AND id NOT IN (
			SELECT id FROM (
				SELECT id, is_routine AND row_number() OVER (PARTITION BY is_routine ORDER BY id DESC) > ${KEPT_ROUTINE} AS surplus
				FROM refusals WHERE program_id = ${programId}
			) ORDER BY surplus, id DESC LIMIT ${KEPT_REFUSALS}
		)`);
}
