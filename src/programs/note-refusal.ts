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

/** How many of its refusals a program keeps, and how many of them may be routine while others wait for their place. */
export const KEPT_REFUSALS = 1_000;
const KEPT_ROUTINE = 500;
/** How many of a program, and how often the very same one, an isolate notes within `QUIET_MS`, whoever makes them up. */
const NOTED_REFUSALS = 100;
const NOTED_REPEATS = 5;
const QUIET_MS = 5 * MINUTE_MS;

/** Of which program the refusal is: by its key, or by the link whose click a page named. */
export type RefusingProgram = { readonly keyHash: string } | { readonly programId: number };

/**
 * Notes a call that was refused, for the program's log: the same again within the hour counts one up. Best-effort and beside the
 * answer, which neither waits for it nor depends on it. A flood costs a program some hundred rows in five minutes per isolate.
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

/** The fingerprints of what the isolate has noted of the program lately. */
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
	// What comes late of who was erased leaves no trace.
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
		// Once in a while is enough.
		...(noted.length === 1 ? [trimProgram(ctx, programId)] : []),
	]);
}

/** The newest stay, and what is routine goes first. */
function trimProgram(ctx: Context, programId: SQL) {
	return ctx.db.run(sql`
		DELETE FROM ${refusals} WHERE program_id = ${programId} AND id NOT IN (
			SELECT id FROM (
				SELECT id, is_routine AND row_number() OVER (PARTITION BY is_routine ORDER BY id DESC) > ${KEPT_ROUTINE} AS surplus
				FROM refusals WHERE program_id = ${programId}
			) ORDER BY surplus, id DESC LIMIT ${KEPT_REFUSALS}
		)`);
}
