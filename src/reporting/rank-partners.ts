import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { dayOf } from '../domain/calendar.ts';
import { type Cursor, type Page, pageAt, type Total } from '../domain/page.ts';
import type { PartnerFigures } from '../domain/reporting/partner-performance.ts';
import type { PartnerRanking, RankedPosition, Ranking } from '../domain/reporting/partner-ranking.ts';
import { type RangeQuery, type DayRange, rangeOf } from '../domain/reporting/report-range.ts';
import { balancesOfPartner } from '../ledger/balances.ts';
import type { FoundByText } from '../partners/find-by-text.ts';
import { findPartners, isAmong } from '../partners/find-partners.ts';
import type { Partner } from '../partners/partner.ts';
import { linkFigures, summedUp } from './read-breakdown.ts';
import { instantsOf } from './read-performance.ts';
import { BREAKDOWN_FIGURES } from './repair-breakdown.ts';
import { eachColumn } from './waiting-deltas.ts';

interface RankingRequest {
	readonly range: RangeQuery;
	readonly ranking: Ranking;
	/** A position in the same ranking. */
	readonly cursor: Cursor<RankedPosition> | undefined;
	readonly limit: number;
	readonly total?: boolean | undefined;
	readonly status?: Partner['status'] | undefined;
	readonly groupId?: number | undefined;
	/** Part of the name or email address. */
	readonly search?: string | undefined;
}

interface Matching {
	readonly matching: FoundByText | undefined;
}

interface RankedProgram {
	readonly id: number;
	readonly currency: string;
	readonly timeZone: string;
}

export type PartnerRanks = Awaited<ReturnType<typeof rankPartners>>;
export type RankedPartner = PartnerRanks['rows'][number];

/**
 * Ranks partners by their links' figures in a range of days, including links of ended memberships. One round trip, two with a search. A
 * partner whose figures change between pages may appear twice or not at all. Rejects with 400 if the range is invalid.
 */
export async function rankPartners(ctx: Context, program: RankedProgram, request: RankingRequest) {
	const { range, ranking, limit } = request;
	const isAll = range.period === 'all' && !range.dates;
	const days = rangeOf(range, dayOf(ctx.now, program.timeZone), '', program.timeZone);
	const matching = request.search === undefined ? undefined : await findPartners(ctx, program.id, request.search);
	const found = await selectRanked(ctx, program, { ...request, matching }, days);
	const page = pageAt(
		found,
		{ cursor: request.cursor, limit },
		{ positionOf: ({ key, id }): RankedPosition => ({ ...ranking, key, partnerId: id }) },
	);
	return {
		...page,
		rows: page.rows.map(({ othersJson, ...row }) => ({ ...row, figures: figuresIn(row.figures, othersJson) })),
		total: request.total === true ? totalOf(page) : undefined,
		isComplete: matching?.isComplete,
		meta: {
			period: range.period,
			from: isAll ? null : instantsOf(days, program.timeZone).from,
			to: instantsOf({ ...days, first: days.last }, program.timeZone).to,
		},
	};
}

/** Every page ranks all partners, so counting them is free. */
function totalOf({ rows: [first] }: Page<{ readonly total: number; readonly place: number }, RankedPosition>): Total {
	if (first === undefined) return { count: 0, isMore: false, offset: null };
	return { count: first.total, isMore: false, offset: first.place - 1 };
}

const Others = z.array(
	z.object({
		currency: z.string(),
		sales: z.number(),
		revenueCents: z.number(),
		refundedCents: z.number(),
		commissionCents: z.number(),
		deductedCents: z.number(),
	}),
);

function figuresIn(figures: Omit<PartnerFigures, 'others'>, json: string | null): PartnerFigures {
	const others = Others.parse(JSON.parse(json ?? '[]'))
		.filter(({ sales, commissionCents }) => sales !== 0 || commissionCents !== 0)
		.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
	return { ...figures, others: Object.fromEntries(others.map(({ currency, ...amounts }) => [currency, amounts])) };
}

/** Ten-thousandths of a minor unit, so that the key is an integer; null without clicks. */
const PER_CLICK = 'iif(f.clicks > 0, ((f.commission_cents - f.deducted_cents) * 20000 / f.clicks + 1) / 2, NULL)';
/** Sort before and after all other keys. */
const [LEAST, MOST] = [-1, Number.MAX_SAFE_INTEGER];

/** Partners without a value come last. */
function keyOf({ by, direction }: Ranking): string {
	const nowhere = direction === 'desc' ? LEAST : MOST;
	const keys = {
		name: 'lower(p.name)',
		joined: 'pp.created_at',
		clicks: 'f.clicks',
		leads: 'f.leads',
		conversions: 'f.conversions',
		sales: 'f.sales',
		revenue: 'f.revenue_cents',
		net_revenue: 'f.revenue_cents - f.refunded_cents',
		commission: 'f.commission_cents',
		net_commission: 'f.commission_cents - f.deducted_cents',
		earnings_per_click: `coalesce(${PER_CLICK}, ${nowhere})`,
		balance: 'coalesce(b.balance_cents, 0)',
		last_active: `coalesce(f.last_day, '${direction === 'desc' ? '' : '9'}')`,
	} as const satisfies Record<PartnerRanking, string>;
	return keys[by];
}

