import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';

/** The most that one tick examines. */
const EXAMINED = 10_000;

/** Settles dead letters whose work cron or another delivery has done. Returns how many. */
export async function settleDoneDeadLetters(ctx: Context): Promise<number> {
	const settled = await ctx.db.all<{ id: number }>(sql`
		UPDATE dead_letters SET replayed_at = ${ctx.now}, outcome = 'done'
		WHERE replayed_at IS NULL AND id IN (
			SELECT id FROM (SELECT id, body FROM dead_letters INDEXED BY dead_letters_waiting WHERE replayed_at IS NULL LIMIT ${EXAMINED}) l
			WHERE CASE iif(json_type(l.body) = 'object', l.body ->> '$.kind', NULL)
				WHEN 'effects' THEN json_type(l.body, '$.rows') = 'array' AND NOT EXISTS (
					SELECT 1 FROM json_each(l.body, '$.rows') AS named
					JOIN outbox o ON o.program_id = named.value ->> 0 AND o.id = named.value ->> 1
				)
				WHEN 'click' THEN EXISTS (SELECT 1 FROM affiliate_click_events c WHERE c.click_id = l.body ->> '$.clickId')
				WHEN 'processor_events' THEN json_type(l.body, '$.ids') = 'array' AND NOT EXISTS (
					SELECT 1 FROM json_each(l.body, '$.ids') AS named
					JOIN processor_events e ON e.id = named.value AND (e.settled_at IS NULL OR e.state = 'failed')
				)
				ELSE 0
			END
		)
		RETURNING id`);
	return settled.length;
}
