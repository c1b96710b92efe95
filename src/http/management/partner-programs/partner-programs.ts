import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { PartnerMembership } from '../../../accounts/partner-membership.ts';
import type { PartnerFigures } from '../../../domain/reporting/partner-performance.ts';
import type { Amounts } from '../../../domain/reporting/performance.ts';
import type { Scope } from '../../../domain/commissions/commission.ts';
import { isoOf } from '../../../domain/instant.ts';
import { type Period, PERIODS } from '../../../domain/reporting/report-range.ts';
import { once } from '../../../once.ts';
import { type Overview, readOverview } from '../../../partner-programs/read-overview.ts';
import { type PartnerPerformance, readPartnerPerformance } from '../../../reporting/read-partner-performance.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { answerCsv, comparedRows, inCurrencies, wantsCsv } from '../../csv.ts';
import { IsoDayOrInstant, percentOf } from '../../fields.ts';
import { noQuery, query } from '../../validate.ts';
import { ownLinkOnWire } from './partner-links.ts';
import { balanceOnWire } from '../partners/partners.ts';
import { maskedOnWire } from '../payouts/payout-details.ts';
import { requirePartnerProgram } from '../session.ts';

export function ReportRange(period: Period) {
	return z.object({
		period: z._default(z.enum(PERIODS, 'must be 7d, 30d, 90d or all'), period),
		dateFrom: z.optional(IsoDayOrInstant()),
		dateTo: z.optional(IsoDayOrInstant()),
	});
}

export function bothEnds<Shape extends ReturnType<typeof ReportRange>['shape']>(schema: z.ZodMiniObject<Shape>) {
	return schema.check(z.refine(hasBothOrNone, 'dateFrom and dateTo go together'));
}

function hasBothOrNone({ dateFrom, dateTo }: { readonly dateFrom?: unknown; readonly dateTo?: unknown }): boolean {
	return (dateFrom === undefined) === (dateTo === undefined);
}

export const PartnerReportQuery = once(() =>
	bothEnds(z.extend(ReportRange('7d'), { compare: z.optional(z.enum(['previous'], 'must be previous')) })),
);

/** /api/v1/partner-programs, for partners. */
export const partnerPrograms = new Hono<AppEnv>()
	.get('/:id', requirePartnerProgram('ended'), noQuery, async (c) => {
		const { ctx, membership } = c.var;
		return c.json({ success: true, data: overviewOnWire(c, membership, await readOverview(ctx, membership)) });
	})
	.get('/:id/performance', requirePartnerProgram('suspended'), query(PartnerReportQuery), async (c) => {
		const { ctx, membership } = c.var;
		const { period, dateFrom: from, dateTo: to, compare } = c.req.valid('query');
		const report = await readPartnerPerformance(ctx, membership, { period, dates: from && to && { from, to } });
		const previousDays = compare && report.previousDays;
		if (wantsCsv(c)) return answerDays(c, membership.id, report, previousDays);
		const { meta } = report;
		c.header('Vary', 'Accept', { append: true });
		return c.json({
			success: true,
			data: {
				days: report.days.map(dayOnWire),
				previous_days: previousDays?.map(dayOnWire) ?? null,
				links: [...report.links].map(([id, figures]) => ({
					link: { id, short_link: report.shortLinks.get(id) ?? '' },
					...figuresOnWire(figures),
				})),
				totals: figuresOnWire(report.totals),
				previous_totals: report.previousTotals ? figuresOnWire(report.previousTotals) : null,
			},
			meta: {
				period: meta.period,
				currency: membership.program.currency,
				date_from: isoOf(meta.from),
				date_to: isoOf(meta.to),
				previous: meta.previous ? { date_from: isoOf(meta.previous.from), date_to: isoOf(meta.previous.to) } : null,
			},
		});
	});

/** Other currencies add columns. */
export const OWN_PERFORMANCE_COLUMNS =
	'date,clicks,leads,conversions,sales,revenue_cents,net_revenue_cents,commission_cents,net_commission_cents';

export const AMOUNTS = ['sales', 'revenue_cents', 'net_revenue_cents', 'commission_cents', 'net_commission_cents'] as const;

type Days = PartnerPerformance['days'];

