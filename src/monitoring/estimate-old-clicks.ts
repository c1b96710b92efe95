import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { leastRetentionDays } from '../domain/attribution/click-retention.ts';
import { DAY_MS, dayOf } from '../domain/calendar.ts';
import { OLD_AFTER_DAYS, type ProgramClicks } from '../domain/monitoring/old-clicks.ts';

/** The oldest programs have the most old clicks. */
const PROGRAMS = 500;
/** Clicks of these days before the limit rank the programs. */
const SAMPLED_DAYS = 7;
const LARGEST = 5;
/** Days summed for each of the largest. */
const DAYS = 1_000;

/**
 * Old clicks of the largest programs that keep clicks for ever and could limit that. A lower bound from daily rows, because counting clicks
 * takes seconds. Reads at most some 14,000 rows.
 */
export function selectOldClicks({ db, now }: Pick<Context, 'db' | 'now'>) {
	const before = dayOf(now - OLD_AFTER_DAYS * DAY_MS, 'UTC');
	const sampledFrom = dayOf(now - (OLD_AFTER_DAYS + SAMPLED_DAYS) * DAY_MS, 'UTC');
	return db.all<ProgramClicks>(sql`
		SELECT name, (
			SELECT coalesce(sum(clicks), 0) FROM (
				SELECT clicks FROM daily_performance k WHERE k.program_id = largest.id AND k.day < ${before}
					AND NOT EXISTS (SELECT 1 FROM retired_click_days r WHERE r.program_id = k.program_id AND r.day = k.day)
				ORDER BY k.day DESC LIMIT ${DAYS}
			)
		) AS clicks
		FROM (
			SELECT id, name, (
				SELECT sum(clicks) FROM daily_performance k WHERE k.program_id = p.id AND k.day >= ${sampledFrom} AND k.day < ${before}
			) AS sampled
			FROM (
				SELECT id, name FROM programs
				WHERE click_retention_days IS NULL AND cookie_window_days <= ${OLD_AFTER_DAYS - leastRetentionDays(0)}
					AND created_at < ${now - OLD_AFTER_DAYS * DAY_MS}
				ORDER BY id LIMIT ${PROGRAMS}
			) p
			ORDER BY sampled DESC, id LIMIT ${LARGEST}
		) AS largest`);
}
