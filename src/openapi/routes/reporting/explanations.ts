import * as z from 'zod/mini';
import { ExplainQuery, ONE_ID } from '../../../http/management/reporting/explanations.ts';
import { COUPON_VERDICTS } from '../../../domain/attribution/coupon.ts';
import { FOUND_BY } from '../../../domain/commissions/decision-facts.ts';
import { QUERY_KINDS } from '../../../domain/commissions/explanation-of-id.ts';
import { answerOf, Cents, CurrencyCode, Id, Instant, Text } from '../../answers.ts';
import { invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { WITHHELD } from '../commissions/commissions.ts';
import { Refusal } from './refusals.ts';

const Day = is(z.nullable(Text), "A day of the program's time zone; null: none.");
const maybeInstant = z.nullable(Instant);
const Status = z.enum(['click', 'lead', 'conversion']);
const Type = z.enum(['percent', 'flat']);
const NoCommissionReason = z.enum(['window_expired', 'recurring_limit_reached', 'proration', 'no_rule', 'partner_suspended', 'test_mode']);

const Step = z.object({
	at: is(maybeInstant, 'When, UTC; null if it has no moment of its own.'),
	kind: is(
		z.enum(['click', 'coupon', 'lead', 'sale', 'decision', 'commission', 'refund', 'ledger', 'payout', 'refusal', 'event']),
		'What it is about.',
	),
	text: is(Text, "In plain English; times are those of the program's time zone."),
});

const Terms = {
	type: is(Type, '`percent` of the sale, or a `flat` amount.'),
	percent: is(z.nullable(z.number()), 'Percent of the sale; null for type `flat`.'),
	amount_cents: is(z.nullable(Cents), 'Minor units a sale; null for type `percent`.'),
	currency: is(z.nullable(CurrencyCode), 'Of `amount_cents`: the sales that it is for.'),
	recurring_months: is(z.nullable(z.int()), 'Months in which renewals earn; null: forever; 0: the first payment only.'),
	hold_days: is(z.int(), 'Days until the commission is approved.'),
};

const Decision = z.object({
	found_by: is(
		z.enum(FOUND_BY),
		'How the buyer was found: by its `key`, `taking` the click or the coupon of the sale, as the customer of the `click`, or as a `new` one of it or of the coupon.',
	),
	other_click: is(z.boolean(), 'Whether the sale had another click, which changed nothing.'),
	clicked_at: is(Instant, 'When the click that it is attributed to was made, UTC.'),
	recorded_at: is(Instant, 'When the sale was recorded, UTC.'),
	paid_at: is(Instant, 'When it was paid, UTC.'),
	subscribed_at: is(maybeInstant, 'When the subscription began, UTC; null: not reported.'),
	trial_began_at: is(maybeInstant, 'When it began with a trial, UTC; null: with none that counts.'),
	cookie_window_days: is(z.int(), "The program's attribution window then, in days."),
	inside_window: is(z.boolean(), 'Whether it was inside.'),
	partner_status: is(z.enum(['active', 'suspended']), "The partner's status then."),
	amount_cents: is(Cents, 'What the commission is of, in minor units.'),
	currency: is(CurrencyCode, 'ISO 4217 code.'),
	sale_day: is(Text, "The day of the sale in the program's time zone then."),
	renews_sale_of: is(z.nullable(Text), "The day of the subscription's first sale; null: it renews none."),
	coupon: is(
		z.nullable(
			z.object({
				verdict: is(
					z.enum(COUPON_VERDICTS),
					"`unknown`: no active coupon has the code; `suspended`: its partner was suspended, so it changed nothing; `attributed`: it attributed the customer to its partner; `own`: it belongs to the customer's own partner; `other`: it belongs to another partner and changed nothing.",
				),
				id: is(z.nullable(Id), 'Id of the coupon; null for a unknown one.'),
				code: is(z.nullable(Text), 'Its code, as it is now.'),
				partner_name: is(z.nullable(Text), 'Whose it is.'),
			}),
		),
		"The effect of the sale's `coupon_code`; null: none was sent.",
	),
	rules: is(
		z.array(
			z.object({
				rule_version_id: is(Id, 'Id of the version, over all rules.'),
				scope: is(z.enum(['default', 'product', 'group', 'group_product', 'partner', 'partner_product']), 'What the rule was for.'),
				...Terms,
				used: is(z.boolean(), 'Whether it made the commission.'),
			}),
		),
		'The rules in force that matched the sale, with their terms then.',
	),
	lines: is(
		z.nullable(
			z.array(
				z.object({
					rule_version_id: is(z.nullable(Id), 'The version of the rule that governs it; null: no rule does.'),
					rule_id: is(z.nullable(Id), 'Number of that rule.'),
					product_id: is(z.nullable(Text), 'The product that the rule is for; null: for all.'),
					amount_cents: is(Cents, 'Its share of the sale, in minor units. The shares sum to the sale.'),
					earned_cents: is(Cents, 'What it earned, in minor units.'),
					no_commission_reason: is(z.nullable(NoCommissionReason), 'Why it earned nothing; null: a commission was due.'),
				}),
			),
		),
		'The parts of the cart, one for each rule that applied to its lines, largest first; null: one rule applied to the whole sale.',
	),
	earned_cents: is(z.nullable(Cents), 'The result of computing it again, in minor units; null: nothing.'),
});

const CUSTOMER = {
	id: is(Id, 'Id of the customer.'),
	status: is(Status, 'How far it has come.'),
	customer_key: is(z.nullable(Text), 'Your id of the customer; null: none was sent.'),
	click_id: is(z.nullable(Text), "The customer's click; null: none."),
	clicked_at: is(maybeInstant, 'When that was, UTC.'),
	short_link: is(z.nullable(Text), 'The link of that click.'),
	coupon_code: is(z.nullable(Text), 'The code of the coupon that attributed the customer; null: a click did, or nothing.'),
	signup_date: Day,
};

export const SaleExplanation = named(
	'SaleExplanation',
	'The outcome of a sale and its reasons, from the click to the payout.',
	z.object({
		conclusion: is(Text, 'In one sentence or two.'),
		steps: is(z.array(Step), 'What happened and what was decided, in its order.'),
		sale: is(
			z.object({
				id: is(Id, 'Id of the sale event.'),
				transaction_id: is(Text, 'As the sale was reported.'),
				test: is(z.boolean(), 'Whether it is a test.'),
				amount_cents: is(Cents, 'Amount paid, in minor units.'),
				refunded_cents: is(Cents, 'Refunded so far, in minor units.'),
				currency: is(CurrencyCode, 'ISO 4217 code.'),
				product_id: is(z.nullable(Text), 'As reported.'),
				subscription_id: is(z.nullable(Text), 'As reported.'),
				sub_id: is(z.nullable(Text), "The partner's own value in the link that the customer followed; null: none."),
				duplicate_of_sale_id: is(z.nullable(Id), 'Id of the sale whose payment it is; null: it counts itself.'),
				no_commission_reason: is(z.nullable(NoCommissionReason), 'Why it earned nothing; null if it did.'),
				created_at: is(Instant, 'When it was recorded, UTC.'),
			}),
			'The sale.',
		),
		customer: is(z.nullable(z.object(CUSTOMER)), 'Who bought; null for a test.'),
		partner: is(
			z.nullable(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') })),
			'The partner who referred the customer; null for a test.',
		),
		decision: is(
			z.nullable(Decision),
			'What the decision rested on, stored with the sale. Null for a test, and for sales from before it was kept.',
		),
		rule: is(
			z.nullable(z.object({ id: is(Id, 'Id of the rule.'), version: is(Id, 'Its version.'), ...Terms })),
			'The version of the rule that made the commission; null: there is none.',
		),
		commission: is(
			z.nullable(
				z.object({
					id: is(Id, 'Id of the commission.'),
					status: is(z.enum(['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded']), 'Its state.'),
					amount_cents: is(Cents, 'Amount earned, in minor units.'),
					deducted_cents: is(Cents, 'Nominal deductions by refunds, in minor units.'),
					currency: is(CurrencyCode, 'ISO 4217 code.'),
					hold_until: is(Instant, 'When its hold ends or ended, UTC.'),
					paid_at: is(maybeInstant, 'When it was paid, UTC; null: not yet.'),
					created_at: is(Instant, 'When it was made, UTC.'),
				}),
			),
			'What the partner earned; null: nothing.',
		),
		refunds: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the refund event.'),
					refund_id: is(z.nullable(Text), 'Your id of the refund; null if none was sent.'),
					amount_cents: is(Cents, 'What was refunded, or counts again where it is `reinstated`, in minor units.'),
					deduction_cents: is(z.nullable(Cents), 'The deduction from the commission, or its reinstatement, in minor units.'),
					withheld_cents: is(Cents, WITHHELD),
					outcome: is(z.enum(['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped', 'test']), 'The outcome.'),
					source: is(z.enum(['endpoint', 'processor']), 'Who reported it.'),
					reason: is(z.nullable(Text), 'As reported.'),
					created_at: is(Instant, 'When it was recorded, UTC.'),
				}),
			),
			'The refunds of the sale, oldest first; at most 50.',
		),
		ledger: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the entry.'),
					kind: is(Text, '`credit`, `reversal`, `reinstatement`, `rejection`, `payout`.'),
					nominal_cents: is(z.int(), 'What was due, in minor units.'),
					applied_cents: is(
						z.int(),
						'The change of the balance, in minor units. A refund of an unpaid commission takes no balance below zero; a reinstatement withholds the amount that was forgiven.',
					),
					balance_after_cents: is(z.int(), "The partner's balance after it, in minor units."),
					payout_id: is(z.nullable(Id), 'Id of the payout that it belongs to.'),
					created_at: is(Instant, 'When, UTC.'),
				}),
			),
			"The entries of the partner's ledger for the commission, oldest first; at most 50.",
		),
		payout: is(
			z.nullable(
				z.object({
					id: is(Id, 'Id of the payout.'),
					amount_cents: is(Cents, 'What the partner is paid by it, in minor units.'),
					currency: is(CurrencyCode, 'ISO 4217 code.'),
					created_at: is(Instant, 'When it was made, UTC.'),
					sent_at: is(maybeInstant, 'When it was marked as sent, UTC.'),
					failed_at: is(maybeInstant, 'When it was marked as failed, UTC.'),
					failure_reason: is(z.nullable(Text), 'Why it failed.'),
				}),
			),
			'The payout that the commission is in; null: none yet.',
		),
	}),
);

