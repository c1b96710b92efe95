import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith } from '../db/client.ts';
import type { Param } from '../db/prepare.ts';
import type { Identity, KnownCustomer } from '../domain/attribution/attribution.ts';
import { Rejection, type RejectionCode } from '../domain/rejection.ts';
import type { ClaimedClickId } from './find-customer.ts';

// Erased ids (privacy/erase-customer.ts) count as unknown, so that a late message does not recreate the customer.

/** Hashes of the customer's new ids and of the click stored with them. Undefined if there are none. */
export async function hashesOfNewIds(ctx: Context, identity: Identity<KnownCustomer>, kept?: string): Promise<string | undefined> {
	const ids = identity.kind === 'new' ? [identity.customerKey, identity.click?.clickId] : [identity.newKey, identity.newClick?.clickId];
	if (!ids.includes(kept)) ids.push(kept);
	return ids.some((id) => id !== undefined) ? hashesOf(ctx, ids) : undefined;
}

/** Keyed hashes of ids, as JSON. */
export async function hashesOf(ctx: Context, ids: readonly (string | null | undefined)[]): Promise<string> {
	const texts = ids.filter((id) => typeof id === 'string');
	return JSON.stringify((await Promise.all(texts.map((id) => ctx.secrets.erasedHashes(id)))).flat());
}

/** Pseudonyms of a text that may identify an erased person, one per secret, newest first. Equal texts have equal pseudonyms. */
export async function pseudonymsFor(ctx: Context, text: string): Promise<string[]> {
	return (await ctx.secrets.erasedHashes(text)).map((hash) => `erased_${hash.slice(0, 24)}`);
}

/** One round trip. */
export async function erasedAmong(ctx: Context, programId: number, ids: readonly string[]): Promise<ReadonlySet<string>> {
	if (ids.length === 0) return new Set();
	const hashed = await Promise.all(ids.map(async (id) => (await ctx.secrets.erasedHashes(id)).map((hash) => [id, hash])));
	const found = await ctx.db.all<{ id: string }>(sql`
		SELECT named.value ->> 0 AS id FROM json_each(${JSON.stringify(hashed.flat())}) AS named
		CROSS JOIN erased_ids e ON e.program_id = ${programId} AND e.hash = named.value ->> 1`);
	return new Set(found.map(({ id }) => id));
}

/** The value; if one of the hashes belongs to an erased id, NULL, which fails the batch. */
export function unlessErased<Value extends number | string>(
	programId: Param<number>,
	hashes: Param<string>,
	value: Param<Value>,
): SQL<Value> {
	return sql`iif(${isOneErased(programId, hashes)}, NULL, ${value})`;
}

/** Reads nothing if the program has erased nobody. */
export function isOneErased(programId: Param<number>, hashes: Param<string>): SQL {
	return sql`(EXISTS (SELECT 1 FROM erased_ids WHERE program_id = ${programId}) AND EXISTS (
		SELECT 1 FROM json_each(${hashes}) AS named CROSS JOIN erased_ids e ON e.program_id = ${programId} AND e.hash = named.value))`;
}

/** The columns whose constraint the NULL of `unlessErased` violates. */
const GUARDED = ['customers.revision', 'affiliate_lead_events.op_id', 'processor_bindings.told_at'];

/** Whether a batch was refused because it would have stored an erased id. */
export function isOfErased(error: unknown): boolean {
	return GUARDED.some((column) => refusedWith(error, `NOT NULL constraint failed: ${column}`));
}

/** Records with the claimed click, or without it if click or key was erased. Rejects if even that would store an erased id. */
export async function withoutErased<Receipt>(
	refusal: RejectionCode,
	claim: ClaimedClickId | undefined,
	record: (claim: ClaimedClickId | undefined) => Promise<Receipt>,
): Promise<Receipt> {
	try {
		return await record(claim);
	} catch (error) {
		if (!isOfErased(error)) throw error;
	}
	try {
		return await record(undefined);
	} catch (error) {
		throw isOfErased(error) ? new Rejection(refusal) : error;
	}
}
