import * as z from 'zod/mini';
import { RANKING_COLUMNS, RankingQuery } from '../../../http/management/reporting/partner-ranking.ts';
import { CurrencyCode, Day, Instant, PAGE_FIELDS, PageMeta, PARTNER_SEARCH, SearchComplete, successful } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { figures, MOMENT, RANGE_ERRORS } from '../partner-programs/partner-programs.ts';
import { partner } from '../partners/partners.ts';

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
			'`net_commission_cents` by click, in minor units with up to four decimals; null without a click.',
		),
		balances: partner.balances,
		last_active_on: is(
			z.nullable(Day),
			"The last day of the range, in the program's time zone, with a click, lead or sale of theirs; null: there was none.",
		),
	}),
);

const Meta = z.object({
	period: is(z.enum(['7d', '30d', '90d', 'all']), 'As requested.'),
	currency: is(CurrencyCode, 'Of the amounts.'),
	date_from: is(z.nullable(Instant), 'The first millisecond of the range, UTC; null for `all`.'),
	date_to: is(Instant, 'Its last millisecond, UTC.'),
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
			"Compares the partners of a program over a range of days: the results of their links, counted as in the program's report, their balances and last activity. Former partners are included. Ranked by any column. A partner whose figures change between two pages may appear twice or not at all. With `Accept: text/csv`, a CSV of all that match, up to 10,000, unless a `limit` is given; each other currency has its own columns, such as `revenue_cents_EUR`.",
		query: fieldsOf(RankingQuery, {
			period: 'The last 7, 30 or 90 days, or all. Ignored if dates are sent.',
			dateFrom: `The first day. ${MOMENT} With \`dateTo\`.`,
			dateTo: `The last day. ${MOMENT} With \`dateFrom\`.`,
			sort: "The column to rank by. Amounts and `balance` (`available` + `pending` - `debt`) are in the program's currency. Partners without `earnings_per_click` or activity are last.",
			order: '`asc`: the least first; `desc`: the greatest first. By default `desc`, and of `name` `asc`.',
			status: 'Only these.',
			group_id: 'Only partners of this group, by its number.',
			search: PARTNER_SEARCH,
			...PAGE_FIELDS,
			cursor: `${PAGE_FIELDS.cursor} Of the same \`sort\` and \`order\`.`,
			total: '`true` counts the partners that match, all of them, see `total` in the answer. `false` by default.',
		}),
		answers: {
			200: {
				description: 'A page of partners.',
				schema: successful({
					data: is(z.array(RankedPartner), 'Partners, as ranked.'),
					meta: is(Meta, 'What range it is, and where the next page begins.'),
				}),
				csv: `\`${RANKING_COLUMNS}\``,
			},
		},
		errors: RANGE_ERRORS,
		examples: [
			{ name: 'revenue', summary: 'Of the last 30 days, by revenue' },
			{ name: 'clicks', summary: 'Active ones by clicks of a week', query: { period: '7d', sort: 'clicks', status: 'active', limit: '2' } },
			{ name: 'csv', summary: 'As CSV', query: { period: 'all', sort: 'name' }, headers: { Accept: 'text/csv' } },
			{ name: 'unknown', summary: 'There is no such column', query: { sort: 'luck' }, status: 400 },
		],
	},
]);
