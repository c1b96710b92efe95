import * as z from 'zod/mini';
import {
	RANKING_COLUMNS,
	RankingQuery,
	type partnerRanking as partnerRankingRoutes,
} from '../../../http/management/reporting/partner-ranking.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { CurrencyCode, Day, Instant, PAGE_FIELDS, PageMeta, PARTNER_SEARCH, SearchComplete, successful } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { figures, MOMENT, RANGE_ERRORS } from '../partner-programs/partner-programs.ts';
import { partner } from '../partners/partner-fields.ts';

const RankedPartner = named(
	'RankedPartner',
	"A partner with the figures of a range of days. Amounts are minor units of the program's currency.",
	z.object({
		id: partner.id,
		partner_program_id: partner.partner_program_id,
		name: partner.name,
		email: partner.email,
		status: partner.status,
		group: partner.group,
		joined_at: partner.created_at,
		...figures,
		earnings_per_click_cents: is(
			z.nullable(z.number()),
			'`net_commission_cents` per click, in minor units with up to four decimals; null without clicks.',
		),
		balances: partner.balances,
		last_active_on: is(
			z.nullable(Day),
			"The last day of the range with a click, lead or sale of the partner, in the program's time zone; null if none.",
		),
	}),
);

const Meta = z.object({
	period: is(z.enum(['7d', '30d', '90d', 'all']), 'As requested.'),
	currency: is(CurrencyCode, 'The currency of the amounts.'),
	date_from: is(z.nullable(Instant), 'The first millisecond of the range, UTC; null for `all`.'),
	date_to: is(Instant, 'The last millisecond of the range, UTC.'),
	...PageMeta.shape,
	search_complete: SearchComplete,
});

export const partnerRanking = underProgram('Partners', '/partners/performance', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'rankPartners',
		summary: 'Rank partners by performance',
		description:
			"Compares the partners of a program, including former ones, over a range of days: the results of their links, counted as in the program's report, their balances and when they were last active. Ranked by any column. A partner whose figures change between two pages may appear twice or on neither. `Accept: text/csv` returns all that match as CSV, up to 10,000, unless a `limit` is sent; every other currency has its own columns, such as `revenue_cents_EUR`.",
		query: fieldsOf(RankingQuery, {
			period: 'The last 7, 30 or 90 days, or all. Ignored if dates are sent.',
			dateFrom: `The first day. ${MOMENT} Requires \`dateTo\`.`,
			dateTo: `The last day. ${MOMENT} Requires \`dateFrom\`.`,
			sort: "The column to rank by. Amounts and `balance` (`available` + `pending` - `debt`) are in the program's currency. Partners without `earnings_per_click` or activity come last.",
			order: '`asc`: lowest first; `desc`: highest first. Defaults to `desc`, and to `asc` for `name`.',
			status: 'Only partners with this status.',
			group_id: 'Only partners of the group with this id.',
			search: PARTNER_SEARCH,
			...PAGE_FIELDS,
			cursor: `${PAGE_FIELDS.cursor} Send it with the same \`sort\` and \`order\`.`,
			total: '`true` counts all partners that match, see `total` in the response. `false` by default.',
		}),
		answers: {
			200: {
				description: 'A page of partners.',
				schema: answerOfRoute<typeof partnerRankingRoutes, '/', '$get'>()(
					successful({
						data: is(z.array(RankedPartner), 'Partners, as ranked.'),
						meta: is(Meta, 'The range, and where the next page begins.'),
					}),
				),
				csv: `\`${RANKING_COLUMNS}\``,
			},
		},
		errors: RANGE_ERRORS,
		examples: [
			{ name: 'revenue', summary: 'The last 30 days by revenue' },
			{
				name: 'clicks',
				summary: 'Active partners by clicks in a week',
				query: { period: '7d', sort: 'clicks', status: 'active', limit: '2' },
			},
			{ name: 'csv', summary: 'As CSV', query: { period: 'all', sort: 'name' }, headers: { Accept: 'text/csv' } },
			{ name: 'unknown', summary: 'An unknown column', query: { sort: 'luck' }, status: 400 },
		],
	},
]);