const IdExplanation = named(
	'IdExplanation',
	'What was recorded for an id, or why nothing was.',
	z.object({
		asked: is(z.object({ kind: is(z.enum(QUERY_KINDS), 'Which id.'), value: is(Text, 'As requested.') }), 'What was requested.'),
		conclusion: is(Text, 'What matters most, in a sentence or two.'),
		steps: is(z.array(Step), 'What else is known, oldest first; each sale has steps of its own.'),
		click: is(
			z.nullable(
				z.object({
					genuine: is(z.boolean(), 'Whether its signature is ours, and its link of this program.'),
					test: is(z.boolean(), 'Whether it was made in test mode.'),
					clicked_at: is(maybeInstant, 'When it was made, UTC.'),
					short_link: is(z.nullable(Text), 'Its link.'),
					partner_name: is(z.nullable(Text), 'Whose link it is; null: it no longer has a partner.'),
					stored: is(z.boolean(), 'Whether its page and country are stored.'),
					coupon_code: is(z.nullable(Text), 'The code of the coupon that the id belongs to, without a click. Null: none.'),
				}),
			),
			'The requested click; null for other ids.',
		),
		customers: is(
			z.array(z.object({ ...CUSTOMER, partner_name: is(z.nullable(Text), 'The partner who referred the customer; null: none.') })),
			'Customers of the key or click, newest first; at most 10.',
		),
		sales: is(z.array(SaleExplanation), 'Sales that it leads to, newest first; at most 10.'),
		refusals: is(z.array(Refusal), 'Calls with it that were refused, newest first; at most 10.'),
		events: is(
			z.array(
				z.object({
					id: is(Id, 'Number in the inbox.'),
					event_id: is(Text, "The processor's id of the event."),
					type: is(Text, "In the processor's words."),
					test: is(z.boolean(), 'Whether it is of its test mode.'),
					state: is(z.enum(['received', 'waiting', 'applied', 'ignored', 'refused', 'expired', 'failed']), 'The outcome.'),
					reason: is(z.nullable(Text), 'The reason, in plain English.'),
					sale_id: is(z.nullable(Id), 'Id of the sale that it made or moved.'),
					received_at: is(Instant, 'When it arrived, UTC.'),
					next_attempt_at: is(maybeInstant, 'When it is processed next, UTC; null: it is settled.'),
					expires_at: is(Instant, 'Until when it waits, UTC.'),
				}),
			),
			'Events of the payment processor that name it, wait for it or have it as their id, newest first; at most 10, of the newest 500 and those that wait.',
		),
	}),
);

