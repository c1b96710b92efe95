import * as z from 'zod/mini';
import { DryRunQuery, RuleChange, RuleRequest } from '../../../http/management/programs/commission-rules.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, nothing, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, type ErrorDoc, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type FieldDoc, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

const Percent = is(z.number().check(z.minimum(0), z.maximum(100)), 'Percent of the sale.');

const SAID = {
	type: is(z.enum(['percent', 'flat']), '`percent` of the sale, or a `flat` amount.'),
	percent: is(z.optional(Percent), 'Percent of the sale, with at most two decimals; only of type `percent`.'),
	amount_cents: is(z.optional(Cents), 'The commission of a sale in minor units of `currency`; only of type `flat`.'),
	currency: is(z.optional(CurrencyCode), 'ISO 4217 code: the rule is for sales in it; only of type `flat`.'),
	recurring_months: is(
		z.nullable(Count),
		"Months from a subscription's first sale in which renewals earn; 0: the first payment only; null: forever.",
	),
	hold_days: is(Count, 'Days between a sale and the approval of its commission.'),
};

export const Rule = named(
	'CommissionRule',
	'What sales earn. The most specific rule counts: partner and product, partner, group and product, group, product, default.',
	z.object({
		id: is(Id, 'Id of the rule.'),
		version: is(Id, 'How often its terms were set. A commission keeps the version that made it.'),
		...SAID,
		product_id: is(z.nullable(Text), 'The product that it is for; null: any.'),
		partner_id: is(z.nullable(Id), 'The partner that it is for; null: any.'),
		group_id: is(z.nullable(Id), 'The group whose partners it is for; null: any.'),
	}),
);

