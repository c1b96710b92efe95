import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { DIRECTIONS, formatRankedPosition, parseRankedPosition, PARTNER_RANKINGS } from '../../../domain/reporting/partner-ranking.ts';
import { invalid } from '../../../domain/rejection.ts';
import { once } from '../../../once.ts';
import { type PartnerRanks, type RankedPartner, rankPartners } from '../../../reporting/rank-partners.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { answerCsv, inCurrencies, wantsCsv } from '../../csv.ts';
import { metaAt, PageCursor, searchMetaOf, TotalFlag } from '../../page.ts';
import { query, sentQuery } from '../../validate.ts';
import { AMOUNTS, bothEnds, figuresOnWire, ReportRange } from '../partner-programs/partner-programs.ts';
import { balanceOnWire, PartnerQuery } from '../partners/partners.ts';
import { requireProgram } from '../session.ts';

/** If no limit is given. */
const CSV_ROWS = 10_000;

export const RankingQuery = once(() => {
	const { status, group_id, search, limit } = PartnerQuery().shape;
	return bothEnds(
		z.extend(ReportRange('30d'), {
			sort: z._default(z.enum(PARTNER_RANKINGS, `must be one of ${PARTNER_RANKINGS.join(', ')}`), 'revenue'),
			order: z.optional(z.enum(DIRECTIONS, 'must be asc or desc')),
			status,
			group_id,
			search,
			cursor: z.optional(PageCursor(parseRankedPosition)),
			limit,
			total: z.optional(TotalFlag()),
		}),
	);
});

/** Other currencies add columns. */
export const RANKING_COLUMNS =
	'partner_id,partner_program_id,name,email,status,group,joined_at,clicks,leads,conversions,sales,revenue_cents,net_revenue_cents,commission_cents,net_commission_cents,earnings_per_click_cents,available,pending,debt,last_active_on';

/** GET /api/v1/programs/:id/partners/performance */
export const partnerRanking = new Hono<AppEnv>().get('/', requireProgram('member'), query(RankingQuery), async (c) => {
	const { ctx, program } = c.var;
	const { period, dateFrom: from, dateTo: to, sort: by, order, cursor, limit, total, group_id: groupId, ...filter } = c.req.valid('query');
	const direction = order ?? (by === 'name' ? 'asc' : 'desc');
	if (cursor && (cursor.position.by !== by || cursor.position.direction !== direction))
		throw invalid('cursor must be a next_cursor or previous_cursor of this list');
	const isCsv = wantsCsv(c);
	const ranks = await rankPartners(ctx, program, {
		range: { period, dates: from && to && { from, to } },
		ranking: { by, direction },
		cursor,
		limit: isCsv && !('limit' in sentQuery(c)) ? CSV_ROWS : limit,
		total,
		groupId,
		...filter,
	});
	if (isCsv) return answerRows(c, program, ranks);
	c.header('Vary', 'Accept', { append: true });
	const { meta } = ranks;
	return c.json({
		success: true,
		data: ranks.rows.map(rankedOnWire),
		meta: {
			period: meta.period,
			currency: program.currency,
			date_from: isoOf(meta.from),
			date_to: isoOf(meta.to),
			...metaAt(ranks, formatRankedPosition),
			...searchMetaOf(ranks),
		},
	});
});

function rankedOnWire(partner: RankedPartner) {
	const balances = Object.entries(partner.balances).map(([currency, balance]) => [currency, balanceOnWire(balance)] as const);
	return {
		id: partner.id,
		partner_program_id: partner.partnerProgramId,
		name: partner.name,
		email: partner.email,
		status: partner.status,
		group: partner.group,
		joined_at: isoOf(partner.createdAt),
		...figuresOnWire(partner.figures),
		earnings_per_click_cents: partner.perClick === null ? null : partner.perClick / 10_000,
		balances: Object.fromEntries(balances),
		last_active_on: partner.lastDay,
	};
}

const BALANCES = ['available', 'pending', 'debt'] as const;

function answerRows(c: AppContext, { id, currency }: { id: number; currency: string }, { rows, nextCursor }: PartnerRanks) {
	const codes = [...new Set(rows.flatMap(({ figures, balances }) => [...Object.keys(figures.others), ...Object.keys(balances)]))]
		.filter((code) => code !== currency)
		.toSorted();
	const othersOf = (row?: ReturnType<typeof rankedOnWire>) => ({
		...inCurrencies(codes, AMOUNTS, row?.currencies),
		...inCurrencies(codes, BALANCES, row?.balances),
	});
	const header = [RANKING_COLUMNS, ...Object.keys(othersOf())].join();
	const lines = rows.map((partner) => {
		const row = rankedOnWire(partner);
		const { balances, currencies: _others, group, id: partnerId, ...figures } = row;
		const own = balances[currency] ?? { available: 0, pending: 0, debt: 0 };
		return { ...figures, partner_id: partnerId, group: group?.name ?? null, ...own, ...othersOf(row) };
	});
	return answerCsv(c, `partners-${id}`, header, { rows: lines, nextCursor: nextCursor && formatRankedPosition(nextCursor) });
}
