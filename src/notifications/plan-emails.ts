import { eq, max, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { emailProgress } from '../db/schema/mail.ts';
import { notifications } from '../db/schema/work.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { COLLECTING_MS, MAILED, type Pace } from '../domain/people/mail-preference.ts';

// Cron reads new notifications by id, which follows commit order, and records who gets an email up to which one. So writing a notification
// costs nothing more.

/** Notifications per pass. */
const AT_ONCE = 10_000;
/** Skips older ones, because mail was off for a while. */
const NEWS_MS = DAY_MS;

export function selectProgress(ctx: Context) {
	const newest = ctx.db.select({ id: max(notifications.id) }).from(notifications);
	return ctx.db
		.select({ upToId: emailProgress.upToId, newestId: sql<number>`coalesce(${newest}, 0)` })
		.from(sql`(SELECT 1)`)
		.leftJoin(emailProgress, eq(emailProgress.id, 1));
}

type Progress = Awaited<ReturnType<typeof selectProgress>>[number];

/** Skips notifications from before mail was first turned on. */
export async function planEmails(ctx: Context, progress: Progress | undefined): Promise<void> {
	const { upToId = null, newestId = 0 } = progress ?? {};
	if (upToId === null) {
		await write(ctx.db, [ctx.db.insert(emailProgress).values({ id: 1, upToId: newestId }).onConflictDoNothing()]);
		return;
	}
	if (newestId === upToId) return;
	// The newest id may fall, because ids of deleted rows are reused.
	const next = Math.min(newestId, upToId + AT_ONCE);
	const isOurs = sql`(SELECT up_to_id FROM letter_progress) = ${upToId}`;
	await write(ctx.db, [
		planned(ctx, upToId, next, isOurs),
		ctx.db.update(emailProgress).set({ upToId: next }).where(eq(emailProgress.upToId, upToId)),
	]);
}

/** One row per reader and pace. Does nothing if another tick was faster. */
function planned(ctx: Context, afterId: number, upToId: number, isOurs: SQL): Statement {
	const { now } = ctx;
	const paces = JSON.stringify((['soon', 'daily'] as const).map((pace) => [pace, now + COLLECTING_MS[pace]]));
	return ctx.db.run(sql`
		INSERT INTO letters_due (user_id, pace, after_id, up_to_id, due_at, tries)
		SELECT u.id, k.value ->> 'pace', min(n.id) - 1, max(n.id), pace.value ->> 1, 0
		FROM notifications n
		CROSS JOIN json_each(${KINDS}) k ON k.key = n.kind
		CROSS JOIN json_each(${paces}) pace ON pace.value ->> 0 = k.value ->> 'pace'
		LEFT JOIN partners p ON p.id = n.partner_id
		JOIN users u ON u.id = coalesce(n.user_id, p.user_id) AND u.deactivated_at IS NULL
		LEFT JOIN mail_preferences m ON m.user_id = u.id
		WHERE n.id > ${afterId} AND n.id <= ${upToId} AND n.created_at > ${now - NEWS_MS} AND ${isOurs} AND ${IS_WANTED}
		GROUP BY 1, 2
		ON CONFLICT (user_id, pace) DO UPDATE SET up_to_id = max(up_to_id, excluded.up_to_id)`);
}

const KINDS = JSON.stringify(MAILED);
/** Whether the reader with preferences `m` wants kind `k`. */
const IS_WANTED = sql`coalesce(m.notifications, 1) AND coalesce(m.kinds ->> k.key, k.value ->> 'isOn')`;

export function wantedKinds(userId: number, pace: Pace): SQL {
	return sql`(
		SELECT k.key FROM json_each(${KINDS}) k LEFT JOIN mail_preferences m ON m.user_id = ${userId}
		WHERE k.value ->> 'pace' = ${pace} AND ${IS_WANTED})`;
}