export const explanations = [
	...underProgram('Commissions', '/commissions/:commissionId/explanation', [
		{
			method: 'get',
			atLeast: 'member',
			id: 'explainCommission',
			summary: 'Explain a commission',
			description:
				'From the click to the payout: what happened, what the decision rested on, the rule that applied, refunds, ledger entries and the payout, with steps in plain English.',
			params: { commissionId: 'Id of the commission.' },
			answers: { 200: { description: 'The explanation.', schema: answerOf(SaleExplanation, 'The explanation.') } },
			errors: [notFound('Commission', 'The commission does not exist in this program.')],
			examples: [{ name: 'paid', summary: 'One that was paid and then refunded', params: { commissionId: 7 } }],
		},
	]),
	...underProgram('Commissions', '/explain', [
		{
			method: 'get',
			atLeast: 'member',
			id: 'explainId',
			summary: 'Explain what became of an id',
			description:
				'Explains why a sale earned its commission, or why there is none: it was refused, a payment processor event is waiting, the attribution window had ended, or nobody reported it. Send exactly one of the ids.',
			query: fieldsOf(ExplainQuery, {
				transaction_id: 'Id of a sale or refund, as it was or should have been reported.',
				click_id: 'Id of a click, stored or not: its signature is verified.',
				customer_key: 'Your id of a customer.',
				payment_id: 'Any id of the payment processor: of a payment, charge, invoice, checkout, subscription or event.',
			}),
			answers: { 200: { description: 'The explanation.', schema: answerOf(IdExplanation, 'The explanation.') } },
			errors: [invalid(ONE_ID, 'There is none, or there are several.')],
			examples: [
				{ name: 'sale', summary: 'A sale', query: { transaction_id: 'order-1002' } },
				{ name: 'unknown', summary: 'One that nobody reported', query: { transaction_id: 'order-0815' } },
				{ name: 'forged', summary: 'A click id that was made up', query: { click_id: 'cust_1_2' } },
			],
		},
	]),
];
