import { and, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { processorEvents, processorEventWaits } from '../db/schema/processor.ts';
import { DAY_MS } from '../domain/calendar.ts';

/** Deletes the bodies of events settled long ago, because they contain personal data. These events are never resumed. Returns how many. */
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
	const { purged } = await write(ctx.db, [ctx.db.delete(processorEventWaits).where(inArray(processorEventWaits.processorEventId, old))], {
		purged: ctx.db
			.update(processorEvents)
			.set({ payload: null, revision: sql`${processorEvents.revision} + 1` })
			.where(inArray(processorEvents.id, old))
			.returning({ id: processorEvents.id }),
	});
	return purged.length;
}
