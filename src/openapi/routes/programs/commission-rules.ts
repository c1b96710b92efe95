import {
	DryRunQuery,
	RuleChange,
	RuleRequest,
	type commissionRules as commissionRuleRoutes,
} from '../../../http/management/programs/commission-rules.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, nothing, PAGE_FIELDS, pageOf } from '../../answers.ts';
import { conflict, type ErrorDoc, invalid, notFound } from '../../errors.ts';
import { bodyOf, type FieldDoc, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { DryRun, LinesPreview, ListedRule, Rule, Version } from './rule-fields.ts';

export const TERMS: Record<'type' | 'percent' | 'amount_cents' | 'currency' | 'recurring_months' | 'hold_days', FieldDoc> = {
	type: '`percent` of the sale, or a `flat` amount. Required for a new rule.',
	percent: 'Percent of the sale, 0 to 100 with at most two decimals. Required for type `percent`.',
	amount_cents: 'The commission of a sale in minor units of `currency`. Required for type `flat`.',
	currency:
		"ISO 4217 code, in any letter case. The rule applies to sales in this currency. For type `flat`; the program's currency by default.",
	recurring_months:
		"How many months after a subscription's first sale its renewals earn a commission, 0 to 1,200. 0: only the first payment; null, the default: no limit.",
	hold_days: { text: 'Days between a sale and the approval of its commission, 0 to 3,650. Defaults to 0.' },
};

export const TERMS_ERRORS: readonly ErrorDoc[] = [
	invalid('type must be "percent" or "flat"', '`type` is missing for a new rule.'),
	invalid('percent is required for a rule of type "percent"', '`percent` is missing.'),
	invalid('amount_cents is required for a rule of type "flat"', '`amount_cents` is missing.'),
	invalid('percent belongs to a rule of type "percent"', 'A flat rule cannot have `percent`.'),
	invalid('amount_cents belongs to a rule of type "flat"', 'A percent rule cannot have `amount_cents`.'),
	invalid('currency belongs to a rule of type "flat"', 'A percent rule cannot have `currency`.'),
];

const PARAMS = { ruleId: "The rule's id." };
const NO_RULE = notFound('Commission rule');
const SCOPE: FieldDoc = { text: 'Cannot change: archive this rule and create another.', json: { not: {} } };

export const commissionRules = underProgram('Commission rules', '/commission-rules', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listCommissionRules',
		summary: 'List rules',
		description: 'The current rules, newest first.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of rules.',
				schema: answerOfRoute<typeof commissionRuleRoutes, '/', '$get'>()(pageOf(ListedRule, 'Rules, newest first.')),
			},
		},
		examples: [{ name: 'rules', summary: 'The rules of program 1' }],
	},
	{
		method: 'post',
		atLeast: 'admin',
		id: 'createCommissionRule',
		summary: 'Add a rule',
		description: 'Adds a rule for all sales or for those of a partner or group, optionally limited to a product.',
		body: bodyOf('RuleRequest', 'The rule.', RuleRequest, {
			...TERMS,
			product_id: 'The product id, as reported in sales, 1 to 255 characters. If omitted or null, any product.',
			partner_id: 'Id of the partner it applies to. If omitted or null, any partner.',
			group_id: 'Id of the group it applies to. Cannot be combined with `partner_id`. If omitted or null, any group.',
		}),
		answers: {
			201: {
				description: 'The rule.',
				schema: answerOfRoute<typeof commissionRuleRoutes, '/', '$post'>()(answerOf(Rule, 'The new rule.')),
			},
		},
		errors: [
			...TERMS_ERRORS,
			invalid('partner_id must be a partner of this program', 'The partner is not in this program or was removed.'),
			invalid('group_id must be a group of this program', 'The group does not exist in this program or is archived.'),
			invalid('Send partner_id or group_id, not both: a rule is for a partner or for a group', 'Both were sent.'),
			conflict(
				'This scope already has a rule: change it, or archive it first',
				'A current rule has the same partner or group and the same product.',
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
			{ name: 'taken', summary: 'The program already has a default rule', body: { type: 'percent', percent: 10 }, status: 409 },
		],
	},
	{
		method: 'get',
		path: '/dry-run',
		atLeast: 'member',
		id: 'dryRunCommissionRules',
		summary: 'Test the rules',
		description: 'Calculates what a first sale within the attribution window would earn under the current rules. Nothing is recorded.',
		query: fieldsOf(DryRunQuery, {
			amount_cents: 'The amount of the sale in minor units of its currency.',
			currency: "ISO 4217 code, in any letter case. Defaults to the program's currency.",
			partner_id: 'Id of the partner who brought the sale. If omitted, a partner without rules of their own.',
			group_id: 'Id of a group, for any of its partners; instead of `partner_id`.',
			product_id: 'The product id, as reported in sales.',
		}),
		answers: {
			200: {
				description: 'The calculated commission.',
				schema: answerOfRoute<typeof commissionRuleRoutes, '/dry-run', '$get'>()(
					answerOf(DryRun, 'The rule that applies and the commission.'),
				),
			},
		},
		errors: [
			invalid('partner_id must be a partner of this program', 'The partner is not in this program or was removed.'),
			invalid('Send partner_id or group_id, not both', 'Both were sent.'),
		],
		examples: [
			{ name: 'product', summary: '49.00 USD for a gift card', query: { amount_cents: '4900', product_id: 'gift-card' } },
			{ name: 'partner', summary: '49.00 USD, through a partner', query: { amount_cents: '4900', partner_id: '1' } },
		],
	},
	{
		method: 'get',
		path: '/by-line',
		atLeast: 'member',
		id: 'previewRulesByLine',
		summary: 'Preview rules by line',
		description:
			'Compares what the carts of the last 90 days would earn with one rule for the whole sale and with a rule for each line, under the current rules. Shows the effect of changing `rules_by_line`. Reads the newest 5,000 sales and compares at most 500 carts. Nothing is recorded.',
		answers: {
			200: {
				description: 'The comparison.',
				schema: answerOfRoute<typeof commissionRuleRoutes, '/by-line', '$get'>()(answerOf(LinesPreview, 'The comparison.')),
			},
		},
		errors: [],
		examples: [{ name: 'preview', summary: 'The first program' }],
	},
	{
		method: 'get',
		path: '/:ruleId/versions',
		atLeast: 'member',
		id: 'listRuleVersions',
		summary: 'List the versions of a rule',
		description: 'The current and earlier versions of a rule, newest first. Includes archived rules.',
		params: PARAMS,
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of versions.',
				schema: answerOfRoute<typeof commissionRuleRoutes, '/:ruleId/versions', '$get'>()(pageOf(Version, 'Versions, newest first.')),
			},
		},
		errors: [NO_RULE],
		examples: [{ name: 'versions', summary: 'The default rule', params: { ruleId: 1 } }],
	},
	{
		method: 'patch',
		path: '/:ruleId',
		atLeast: 'admin',
		id: 'changeCommissionRule',
		summary: 'Change a rule',
		description: 'Creates a new version for future sales; existing commissions keep theirs. Omitted fields stay unchanged.',
		params: PARAMS,
		body: bodyOf('RuleChange', 'The changes.', RuleChange, { ...TERMS, product_id: SCOPE, partner_id: SCOPE, group_id: SCOPE }),
		answers: {
			200: {
				description: 'The updated rule.',
				schema: answerOfRoute<typeof commissionRuleRoutes, '/:ruleId', '$patch'>()(answerOf(Rule, 'The rule.')),
			},
		},
		errors: [
			...TERMS_ERRORS,
			NO_RULE,
			conflict('The rule is being changed by someone else. Try again', 'Too many changes were made at once.'),
		],
		examples: [{ name: 'percent', summary: 'Change to 22.5 %', params: { id: 2, ruleId: 2 }, body: { percent: 22.5 } }],
	},
	{
		method: 'delete',
		path: '/:ruleId',
		atLeast: 'admin',
		id: 'archiveCommissionRule',
		summary: 'Archive a rule',
		description: 'The rule creates no further commissions; existing ones stay.',
		params: PARAMS,
		answers: {
			200: { description: 'The rule is archived.', schema: answerOfRoute<typeof commissionRuleRoutes, '/:ruleId', '$delete'>()(nothing) },
		},
		errors: [NO_RULE],
		examples: [
			{ name: 'archive', summary: 'The rule of a product', params: { ruleId: 5 } },
			{ name: 'again', summary: 'The rule is already archived', params: { ruleId: 5 }, status: 404 },
		],
	},
]);
