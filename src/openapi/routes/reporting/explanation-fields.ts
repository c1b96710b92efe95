import * as z from 'zod/mini';
import { COUPON_VERDICTS } from '../../../domain/attribution/coupon.ts';
import { FOUND_BY } from '../../../domain/commissions/decision-facts.ts';
import { QUERY_KINDS } from '../../../domain/commissions/explanation-of-id.ts';
import { Cents, CurrencyCode, Id, Instant, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { WITHHELD } from '../commissions/commissions.ts';
import { Refusal } from './refusals.ts';

const Day = is(z.nullable(Text), "A day in the program's time zone; null if none.");
const maybeInstant = z.nullable(Instant);
const Status = z.enum(['click', 'lead', 'conversion']);
const NoCommissionReason = z.enum(['window_expired', 'recurring_limit_reached', 'proration', 'no_rule', 'partner_suspended', 'test_mode']);

const Step = z.object({
	at: is(maybeInstant, 'When it happened, UTC; null if it has no time of its own.'),
	kind: is(
		z.enum(['click', 'coupon', 'lead', 'sale', 'decision', 'commission', 'refund', 'ledger', 'payout', 'refusal', 'event']),
		'The subject of the step.',
	),
	text: is(Text, "In plain English; times are in the program's time zone."),
});

const Terms = {
	type: is(z.enum(['percent', 'flat']), '`percent` of the sale, or a `flat` amount.'),
	percent: is(z.nullable(z.number()), 'Percent of the sale; null for type `flat`.'),
	amount_cents: is(z.nullable(Cents), 'Minor units per sale; null for type `percent`.'),
	currency: is(z.nullable(CurrencyCode), 'The currency of `amount_cents` and of the sales that the rule is for.'),
	recurring_months: is(z.nullable(z.int()), 'How many months renewals earn a commission; null: no limit; 0: only the first payment.'),
	hold_days: is(z.int(), 'Days until the commission is approved.'),
};

const Decision = z.object({
	found_by: is(
		z.enum(FOUND_BY),
		'How the customer was found. `key...`: by customer key; `..._taking_...`: and newly attributed to the click or coupon of the sale; `click`: as the customer of the click; `new...`: as a new customer of the click or coupon.',
	),
	other_click: is(z.boolean(), 'Whether another click was sent with the sale, which changed nothing.'),
	clicked_at: is(Instant, 'When the attributed click happened, UTC.'),
	recorded_at: is(Instant, 'When the sale was recorded, UTC.'),
	paid_at: is(Instant, 'When it was paid, UTC.'),
	subscribed_at: is(maybeInstant, 'When the subscription began, UTC; null if not reported.'),
	trial_began_at: is(maybeInstant, 'When its trial began, UTC; null if it had none that counts.'),
	cookie_window_days: is(z.int(), "The program's attribution window at the time, in days."),
	inside_window: is(z.boolean(), 'Whether the sale was inside the window.'),
	partner_status: is(z.enum(['active', 'suspended']), "The partner's status at the time."),
	amount_cents: is(Cents, 'The amount that the commission is based on, in minor units.'),
	currency: is(CurrencyCode, 'ISO 4217 code.'),
	sale_day: is(Text, "The day of the sale in the program's time zone at the time."),
	renews_sale_of: is(z.nullable(Text), "The day of the subscription's first sale; null if the sale is not a renewal."),
	coupon: is(
		z.nullable(
			z.object({
				verdict: is(
					z.enum(COUPON_VERDICTS),
					"`unknown`: no active coupon has the code; `suspended`: its partner was suspended, so it changed nothing; `attributed`: it attributed the customer to its partner; `own`: it belongs to the customer's own partner; `other`: it belongs to another partner, so it changed nothing.",
				),
				id: is(z.nullable(Id), "The coupon's id; null if unknown."),
				code: is(z.nullable(Text), 'The current code of the coupon.'),
				partner_name: is(z.nullable(Text), "The name of the coupon's partner."),
			}),
		),
		'The effect of the `coupon_code` sent with the sale; null if none was sent.',
	),
	rules: is(
		z.array(
			z.object({
				rule_version_id: is(Id, 'The id of the version, unique across all rules.'),
				scope: is(z.enum(['default', 'product', 'group', 'group_product', 'partner', 'partner_product']), 'What the rule applied to.'),
				...Terms,
				used: is(z.boolean(), 'Whether the commission is based on it.'),
			}),
		),
		'The rules in force that matched the sale, with their terms at the time.',
	),
	lines: is(
		z.nullable(
			z.array(
				z.object({
					rule_version_id: is(z.nullable(Id), 'The version of the rule that applied; null if none did.'),
					rule_id: is(z.nullable(Id), 'The id of that rule.'),
					product_id: is(z.nullable(Text), 'The product that the rule is for; null for all.'),
					amount_cents: is(Cents, 'Its share of the sale, in minor units. The shares sum to the sale.'),
					earned_cents: is(Cents, 'The amount it earned, in minor units.'),
					no_commission_reason: is(z.nullable(NoCommissionReason), 'Why it earned nothing; null if a commission was due.'),
				}),
			),
		),
		'The parts of the cart, one for each rule that applied to its lines, the largest first; null if one rule applied to the whole sale.',
	),
	earned_cents: is(z.nullable(Cents), 'The commission when it is computed again, in minor units; null if none.'),
});

const CUSTOMER = {
	id: is(Id, "The customer's id."),
	status: is(Status, 'The last stage that the customer reached.'),
	customer_key: is(z.nullable(Text), 'Your id of the customer; null if none was sent.'),
	click_id: is(z.nullable(Text), 'The click that brought the customer; null if none.'),
	clicked_at: is(maybeInstant, 'When that click happened, UTC.'),
	short_link: is(z.nullable(Text), 'The link of that click.'),
	coupon_code: is(z.nullable(Text), 'The code of the coupon that attributed the customer to its partner; null if none did.'),
	signup_date: Day,
};

export const SaleExplanation = named(
	'SaleExplanation',
	'What happened to a sale and why, from the click to the payout.',
	z.object({
		conclusion: is(Text, 'A summary in one or two sentences.'),
		steps: is(z.array(Step), 'What happened and what was decided, in order.'),
		sale: is(
			z.object({
				id: is(Id, "The sale event's id."),
				transaction_id: is(Text, 'As reported with the sale.'),
				test: is(z.boolean(), 'Whether it is a test.'),
				amount_cents: is(Cents, 'The amount paid, in minor units.'),
				refunded_cents: is(Cents, 'The amount refunded so far, in minor units.'),
				currency: is(CurrencyCode, 'ISO 4217 code.'),
				product_id: is(z.nullable(Text), 'As reported with the sale.'),
				subscription_id: is(z.nullable(Text), 'As reported with the sale.'),
				sub_id: is(z.nullable(Text), "The partner's own value in the link of the click that brought the customer; null if none."),
				duplicate_of_sale_id: is(z.nullable(Id), 'The id of the sale that had already recorded this payment; null if none had.'),
				no_commission_reason: is(z.nullable(NoCommissionReason), 'Why it earned nothing; null if it earned a commission.'),
				created_at: is(Instant, 'When it was recorded, UTC.'),
			}),
			'The sale.',
		),
		customer: is(z.nullable(z.object(CUSTOMER)), 'The customer; null for a test.'),
		partner: is(
			z.nullable(z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") })),
			'The partner who brought the customer; null for a test.',
		),
		decision: is(
			z.nullable(Decision),
			'What the decision was based on, stored with the sale. Null for a test, and for sales recorded before it was stored.',
		),
		rule: is(
			z.nullable(z.object({ id: is(Id, "The rule's id."), version: is(Id, 'Its version.'), ...Terms })),
			'The version of the rule that the commission is based on; null if there is none.',
		),
		commission: is(
			z.nullable(
				z.object({
					id: is(Id, "The commission's id."),
					status: is(z.enum(['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded']), 'The status of the commission.'),
					amount_cents: is(Cents, 'The amount earned, in minor units.'),
					deducted_cents: is(Cents, 'The nominal deductions for refunds, in minor units.'),
					currency: is(CurrencyCode, 'ISO 4217 code.'),
					hold_until: is(Instant, 'When its hold ends or ended, UTC.'),
					paid_at: is(maybeInstant, 'When it was paid, UTC; null if not paid yet.'),
					created_at: is(Instant, 'When it was created, UTC.'),
				}),
			),
			'What the partner earned; null if nothing.',
		),
		refunds: is(
			z.array(
				z.object({
					id: is(Id, "The refund event's id."),
					refund_id: is(z.nullable(Text), 'Your id of the refund; null if none was sent.'),
					amount_cents: is(Cents, 'The amount refunded or, if `reinstated`, counted again, in minor units.'),
					deduction_cents: is(z.nullable(Cents), 'The amount deducted from the commission, or reinstated, in minor units.'),
					withheld_cents: is(Cents, WITHHELD),
					outcome: is(z.enum(['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped', 'test']), 'The outcome of the refund.'),
					source: is(z.enum(['endpoint', 'processor']), 'Who reported it.'),
					reason: is(z.nullable(Text), 'The reason, as reported.'),
					created_at: is(Instant, 'When it was recorded, UTC.'),
				}),
			),
			'The refunds of the sale, oldest first; at most 50.',
		),
		ledger: is(
			z.array(
				z.object({
					id: is(Id, "The entry's id."),
					kind: is(Text, '`credit`, `reversal`, `reinstatement`, `rejection`, `payout`.'),
					nominal_cents: is(z.int(), 'The amount due, in minor units.'),
					applied_cents: is(
						z.int(),
						'The actual change of the balance, in minor units. A refund of an unpaid commission never takes the balance below zero; a reinstatement withholds what was forgiven.',
					),
					balance_after_cents: is(z.int(), "The partner's balance after the entry, in minor units."),
					payout_id: is(z.nullable(Id), 'The id of the payout that it belongs to.'),
					created_at: is(Instant, 'When it was recorded, UTC.'),
				}),
			),
			"The partner's ledger entries for the commission, oldest first; at most 50.",
		),
		payout: is(
			z.nullable(
				z.object({
					id: is(Id, "The payout's id."),
					amount_cents: is(Cents, 'The amount to pay the partner, in minor units.'),
					currency: is(CurrencyCode, 'ISO 4217 code.'),
					created_at: is(Instant, 'When it was created, UTC.'),
					sent_at: is(maybeInstant, 'When it was marked as sent, UTC.'),
					failed_at: is(maybeInstant, 'When it was marked as failed, UTC.'),
					failure_reason: is(z.nullable(Text), 'Why it failed.'),
				}),
			),
			'The payout that contains the commission; null if there is none yet.',
		),
	}),
);

export const IdExplanation = named(
	'IdExplanation',
	'What happened to everything reported with an id, or why nothing did.',
	z.object({
		asked: is(z.object({ kind: is(z.enum(QUERY_KINDS), 'The kind of id.'), value: is(Text, 'The id as sent.') }), 'The requested id.'),
		conclusion: is(Text, 'The main finding in one or two sentences.'),
		steps: is(z.array(Step), 'What else is known, oldest first; each sale has its own steps.'),
		click: is(
			z.nullable(
				z.object({
					genuine: is(z.boolean(), 'Whether the service signed it and its link belongs to this program.'),
					test: is(z.boolean(), 'Whether it was made in test mode.'),
					clicked_at: is(maybeInstant, 'When it happened, UTC.'),
					short_link: is(z.nullable(Text), 'Its link.'),
					partner_name: is(z.nullable(Text), "The name of the link's partner; null if the link no longer has one."),
					stored: is(z.boolean(), 'Whether its page and country are stored.'),
					coupon_code: is(z.nullable(Text), 'The code of the coupon that created it without a visit; null for a real click.'),
				}),
			),
			'The requested click; null for other ids.',
		),
		customers: is(
			z.array(
				z.object({
					...CUSTOMER,
					partner_name: is(z.nullable(Text), 'The name of the partner who brought the customer; null if none did.'),
				}),
			),
			'Customers with the key or click, newest first; at most 10.',
		),
		sales: is(z.array(SaleExplanation), 'Sales that belong to the id, newest first; at most 10.'),
		refusals: is(z.array(Refusal), 'Refused calls with the id, newest first; at most 10.'),
		events: is(
			z.array(
				z.object({
					id: is(Id, 'The id in the inbox.'),
					event_id: is(Text, "The processor's id of the event."),
					type: is(Text, "The processor's name for the type."),
					test: is(z.boolean(), "Whether it is from the processor's test mode."),
					state: is(z.enum(['received', 'waiting', 'applied', 'ignored', 'refused', 'expired', 'failed']), 'The outcome of the event.'),
					reason: is(z.nullable(Text), 'The reason, in plain words.'),
					sale_id: is(z.nullable(Id), 'The id of the sale that it recorded or changed.'),
					received_at: is(Instant, 'When it arrived, UTC.'),
					next_attempt_at: is(maybeInstant, 'When it will be processed next, UTC; null if it is settled.'),
					expires_at: is(Instant, 'When it stops waiting, UTC.'),
				}),
			),
			'Payment processor events that have this id, mention it or are waiting for it, newest first; at most 10. Only the newest 500 events and those still waiting are searched.',
		),
	}),
);
