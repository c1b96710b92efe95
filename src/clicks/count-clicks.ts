import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { dayOf, monthOf } from '../domain/calendar.ts';
import { mayBeClosed } from '../domain/reporting/closed-months.ts';
import { OTHER_SOURCES } from '../domain/attribution/source.ts';
import type { ClickJob } from '../job.ts';

/** The fields that decide which rows count a click. */
export interface CountedClick extends Pick<ClickJob, 'programId' | 'referralLinkId' | 'isTest' | 'isBot' | 'country'> {
	/** In the program's time zone. */
	readonly clickDay: string;
	/** Null if direct or unknown. */
	readonly source: string | null;
}

/**
 * Adds new clicks to the daily rows in the batch that inserts them, which fails if one is already stored. Excludes tests and bots. Writes
 * each row once per delivery, because a trigger per click would cost too much.
 */
export function countClicks(ctx: Context, clicks: readonly CountedClick[]): Statement[] {
	const counted = clicks.filter(({ isTest, isBot }) => !isTest && !isBot);
	if (counted.length === 0) return [];
	const days = tally(counted, ({ programId, clickDay }) => [[programId, clickDay]]);
	const values = tally(counted, ({ programId, clickDay, referralLinkId, country }) => [
		[programId, clickDay, 'link', referralLinkId],
		...(country ? [[programId, clickDay, 'country', country]] : []),
	]);
	const sources = tallySources(counted);
	return [
		ctx.db.run(sql`
			INSERT INTO daily_performance (program_id, day, currency, clicks)
			SELECT p.id, tally.value ->> 1, p.currency, tally.value ->> 2
			FROM json_each(${days}) AS tally JOIN programs p ON p.id = tally.value ->> 0 WHERE true
			ON CONFLICT (program_id, day, currency) DO UPDATE SET clicks = clicks + excluded.clicks`),
		ctx.db.run(sql`
			INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, clicks)
			SELECT p.id, tally.value ->> 2, tally.value ->> 1, tally.value ->> 3, p.currency, tally.value ->> 4
			FROM json_each(${values}) AS tally JOIN programs p ON p.id = tally.value ->> 0 WHERE true
			ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET clicks = clicks + excluded.clicks`),
		...(sources === '[]' ? [] : [countSources(ctx, sources)]),
		...reopenMonths(ctx, counted),
	];
}

/** Cron sums up a closed month again after a late click. */
function reopenMonths({ db, now }: Context, clicks: readonly CountedClick[]): Statement[] {
	const today = dayOf(now, 'UTC');
	const late = clicks.filter(({ clickDay }) => mayBeClosed(clickDay, today));
	if (late.length === 0) return [];
	const months = tally(late, ({ programId, clickDay }) => [[programId, monthOf(clickDay)]]);
	return [
		db.run(sql`
			DELETE FROM breakdown_months WHERE dimension IN ('link', 'country', 'source')
				AND (program_id, month) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${months}))`),
	];
}

/**
 * Anybody can fake referrers, so each day keeps a limited number of sources and counts the others as one. Counts the day's sources only if
 * a new one arrives.
 */
function countSources({ db, settings }: Context, sources: string): Statement {
	return db.run(sql`
		INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, clicks)
		WITH told AS MATERIALIZED (
			SELECT p.id AS program_id, p.currency AS currency, tally.value ->> 1 AS day, tally.value ->> 2 AS source, tally.value ->> 3 AS clicks,
				${hasSource(sql`p.id`, sql`tally.value ->> 1`, sql`tally.value ->> 2`)} AS is_known
			FROM json_each(${sources}) AS tally JOIN programs p ON p.id = tally.value ->> 0
		),
		room AS MATERIALIZED (
			SELECT program_id, day, ${settings.sourcesPerDay} - (
				SELECT count(DISTINCT kept.value) FROM daily_breakdown AS kept
				WHERE kept.program_id = crowded.program_id AND kept.dimension = 'source' AND kept.day = crowded.day AND kept.value <> ${OTHER_SOURCES}
			) AS sources
			FROM (SELECT DISTINCT program_id, day FROM told WHERE NOT is_known) AS crowded
		)
		SELECT program_id, 'source', day, iif(is_known OR nth <= room.sources, source, ${OTHER_SOURCES}) AS shown, currency, sum(clicks)
		FROM (SELECT *, row_number() OVER (PARTITION BY program_id, day, is_known ORDER BY clicks DESC, source) AS nth FROM told)
		LEFT JOIN room USING (program_id, day)
		GROUP BY program_id, day, shown
		ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET clicks = clicks + excluded.clicks`);
}

/** The source under which the click is counted. Only valid after countClicks in the same batch. */
export function countedSource(clicks: readonly CountedClick[], programId: SQL, day: SQL, source: SQL): SQL {
	const counted = sql`
		SELECT tally.value ->> 0, tally.value ->> 1, tally.value ->> 2 FROM json_each(${tallySources(clicks)}) AS tally
		WHERE ${hasSource(sql`tally.value ->> 0`, sql`tally.value ->> 1`, sql`tally.value ->> 2`)}`;
	return sql`iif(${source} IS NULL OR (${programId}, ${day}, ${source}) IN (${counted}), ${source}, ${OTHER_SOURCES})`;
}

function hasSource(programId: SQL, day: SQL, source: SQL): SQL {
	return sql`EXISTS (SELECT 1 FROM daily_breakdown WHERE program_id = ${programId} AND dimension = 'source' AND day = ${day} AND value = ${source})`;
}

function tallySources(clicks: readonly CountedClick[]): string {
	return tally(clicks, ({ programId, clickDay, source }) => (source ? [[programId, clickDay, source]] : []));
}

/** The distinct keys as JSON, each with its count. */
function tally(clicks: readonly CountedClick[], keysOf: (click: CountedClick) => readonly (readonly (string | number)[])[]): string {
	const counts = new Map<string, number>();
	for (const key of clicks.flatMap(keysOf).map((parts) => JSON.stringify(parts))) counts.set(key, (counts.get(key) ?? 0) + 1);
	return `[${[...counts].map(([key, count]) => `${key.slice(0, -1)},${count}]`).join(',')}]`;
}
