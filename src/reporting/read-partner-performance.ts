import { sql } from 'drizzle-orm';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { dayOf } from '../domain/calendar.ts';
import { type LinkFigures, partnerPerformanceOf } from '../domain/reporting/partner-performance.ts';
import { type RangeQuery, type DayRange, previousOf, rangeOf } from '../domain/reporting/report-range.ts';
import { linksOf } from './filtered-rows.ts';
import { instantsOf } from './read-performance.ts';
import { BREAKDOWN_FIGURES } from './repair-breakdown.ts';
import { BROKEN_DOWN_COLUMNS, brokenDownFigureOf, CURRENCY, DAY, eachColumn, deltasBy, VALUE } from './waiting-deltas.ts';

type Measured = Pick<PartnerMembership, 'id' | 'createdAt' | 'program'>;

export type PartnerPerformance = Awaited<ReturnType<typeof readPartnerPerformance>>;

/**
 * Figures of a partner's own links, including links of earlier memberships. One round trip, whose cost does not depend on clicks or other
 * partners. Rejects with 400 if the range is invalid.
 */
export async function readPartnerPerformance(ctx: Context, { id, createdAt, program }: Measured, query: RangeQuery) {
	const { timeZone, currency } = program;
	const today = dayOf(ctx.now, timeZone);
	const isAll = query.period === 'all' && !query.dates;
	const range = rangeOf(query, today, '', timeZone);
	const previous = isAll ? undefined : previousOf(range);
	const { links, rows } = await read(ctx.db, {
		links: selectLinks(ctx, id),
		rows: selectFigures(ctx, id, program, { first: previous?.first ?? range.first, last: range.last }),
	});
	const figures = rows.map(figuresIn);
	const firstDay = figures.reduce((first, { day }) => (day < first ? day : first), dayOf(createdAt, timeZone));
	const current = isAll ? { first: firstDay, last: today } : range;
	return {
		...partnerPerformanceOf(figures, currency, current, previous),
		shortLinks: new Map(links.map((link): [number, string] => [link.id, link.shortLink])),
		meta: {
			period: query.period,
			...instantsOf(current, timeZone),
			previous: previous && instantsOf(previous, timeZone),
		},
	};
}

function selectLinks(ctx: Context, membershipId: number) {
	return ctx.db.select({ id: sql<number>`id`, shortLink: sql<string>`short_link` }).from(linksOf(membershipId));
}

/** The row format of readPerformance, with the link's id. */
function selectFigures(ctx: Context, membershipId: number, program: Measured['program'], { first, last }: DayRange) {
	const waiting = sql`program AS p CROSS JOIN outbox o ON o.program_id = p.id AND o.referral_link_id IN (SELECT id FROM links)`;
	const figures = eachColumn(BREAKDOWN_FIGURES, (column) => `b.${column}`);
	return ctx.db.select({ figures: sql<string>`figures` }).from(sql`(
		WITH program AS MATERIALIZED (SELECT ${program.id} AS id, ${program.currency} AS currency),
		links AS MATERIALIZED (SELECT id FROM ${linksOf(membershipId)}),
		days AS MATERIALIZED (
			SELECT DISTINCT day FROM daily_performance WHERE program_id = (SELECT id FROM program) AND day BETWEEN ${first} AND ${last}
		)
		SELECT json_array(b.day, b.value, b.currency, ${figures}) AS figures
		FROM days CROSS JOIN links CROSS JOIN daily_breakdown b
			ON b.program_id = ${program.id} AND b.dimension = 'link' AND b.day = days.day AND b.value = cast(links.id AS TEXT)
		UNION ALL SELECT json_array(${DAY}, ${VALUE}, ${CURRENCY}, 0, ${eachColumn(BROKEN_DOWN_COLUMNS, brokenDownFigureOf)})
		FROM ${deltasBy(['link'], waiting)} WHERE ${DAY} BETWEEN ${first} AND ${last}
	)`);
}

type Row = readonly [string, string, string, number, number, number, number, number, number, number, number];

function figuresIn({ figures }: { readonly figures: string }): LinkFigures {
	const row: Row = JSON.parse(figures);
	const [day, value, currency, clicks, leads, conversions, sales, revenueCents, refundedCents, commissionCents, deductedCents] = row;
	return {
		day,
		linkId: Number(value),
		currency,
		clicks,
		leads,
		conversions,
		sales,
		revenueCents,
		refundedCents,
		commissionCents,
		deductedCents,
	};
}
