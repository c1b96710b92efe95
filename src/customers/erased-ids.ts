import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith } from '../db/client.ts';
import type { Param } from '../db/prepare.ts';
import type { Identity, KnownCustomer } from '../domain/attribution/attribution.ts';
import { Rejection, type RejectionCode } from '../domain/rejection.ts';
import type { ClaimedClickId } from './find-customer.ts';

// Ids that were erased (privacy/erase-customer.ts) count as unknown: a message that comes late brings nobody back.

/**
 * Keyed hashes of the ids that a customer would newly be known by, as JSON, and of a click that is kept beside, whatever it says;
 * undefined where there are none.
 */
export async function hashesOfNewIds(ctx: Context, identity: Identity<KnownCustomer>, kept?: string): Promise<string | undefined> {
	const ids = identity.kind === 'new' ? [identity.customerKey, identity.click?.clickId] : [identity.newKey, identity.newClick?.clickId];
	if (!ids.includes(kept)) ids.push(kept);
	return ids.some((id) => id !== undefined) ? hashesOf(ctx, ids) : undefined;
}

/** Keyed hashes of ids, as JSON. */
export async function hashesOf(ctx: Context, ids: readonly (string | null | undefined)[]): Promise<string> {
	const given = ids.filter((id) => typeof id === 'string');
	return JSON.stringify((await Promise.all(given.map((id) => ctx.secrets.erasedHashes(id)))).flat());
}

/** What stands for a text that may tell who was erased, one for each secret, newest first: by it the same text is known again. */
export async function pseudonymsFor(ctx: Context, text: string): Promise<string[]> {
	return (await ctx.secrets.erasedHashes(text)).map((hash) => `erased_${hash.slice(0, 24)}`);
}

/** Those of the ids that were erased. One trip. */
export async function erasedAmong(ctx: Context, programId: number, ids: readonly string[]): Promise<ReadonlySet<string>> {
	if (ids.length === 0) return new Set();
	const hashed = await Promise.all(ids.map(async (id) => (await ctx.secrets.erasedHashes(id)).map((hash) => [id, hash])));
	const found = await ctx.db.all<{ id: string }>(sql`
		SELECT told.value ->> 0 AS id FROM json_each(${JSON.stringify(hashed.flat())}) AS told
		CROSS JOIN erased_ids e ON e.program_id = ${programId} AND e.hash = told.value ->> 1`);
	return new Set(found.map(({ id }) => id));
}

/** What the column is to have, or null, which it refuses, where one of the hashes is of an id that was erased. */
export function unlessErased<Value extends number | string>(
	programId: Param<number>,
	hashes: Param<string>,
	value: Param<Value>,
): SQL<Value> {
	return sql`iif(${isOneErased(programId, hashes)}, NULL, ${value})`;
}

/** Whether one of the hashes is of an id that was erased. Reads nothing where none ever was. */
export function isOneErased(programId: Param<number>, hashes: Param<string>): SQL {
	return sql`(EXISTS (SELECT 1 FROM erased_ids WHERE program_id = ${programId}) AND EXISTS (
		SELECT 1 FROM json_each(${hashes}) AS told CROSS JOIN erased_ids e ON e.program_id = ${programId} AND e.hash = told.value))`;
}

/** The columns that refuse what `unlessErased` makes of them. */
const GUARDED = ['customers.revision', 'affiliate_lead_events.op_id', 'processor_bindings.told_at'];

/** Whether a batch was refused as it would have brought somebody back. */
export function isOfErased(error: unknown): boolean {
	return GUARDED.some((column) => refusedWith(error, `NOT NULL constraint failed: ${column}`));
}

/**
 * Records with the click that is told; where that, or the key, was erased, without the click. Rejects where that would bring somebody
 * back all the same.
 */
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
