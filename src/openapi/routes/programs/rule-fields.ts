import * as z from 'zod/mini';
import { Cents, Count, CurrencyCode, Id, Instant, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';

const Percent = is(z.number().check(z.minimum(0), z.maximum(100)), 'Percent of the sale.');

const SAID = {
	type: is(z.enum(['percent', 'flat']), '`percent` of the sale, or a `flat` amount.'),
	percent: is(z.optional(Percent), 'Percent of the sale, with at most two decimals; only for type `percent`.'),
	amount_cents: is(z.optional(Cents), 'The commission of a sale in minor units of `currency`; only for type `flat`.'),
	currency: is(z.optional(CurrencyCode), 'ISO 4217 code. The rule applies to sales in this currency; only for type `flat`.'),
	recurring_months: is(
		z.nullable(Count),
		"How many months after a subscription's first sale its renewals earn a commission. 0: only the first payment; null: no limit.",
	),
	hold_days: is(Count, 'Days between a sale and the approval of its commission.'),
};

export const Rule = named(
	'CommissionRule',
	'What sales earn. The most specific rule applies: partner and product, partner, group and product, group, product, default.',
	z.object({
		id: is(Id, "The rule's id."),
		version: is(Id, 'The version of its terms. A commission keeps the version that created it.'),
		...SAID,
		product_id: is(z.nullable(Text), 'The product it applies to; null for any.'),
		partner_id: is(z.nullable(Id), 'The partner it applies to; null for any.'),
		group_id: is(z.nullable(Id), 'The group it applies to; null for any.'),
	}),
);

export const ListedRule = named(
	'ListedCommissionRule',
	'A rule with its partner and group.',
	z.object({
		...Rule.shape,
		partner: is(
			z.nullable(z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") })),
			'The partner it applies to; null for any.',
		),
		group: is(
			z.nullable(z.object({ id: is(Id, "The group's id."), name: is(Text, "The group's name.") })),
			'The group it applies to; null for any.',
		),
	}),
);

const BOTH = {
	whole_cents: is(Cents, 'Commission with one rule for the whole sale, in minor units.'),
	by_line_cents: is(Cents, 'Commission with a rule for each line, in minor units.'),
};

export const LinesPreview = named(
	'RulesByLinePreview',
	'Commissions of carts with one rule for the whole sale and with a rule for each line.',
	z.object({
		from: is(Instant, 'Start of the compared period, UTC.'),
		sales_read: is(Count, 'Number of sales read.'),
		complete: is(z.boolean(), 'False if there were more sales, carts or rules than are read.'),
		carts: is(Count, 'Number of these sales whose lines can select rules.'),
		changed: is(Count, 'Number of these carts that would earn a different commission.'),
		totals: is(z.array(z.object({ currency: is(CurrencyCode, 'ISO 4217 code.'), ...BOTH })), 'Totals of the carts by currency.'),
		examples: is(
			z.array(
				z.object({
					sale_id: is(Id, 'Id of the sale event.'),
					transaction_id: is(Text, 'The reported transaction id.'),
					created_at: is(Instant, 'When it was recorded, UTC.'),
					currency: is(CurrencyCode, 'ISO 4217 code.'),
					amount_cents: is(Cents, 'Amount of the sale, in minor units.'),
					...BOTH,
				}),
			),
			'At most 10 sales, largest difference first.',
		),
	}),
);

export const Version = named(
	'CommissionRuleVersion',
	'A current or earlier version of a rule.',
	z.object({ version: is(Id, 'The version number, from 1.'), ...SAID, created_at: is(Instant, 'When it took effect, UTC.') }),
);

export const DryRun = named(
	'DryRun',
	'The commission a sale would earn.',
	z.object({
		currency: is(CurrencyCode, 'ISO 4217 code of the sale.'),
		rule: is(z.nullable(Rule), 'The rule that applies; null if none does.'),
		commission: is(
			z.nullable(
				z.object({
					amount_cents: is(Cents, 'Minor units of `currency`.'),
					status: is(z.enum(['pending', 'approved']), '`pending` during the hold.'),
				}),
			),
			'The commission; null if the sale would earn nothing.',
		),
		reason: is(z.nullable(Text), 'Why the sale would earn nothing.'),
	}),
);

/** A rule's terms, and the `commission` of a new program. */