const ListedRule = named(
	'ListedCommissionRule',
	'A rule, and whom it is for.',
	z.object({
		...Rule.shape,
		partner: is(
			z.nullable(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') })),
			'The partner that it is for; null: any.',
		),
		group: is(
			z.nullable(z.object({ id: is(Id, 'Id of the group.'), name: is(Text, 'The name.') })),
			'The group whose partners it is for; null: any.',
		),
	}),
);

const BOTH = {
	whole_cents: is(Cents, 'What they earn with one rule for the whole sale, in minor units.'),
	by_line_cents: is(Cents, 'What they earn with a rule for each line, in minor units.'),
};

const LinesPreview = named(
	'RulesByLinePreview',
	'What carts earn with one rule for the whole sale, and with a rule for each line.',
	z.object({
		from: is(Instant, 'Sales recorded since then are compared, UTC.'),
		sales_read: is(Count, 'How many sales were read.'),
		complete: is(z.boolean(), 'False: there were more sales, carts or rules than are read.'),
		carts: is(Count, 'How many of them have lines that choose rules.'),
		changed: is(Count, 'How many of these would earn a different commission.'),
		totals: is(z.array(z.object({ currency: is(CurrencyCode, 'ISO 4217 code.'), ...BOTH })), 'Sums of the carts, by currency.'),
		examples: is(
			z.array(
				z.object({
					sale_id: is(Id, 'Id of the sale event.'),
					transaction_id: is(Text, 'As the sale was reported.'),
					created_at: is(Instant, 'When it was recorded, UTC.'),
					currency: is(CurrencyCode, 'ISO 4217 code.'),
					amount_cents: is(Cents, 'Amount paid, in minor units.'),
					...BOTH,
				}),
			),
			'At most 10 sales, the greatest difference first.',
		),
	}),
);

const Version = named(
	'CommissionRuleVersion',
	'What a rule says or said.',
	z.object({ version: is(Id, 'The first is 1.'), ...SAID, created_at: is(Instant, 'Since when, UTC.') }),
);

const DryRun = named(
	'DryRun',
	'What a sale would earn.',
	z.object({
		currency: is(CurrencyCode, 'ISO 4217 code of the sale.'),
		rule: is(z.nullable(Rule), 'The rule that counts; null: none.'),
		commission: is(
			z.nullable(
				z.object({
					amount_cents: is(Cents, 'Minor units of `currency`.'),
					status: is(z.enum(['pending', 'approved']), '`pending` while the hold lasts.'),
				}),
			),
			'What the sale would earn; null: nothing.',
		),
		reason: is(z.nullable(Text), 'Why nothing, in words.'),
	}),
);

/** The terms of a rule, also the `commission` of a new program. */
export const TERMS: Record<'type' | 'percent' | 'amount_cents' | 'currency' | 'recurring_months' | 'hold_days', FieldDoc> = {
	type: '`percent` of the sale, or a `flat` amount. Needed in a new rule.',
	percent: 'Percent of the sale, 0 to 100 with at most two decimals. For type `percent`, where it is needed.',
	amount_cents: 'The commission of a sale in minor units of `currency`. For type `flat`, where it is needed.',
	currency: "ISO 4217 code, in any letter case: the rule is for sales in it. For type `flat`; by default the program's.",
	recurring_months:
		"Months from a subscription's first sale in which renewals earn, 0 to 1,200; 0: the first payment only; null, the default: forever.",
	hold_days: { text: 'Days between a sale and the approval of its commission, 0 to 3,650. By default 0.' },
};

/** Contradictions between terms. */
export const TERMS_ERRORS: readonly ErrorDoc[] = [
	invalid('type must be "percent" or "flat"', '`type` is left out in a new rule.'),
	invalid('percent is required for a rule of type "percent"', '`percent` is left out.'),
	invalid('amount_cents is required for a rule of type "flat"', '`amount_cents` is left out.'),
	invalid('percent belongs to a rule of type "percent"', 'A flat rule has no `percent`.'),
	invalid('amount_cents belongs to a rule of type "flat"', 'A rule by percent has no `amount_cents`.'),
	invalid('currency belongs to a rule of type "flat"', 'A rule by percent has no `currency`.'),
];

const PARAMS = { ruleId: 'Id of the rule.' };
const NO_RULE = notFound('Commission rule');
const SCOPE: FieldDoc = { text: 'Cannot change: archive this rule and make another.', json: { not: {} } };

export const commissionRules = underProgram('Commission rules', '/commission-rules', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listCommissionRules',
		summary: 'List rules',
		description: 'The rules in force, newest first.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of rules.', schema: pageOf(ListedRule, 'Rules, newest first.') } },
		examples: [{ name: 'rules', summary: 'The rules of program 1' }],
	},
	{
		method: 'post',
		atLeast: 'admin',
		id: 'createCommissionRule',
		summary: 'Add a rule',
		description: 'For everyone’s sales, those of a partner or of a group, or of a product among these.',
		body: bodyOf('RuleRequest', 'The rule.', RuleRequest, {
			...TERMS,
			product_id: 'The product that it is for, as sales name it, 1 to 255 characters. Left out or null: any.',
			partner_id: 'Id of the partner that it is for. Left out or null: any.',
			group_id: 'Id of the group whose partners it is for; not beside `partner_id`. Left out or null: any.',
		}),
		answers: { 201: { description: 'The rule.', schema: answerOf(Rule, 'The new rule.') } },
		errors: [
			...TERMS_ERRORS,
			invalid('partner_id must be a partner of this program', 'The partner is none of this program, or was removed.'),
			invalid('group_id must be a group of this program', 'It is none, or archived.'),
			invalid('Send partner_id or group_id, not both: a rule is for a partner or for a group', 'Both were sent.'),
			conflict(
				'This scope already has a rule: change it, or archive it first',
				'A rule in force has the same partner or group, and the same product.',
			),
		],
		examples: [
			{
				name: 'product',
				summary: '5.00 USD for a product, for the first 12 months of a subscription',
				body: { type: 'flat', amount_cents: 500, product_id: 'pro-plan', recurring_months: 12 },
			},
			{
				name: 'partner',
				summary: '25 % for a partner, on hold for 30 days',
				body: { type: 'percent', percent: 25, partner_id: 2, hold_days: 30 },
			},
			{ name: 'taken', summary: 'There is a default rule', body: { type: 'percent', percent: 10 }, status: 409 },
		],
	},
	{
		method: 'get',
		path: '/dry-run',
		atLeast: 'member',
		id: 'dryRunCommissionRules',
		summary: 'Try the rules out',
		description: 'What a first sale inside the attribution window would earn by the rules in force. Nothing is written.',
		query: fieldsOf(DryRunQuery, {
			amount_cents: 'The amount of the sale in minor units of its currency.',
			currency: "ISO 4217 code, in any letter case; by default the program's.",
			partner_id: 'Id of the partner whose sale it is. Left out: one for whom there are no rules.',
			group_id: 'In place of a partner: the number of a group, for any of its partners.',
			product_id: 'The product, as sales name it.',
		}),
		answers: { 200: { description: 'What it would earn.', schema: answerOf(DryRun, 'The rule that counts, and the commission.') } },
		errors: [
			invalid('partner_id must be a partner of this program', 'The partner is none of this program, or was removed.'),
			invalid('Send partner_id or group_id, not both', 'Both were sent.'),
		],
		examples: [
			{ name: 'product', summary: '49.00 USD for a gift card', query: { amount_cents: '4900', product_id: 'gift-card' } },
			{ name: 'partner', summary: '49.00 USD by a partner', query: { amount_cents: '4900', partner_id: '1' } },
		],
	},
	{
		method: 'get',
		path: '/by-line',
		atLeast: 'member',
		id: 'previewRulesByLine',
		summary: 'Preview rules by line',
		description:
			'What the carts of the last 90 days would have earned with one rule for the whole sale, and with a rule for each line, both by the rules in force now: what switching `rules_by_line` changes. It reads the newest 5,000 sales and compares at most 500 carts. Nothing is written.',
		answers: { 200: { description: 'Both, side by side.', schema: answerOf(LinesPreview, 'The comparison.') } },
		errors: [],
		examples: [{ name: 'preview', summary: 'The first program' }],
	},
	{
		method: 'get',
		path: '/:ruleId/versions',
		atLeast: 'member',
		id: 'listRuleVersions',
		summary: 'List the versions of a rule',
		description: 'What the rule says and said before, newest first; of an archived rule too.',
		params: PARAMS,
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of versions.', schema: pageOf(Version, 'Versions, newest first.') } },
		errors: [NO_RULE],
		examples: [{ name: 'versions', summary: 'The default rule', params: { ruleId: 1 } }],
	},
	{
		method: 'patch',
		path: '/:ruleId',
		atLeast: 'admin',
		id: 'changeCommissionRule',
		summary: 'Change a rule',
		description: 'A new version for sales to come; commissions that were made keep theirs. What is left out stays.',
		params: PARAMS,
		body: bodyOf('RuleChange', 'What changes.', RuleChange, { ...TERMS, product_id: SCOPE, partner_id: SCOPE, group_id: SCOPE }),
		answers: { 200: { description: 'The rule as it is now.', schema: answerOf(Rule, 'The rule.') } },
		errors: [
			...TERMS_ERRORS,
			NO_RULE,
			conflict('The rule is being changed by someone else. Try again', 'Too many changes came at the same time.'),
		],
		examples: [{ name: 'percent', summary: 'From now on 22.5 %', params: { id: 2, ruleId: 2 }, body: { percent: 22.5 } }],
	},
	{
		method: 'delete',
		path: '/:ruleId',
		atLeast: 'admin',
		id: 'archiveCommissionRule',
		summary: 'Archive a rule',
		description: 'It makes no further commission; those that it made stay.',
		params: PARAMS,
		answers: { 200: { description: 'The rule is archived.', schema: nothing } },
		errors: [NO_RULE],
		examples: [
			{ name: 'archive', summary: 'The rule of a product', params: { ruleId: 5 } },
			{ name: 'again', summary: 'It is archived', params: { ruleId: 5 }, status: 404 },
		],
	},
]);