/** One row above the limit shows whether there is another page. */
function selectRanked(ctx: Context, program: RankedProgram, request: RankingRequest & Matching, days: DayRange) {
	const order = sql.raw(request.ranking.direction);
	return ctx.db
		.select({
			id: partners.id,
			partnerProgramId: partnerPrograms.id,
			name: partners.name,
			email: partners.email,
			status: partnerPrograms.status,
			group: { id: partnerGroups.id, name: partnerGroups.name },
			createdAt: partnerPrograms.createdAt,
			balances: balancesOfPartner(ctx.now),
			key: sql<string | number>`ranked.key`,
			total: sql<number>`ranked.total`,
			/** From 1. */
			place: sql<number>`ranked.place`,
			/** Ten-thousandths of a minor unit. */
			perClick: sql<number | null>`ranked.per_click`,
			/** In the range. */
			lastDay: sql<string | null>`ranked.last_day`,
			figures: {
				clicks: sql<number>`ranked.clicks`,
				leads: sql<number>`ranked.leads`,
				conversions: sql<number>`ranked.conversions`,
				sales: sql<number>`ranked.sales`,
				revenueCents: sql<number>`ranked.revenue_cents`,
				refundedCents: sql<number>`ranked.refunded_cents`,
				commissionCents: sql<number>`ranked.commission_cents`,
				deductedCents: sql<number>`ranked.deducted_cents`,
			},
			othersJson: sql<string | null>`ranked.others`,
		})
		.from(rankedRows(program, request, days))
		.innerJoin(partnerPrograms, sql`partner_programs.id = ranked.id`)
		.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(partnerGroups, eq(partnerGroups.id, partnerPrograms.groupId))
		.orderBy(sql`ranked.key ${order}`, sql`ranked.partner_id ${order}`);
}

/** Other joins run later, only for the rows of the page. */
function rankedRows(program: RankedProgram, { ranking, cursor, limit, total, ...filter }: RankingRequest & Matching, days: DayRange): SQL {
	const order = sql.raw(ranking.direction);
	const isWalkedDown = (ranking.direction === 'desc') !== (cursor?.isBack ?? false);
	const [than, walk] = isWalkedDown ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
	const behind = cursor === undefined ? sql`` : sql`WHERE (key, partner_id) ${than} (${cursor.position.key}, ${cursor.position.partnerId})`;
	const places =
		total === true
			? sql`count(*) OVER () AS total, row_number() OVER (ORDER BY key ${order}, partner_id ${order}) AS place`
			: sql`0 AS total, 0 AS place`;
	const partner = ranking.by === 'name' || filter.search !== undefined ? sql`CROSS JOIN partners p ON p.id = pp.partner_id` : sql``;
	const balance =
		ranking.by === 'balance'
			? sql`LEFT JOIN partner_program_balances b ON b.partner_program_id = pp.id AND b.currency = ${program.currency}`
			: sql``;
	return sql`(
		WITH program AS MATERIALIZED (SELECT ${program.id} AS id, ${program.currency} AS currency),
		f AS (${inProgramsCurrency(byMembership(days))})
		SELECT * FROM (SELECT *, ${places} FROM (
			SELECT pp.id, pp.partner_id, ${sql.raw(keyOf(ranking))} AS key, ${sql.raw(PER_CLICK)} AS per_click, f.last_day, f.others,
				${eachColumn(BREAKDOWN_FIGURES, (column) => `f.${column}`)}
			FROM f CROSS JOIN partner_programs pp ON pp.id = f.membership ${partner} ${balance}
			WHERE +pp.program_id = ${program.id} ${conditionsOf(filter)}
		)) ${behind} ORDER BY key ${walk}, partner_id ${walk} LIMIT ${limit + 1}
	) AS ranked`;
}

function conditionsOf({ status, groupId, matching }: Pick<RankingRequest, 'status' | 'groupId'> & Matching): SQL {
	return sql.join([
		status === undefined ? sql`` : sql` AND pp.status = ${status}`,
		groupId === undefined ? sql`` : sql` AND pp.group_id = ${groupId}`,
		matching === undefined ? sql`` : sql` AND ${isAmong(sql`pp.partner_id`, matching)}`,
	]);
}

/** Figures of each membership's links, by currency. */
function byMembership(days: DayRange): SQL {
	const lastDay = 'max(iif(clicks + leads + conversions + sales > 0, day, NULL)) AS last_day';
	const byLink = sql`SELECT value, currency, ${sql.raw(lastDay)}, ${eachColumn(BREAKDOWN_FIGURES, (column) => `sum(${column}) AS ${column}`)}
		FROM (${linkFigures(days)}) GROUP BY value, currency`;
	return summedUp(
		sql`membership, currency`,
		sql`SELECT coalesce(l.partner_program_id, l.former_partner_program_id) AS membership, figures.*
			FROM (${byLink}) AS figures JOIN referral_links l ON l.id = cast(figures.value AS INTEGER)`,
		sql`max(last_day) AS last_day`,
	);
}

/**
 * One row per membership, even without figures: counts over all currencies, amounts in the program's currency, and other currencies
 * separately. A UNION, because a join would have no index.
 */
function inProgramsCurrency(byCurrency: SQL): SQL {
	const isOwn = 'currency = (SELECT currency FROM program)';
	const counts = ['clicks', 'leads', 'conversions', 'sales'];
	return sql`SELECT membership, max(last_day) AS last_day,
			${eachColumn(BREAKDOWN_FIGURES, (column) =>
				counts.includes(column) ? `sum(${column}) AS ${column}` : `sum(iif(${isOwn}, ${column}, 0)) AS ${column}`,
			)},
			json_group_array(json_object('currency', currency, 'sales', sales, 'revenueCents', revenue_cents, 'refundedCents', refunded_cents,
				'commissionCents', commission_cents, 'deductedCents', deducted_cents)) FILTER (WHERE NOT (${sql.raw(isOwn)})) AS others
		FROM (
			SELECT * FROM (${byCurrency})
			UNION ALL SELECT m.id, p.currency, NULL, ${eachColumn(BREAKDOWN_FIGURES, () => '0')}
			FROM program p CROSS JOIN partner_programs m ON m.program_id = p.id
		) GROUP BY membership`;
}
