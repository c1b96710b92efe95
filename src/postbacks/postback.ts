import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { postbacks } from '../db/schema/postbacks.ts';
import { POSTBACK_EVENTS, type PostbackEvent } from '../domain/webhooks/postback.ts';
import { notFound } from '../domain/rejection.ts';

type PostbackRow = typeof postbacks.$inferSelect;

/** A partner's own URL that receives events of their links. */
export interface Postback extends Omit<PostbackRow, 'events' | 'programId' | 'partnerProgramId' | 'restsUntil' | 'deletedAt'> {
	readonly events: readonly PostbackEvent[];
}

/** The membership's id, or SQL that finds it. */
export interface PostbackOwner {
	readonly id: number | SQL;
}

export const SWITCHED_OFF = 'The program has disabled your postback. Contact the program';

const Events = z.array(z.enum(POSTBACK_EVENTS));

export function ownerOf(program: { readonly id: number }, partnerId: number): PostbackOwner {
	return { id: sql`(SELECT id FROM partner_programs WHERE program_id = ${program.id} AND partner_id = ${partnerId})` };
}

export function selectPostback(ctx: Context, owner: PostbackOwner) {
	return ctx.db.select().from(postbacks).where(isPostbackOf(owner));
}

export function isPostbackOf({ id }: PostbackOwner): SQL | undefined {
	return and(eq(postbacks.partnerProgramId, id), isNull(postbacks.deletedAt));
}

/** Rejects with 404. */
export function requireFound([row]: readonly PostbackRow[]): Postback {
	if (!row) throw notFound('Postback');
	return { ...row, events: Events.parse(JSON.parse(row.events)) };
}

/** One round trip. Rejects with 404. */
export async function requirePostback(ctx: Context, owner: PostbackOwner): Promise<Postback> {
	return requireFound(await selectPostback(ctx, owner));
}