function dayOnWire({ day, figures }: Days[number]) {
	return { date: day, ...figuresOnWire(figures) };
}

function answerDays(c: AppContext, membershipId: number, { days, totals, previousTotals }: PartnerPerformance, previous: Days | undefined) {
	const codes = [
		...new Set([totals, ...(previous && previousTotals ? [previousTotals] : [])].flatMap(({ others }) => Object.keys(others))),
	].toSorted();
	const columns = [...OWN_PERFORMANCE_COLUMNS.split(','), ...Object.keys(inCurrencies(codes, AMOUNTS))];
	const rowOf = (of: Days[number]) => {
		const { currencies, ...own } = dayOnWire(of);
		return { ...own, ...inCurrencies(codes, AMOUNTS, currencies) };
	};
	const { header, rows } = comparedRows(columns, days.map(rowOf), previous?.map(rowOf));
	return answerCsv(c, `performance-${membershipId}`, header, { rows, nextCursor: null });
}

function overviewOnWire(c: AppContext, membership: PartnerMembership, overview: Overview) {
	const { id, status, createdAt, partner, program } = membership;
	return {
		id,
		status,
		joined_at: isoOf(createdAt),
		partner,
		program: {
			id: program.id,
			name: program.name,
			domain: program.domain,
			currency: program.currency,
			time_zone: program.timeZone,
			cookie_window_days: program.cookieWindowDays,
			active: program.active,
			archived_at: isoOf(program.archivedAt),
		},
		rates: overview.rates.map(rateOnWire),
		balances: Object.fromEntries(Object.entries(overview.balances).map(([currency, balance]) => [currency, balanceOnWire(balance)])),
		money: overview.money.map(moneyOnWire),
		default_link: overview.defaultLink ? ownLinkOnWire(c, membership, overview.defaultLink) : null,
		next_payouts: overview.nextPayouts.map(({ currency, amountCents, minimumCents, reason }) => ({
			currency,
			amount_cents: amountCents,
			minimum_cents: minimumCents,
			reason,
		})),
		payout_details: overview.payoutDetails && maskedOnWire(overview.payoutDetails),
	};
}

function moneyOnWire(money: Overview['money'][number]) {
	return {
		currency: money.currency,
		on_hold_cents: money.onHoldCents,
		available_cents: money.availableCents,
		on_its_way_cents: money.onItsWayCents,
		on_its_way_payouts: money.onItsWayPayouts,
		on_its_way_payout_id: money.onItsWayPayoutId,
		paid_cents: money.paidCents,
		paid_payouts: money.paidPayouts,
	};
}

const APPLIES_TO = {
	default: 'everyone',
	product: 'everyone',
	group: 'group',
	group_product: 'group',
	partner: 'you',
	partner_product: 'you',
} as const satisfies Record<Scope, string>;

function rateOnWire(rate: Overview['rates'][number]) {
	return {
		applies_to: APPLIES_TO[rate.scope],
		product_id: rate.productId,
		...earnedByOnWire(rate),
		currency: rate.currency,
		recurring_months: rate.recurringMonths,
		hold_days: rate.holdDays,
	};
}

/** Has the format of a rule. */
export function earnedByOnWire({
	type,
	basisPoints,
	amountCents,
}: Pick<Overview['rates'][number], 'type' | 'basisPoints' | 'amountCents'>) {
	return type === 'percent' ? { type, percent: percentOf(basisPoints ?? 0) } : { type, amount_cents: amountCents ?? 0 };
}

export function figuresOnWire({ clicks, leads, conversions, sales, others, ...own }: PartnerFigures) {
	const currencies = Object.entries(others).map(([code, amounts]) => [code, { sales: amounts.sales, ...amountsOnWire(amounts) }] as const);
	return { clicks, leads, conversions, sales, ...amountsOnWire(own), currencies: Object.fromEntries(currencies) };
}

function amountsOnWire({ revenueCents, refundedCents, commissionCents, deductedCents }: Omit<Amounts, 'sales'>) {
	return {
		revenue_cents: revenueCents,
		net_revenue_cents: revenueCents - refundedCents,
		commission_cents: commissionCents,
		net_commission_cents: commissionCents - deductedCents,
	};
}
