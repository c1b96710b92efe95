import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { nameIn, namesOneOf } from './named.ts';
import type { Search } from './search.ts';

// Statements of an erasure, also for rows that are found later.

/** Keyed hashes of erased ids keep later events with them unattributed. */
export async function rememberErased(ctx: Context, programId: number, ids: readonly string[]): Promise<Statement[]> {
	if (ids.length === 0) return [];
	const hashes = await Promise.all(ids.map(async (id) => (await ctx.secrets.erasedHashes(id))[0]));
	return [
		ctx.db.run(sql`
			INSERT INTO erased_ids (program_id, hash, erased_at)
			SELECT ${programId}, value, ${ctx.now} FROM json_each(${JSON.stringify(hashes)}) WHERE true
			ON CONFLICT (program_id, hash) DO UPDATE SET erased_at = excluded.erased_at`),
	];
}

/**
 * Clicks keep what reports count: link, time, country and source. A hash of the id keeps a redelivered click from being counted again. If
 * that hash's secret is gone, the row gets a random id, because the pseudonym is taken.
 */
export async function eraseClicks(ctx: Context, programId: number, pseudonyms: Search['pseudonyms']): Promise<Statement[]> {
	const hashes = await Promise.all(pseudonyms.map(async ([id]) => (await ctx.secrets.erasedHashes(id)).map((hash) => [id, hash])));
	const pseudonym = pseudonymOf(sql`c.click_id`, pseudonyms);
	const markStored = ctx.db.run(sql`
		UPDATE erased_ids SET click_stored = 1 WHERE program_id = ${programId} AND click_stored = 0 AND hash IN (
			SELECT pair.value ->> 1 FROM json_each(${JSON.stringify(hashes.flat())}) AS pair
			CROSS JOIN affiliate_click_events c ON c.click_id = pair.value ->> 0 AND +c.program_id = ${programId})`);
	const erase = ctx.db.run(sql`
		UPDATE affiliate_click_events AS c SET
			click_id = iif(EXISTS (SELECT 1 FROM affiliate_click_events WHERE click_id = ${pseudonym}),
				'erased_' || lower(hex(randomblob(12))), ${pseudonym}),
			page_url = NULL, page_title = NULL, referrer_url = NULL, session_id = NULL, user_agent = NULL, language = NULL, timezone = NULL, sub_id = NULL
		WHERE c.click_id IN (SELECT value ->> 0 FROM json_each(${JSON.stringify(pseudonyms)})) AND +c.program_id = ${programId}`);
	return [markStored, erase];
}

export function pseudonymOf(clickId: SQL, pseudonyms: Search['pseudonyms']): SQL {
	return sql`coalesce((SELECT p.value ->> 1 FROM json_each(${JSON.stringify(pseudonyms)}) AS p WHERE p.value ->> 0 = ${clickId}), ${clickId})`;
}

/** Ids that link processor references to a person. */
export interface BoundPerson {
	readonly keys: readonly string[];
	readonly clickIds: readonly string[];
	/** Click ids that also belong to somebody else. */
	readonly sharedClickIds: readonly string[];
	readonly processorIds: readonly string[];
}

/** Whether a reference is the person's. Its key precedes its click, which another person may share. */
export function isBoundTo({ keys, clickIds, sharedClickIds, processorIds }: BoundPerson): SQL {
	const ownClickIds = clickIds.filter((id) => !sharedClickIds.includes(id));
	return sql`(processor_id IN ${listed(processorIds)} OR customer_key IN ${listed(keys)} OR (customer_key IS NULL AND click_id IN ${listed(ownClickIds)}))`;
}

/** Includes references stored after the person was read. */
export function eraseReferences(ctx: Context, programId: number, person: BoundPerson): Statement[] {
	return [
		ctx.db.run(sql`DELETE FROM processor_bindings WHERE program_id = ${programId} AND ${isBoundTo(person)}`),
		ctx.db.run(sql`
			UPDATE processor_bindings SET click_id = NULL WHERE program_id = ${programId} AND click_id IN ${listed(person.clickIds)}`),
	];
}

/** Others who share the click keep their data, but its id becomes a pseudonym. */
export function replaceSharedClicks(ctx: Context, programId: number, pseudonyms: Search['pseudonyms']): Statement {
	return ctx.db.run(sql`
		UPDATE customers AS c SET click_id = ${pseudonymOf(sql`c.click_id`, pseudonyms)}, sub_id = NULL, revision = revision + 1
		WHERE c.click_id IN (SELECT value ->> 0 FROM json_each(${JSON.stringify(pseudonyms)})) AND c.erased_at IS NULL AND +c.program_id = ${programId}`);
}

export function listed(values: readonly unknown[]): SQL {
	return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Test records have no customer, so names and subscriptions find them. */
export function eraseTests(ctx: Context, programId: number, names: readonly string[], processorIds: readonly string[]): Statement[] {
	return [
		// This precedes the sales, because the next statement erases the ids that find these rows.
		ctx.db.run(sql`
			UPDATE refund_events SET reason = NULL, refund_id = iif(${nameIn(sql`refund_id`, names)}, 'erased_' || id, refund_id)
			WHERE program_id = ${programId} AND is_test = 1 AND (${nameIn(sql`refund_id`, names)} OR sale_id IN (
				SELECT id FROM affiliate_sale_events WHERE program_id = ${programId} AND is_test = 1
					AND (${nameIn(sql`processor_event_id`, names)} OR subscription_id IN ${listed(processorIds)})))`),
		ctx.db.run(sql`
			UPDATE affiliate_sale_events SET line_items = NULL, subscription_id = NULL, revision = revision + 1,
				processor_event_id = iif(${nameIn(sql`processor_event_id`, names)}, 'erased_' || id, processor_event_id)
			WHERE program_id = ${programId} AND is_test = 1
				AND (${nameIn(sql`processor_event_id`, names)} OR subscription_id IN ${listed(processorIds)})`),
	];
}

/** A program has only a few hundred refusals, so this scans them. */
export function eraseRefusals(ctx: Context, programId: number, names: readonly string[]): Statement {
	return ctx.db.run(sql`DELETE FROM refusals WHERE program_id = ${programId} AND ${namesOneOf(sql`json_each(${JSON.stringify(names)})`)}`);
}
