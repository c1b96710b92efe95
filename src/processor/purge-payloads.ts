import { and, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { processorEvents } from '../db/schema/processor.ts';
import { DAY_MS } from '../domain/calendar.ts';

/** Forgets the bodies of events that were settled long ago: they hold personal data. Returns how many. */
export async function purgePayloads(ctx: Context, limit: number): Promise<number> {
	const old = ctx.db
		.select({ id: processorEvents.id })
		.from(processorEvents)
		.where(
			and(
				isNotNull(processorEvents.payload),
				isNotNull(processorEvents.settledAt),
				lte(processorEvents.settledAt, ctx.now - ctx.settings.processorPayloadDays * DAY_MS),
			),
		)
		.orderBy(processorEvents.settledAt)
		.limit(limit);
	const purged = await ctx.db
		.update(processorEvents)
		.set({ payload: null, revision: sql`${processorEvents.revision} + 1` })
		.where(inArray(processorEvents.id, old))
		.returning({ id: processorEvents.id });
	return purged.length;
}
