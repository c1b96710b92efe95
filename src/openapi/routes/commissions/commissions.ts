import * as z from 'zod/mini';
import {
	ApproveRequest,
	COMMISSION_COLUMNS,
	CommissionQuery,
	CommissionSummaryQuery,
	RejectRequest,
} from '../../../http/management/commissions/commissions.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

export const Status = z.enum(['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded']);

const Sale = z.object({
	id: is(Id, 'Id of the sale event.'),
	transaction_id: is(Text, 'As the sale was reported.'),
	amount_cents: is(Cents, 'What was paid, in minor units of the currency.'),
	refunded_cents: is(Cents, 'Refunded so far, in minor units.'),
	sub_id: is(z.nullable(Text), 'What the partner put into the link of the click that earned it; null: nothing.'),
	created_at: is(Instant, 'When it was recorded, UTC.'),
});

const RuleUsed = z.object({
	id: is(Id, 'Id of the rule.'),
	version: is(Id, 'The version of it that made the commission.'),
	type: is(z.enum(['percent', 'flat']), '`percent` of the sale, or a `flat` amount.'),
	percent: is(z.optional(z.number()), 'Percent of the sale; only of type `percent`.'),
	amount_cents: is(z.optional(Cents), 'Minor units a sale; only of type `flat`.'),
});

export const Outcome = z.enum(['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped']);

export const WITHHELD =
	'What of a reinstatement did not reach the balance, in minor units: it made up for a refund that the balance could not cover. 0 otherwise.';

const Refund = z.object({
	id: is(Id, 'Id of the refund event.'),
	refund_id: is(z.nullable(Text), 'Your id of the refund; null if none was sent.'),
	amount_cents: is(Cents, 'What was refunded, in minor units. Negative if a refund no longer counts.'),
	deduction_cents: is(z.nullable(Cents), 'Its nominal deduction from the commission, in minor units. Negative for a reinstatement.'),
	withheld_cents: is(Cents, WITHHELD),
	outcome: is(Outcome, 'The outcome. `reinstated`: the refund failed at the processor, or the dispute was won.'),
	source: is(z.enum(['endpoint', 'processor']), 'Who reported it: your backend or the payment processor.'),
	reason: is(z.nullable(Text), 'As reported.'),
	created_at: is(Instant, 'When it was recorded, UTC.'),
});

export const Commission = named(
	'Commission',
	'What a partner earned with a sale.',
	z.object({
		id: is(Id, 'Id of the commission.'),
		status: is(
			Status,
			'`pending`: on hold; `approved`: can be paid; `paid`; `rejected`; `reversed`: the sale was refunded in full; `refunded`: in part, and the rest can be paid.',
		),
		state_reason: is(Text, 'Why it is in that state, in plain words.'),
		amount_cents: is(Cents, 'What was earned, in minor units of `currency`.'),
		deducted_cents: is(Cents, 'Nominal deductions by refunds, in minor units.'),
		currency: is(CurrencyCode, "ISO 4217 code, the sale's."),
		partner: is(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') }), 'Whose it is.'),
		sale: is(Sale, 'The sale that earned it.'),
		rule: is(RuleUsed, 'The rule by which it was earned.'),
		refunds: is(z.array(Refund), 'The refunds of the sale, oldest first.'),
		hold_until: is(Instant, 'When its hold ends or ended, UTC.'),
		paid_at: is(z.nullable(Instant), 'When it was paid, UTC; null: not yet.'),
		payout_id: is(z.nullable(Id), 'Id of the payout; null: none yet.'),
		refund_reason: is(z.nullable(Text), 'The reason of the last refund.'),
		rejection_reason: is(z.nullable(Text), 'The reason of the rejection.'),
		created_at: is(Instant, 'When it was made, UTC.'),
	}),
);

export const CommissionSum = named(
	'CommissionSum',
	'The commissions of one state in one currency.',
	z.object({
		status: is(Status, 'The state that they are in.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		count: is(Count, 'How many they are.'),
		amount_cents: is(Cents, 'Amount earned, in minor units.'),
		deducted_cents: is(Cents, 'Nominal deductions by refunds, in minor units.'),
		remaining_cents: is(Cents, 'What they have left, in minor units: `amount_cents` less `deducted_cents`.'),
	}),
);

const FILTER_FIELDS = {
	partner_id: 'Only those of this partner.',
	currency: 'Only those in this currency, an ISO 4217 code in any letter case.',
	payout_id: 'Only those that this payout paid.',
	search:
		"Only those found by it: a transaction id, which finds its commission alone; else how a transaction id begins, a part of the partner's name or email address (as `search` of the list of partners), or a product id, whole. At most 255 characters.",
	from: "Only those made then or later: a day of the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`), which without an offset is one of that zone.",
	to: 'Only those made then or before; a day counts as a whole.',
} as const;

const Decided = z.array(z.object({ id: is(Id, 'Id of the commission.'), status: is(z.enum(['approved', 'rejected']), 'Its new state.') }));

export const DECISION_FILTER_FIELDS = {
	status: 'Only those in this state.',
	partner_id: FILTER_FIELDS.partner_id,
	currency: FILTER_FIELDS.currency,
	from: FILTER_FIELDS.from,
	to: FILTER_FIELDS.to,
	search: FILTER_FIELDS.search,
} as const;

/** The commissions to decide. */
const CHOICE_FIELDS = {
	commission_ids: 'Ids of 1 to 500 commissions. All or nothing: if one cannot be decided, none is. Cannot be combined with other fields.',
	filter: {
		text: 'Instead of `commission_ids`: all matching commissions that can be decided this way, at most 500 (`POST .../commissions/runs` has no limit). `{}` selects the whole program. Requires `expected_count`. Set `to` to the time when you read the list, so that later commissions are left out.',
		fields: DECISION_FILTER_FIELDS,
	},
	expected_count:
		'How many matching commissions you saw that can be decided this way. If the number has changed, nothing is decided. Only `to` in the filter reliably leaves out later commissions, because additions and removals can cancel out.',
} as const;

export const ANOTHER_NUMBER = [
	conflict(
		'{number} commissions match and can be {decided}, not {expected_count}. Reload and try again',
		'Commissions were added or removed.',
	),
	conflict(
		'1 commission matches and can be {decided}, not {expected_count}. Reload and try again',
		'Commissions were added or removed; one is left.',
	),
];
const CHOICE_ERRORS = [
	invalid('Send either commission_ids, or filter and expected_count', 'Neither was sent, or both, or one without the other.'),
	invalid('More than {number} commissions match and can be {decided}. Narrow the filter', 'More than one request decides.'),
];
const UNKNOWN = notFound('Commission {id}', 'The commission does not exist in this program.');

export const commissions = underProgram('Commissions', '/commissions', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listCommissions',
		summary: 'List commissions',
		description:
			'Each commission with its sale, its rule, its refunds, and the reason of its state, newest first. With `Accept: text/csv`, a CSV of all matching commissions, up to 1,000,000 lines, unless a `limit` is given. A search reads the commissions that match the other filters until the page is full, unless it is a whole transaction id. In a large program, also send a range.',
		query: fieldsOf(CommissionQuery, {
			...PAGE_FIELDS,
			status: 'Only those in this state.',
			...FILTER_FIELDS,
		}),
		answers: {
			200: {
				description: 'A page of commissions.',
				schema: pageOf(Commission, 'Commissions, newest first.'),
				csv: `\`${COMMISSION_COLUMNS}\``,
			},
		},
		examples: [
			{ name: 'approved', summary: 'What can be paid', query: { status: 'approved', limit: '2' } },
			{ name: 'refunded', summary: 'What was partly refunded', query: { status: 'refunded', limit: '2' } },
			{ name: 'search', summary: 'Of one transaction', query: { search: 'order-1002' } },
			{ name: 'csv', summary: 'As CSV', query: { currency: 'USD', limit: '2' }, headers: { Accept: 'text/csv' } },
		],
	},
	{
		method: 'get',
		path: '/summary',
		atLeast: 'member',
		id: 'summarizeCommissions',
		summary: 'Count and add up commissions',
		description:
			'The number and sums of commissions in each state and currency, with the filters of the list. Amounts of different currencies are never added up. A `search` reads each commission of the partner and range, at most 500,000.',
		query: fieldsOf(CommissionSummaryQuery, FILTER_FIELDS),
		answers: {
			200: {
				description: 'The sums.',
				schema: answerOf(z.array(CommissionSum), 'By state and currency. States without commissions are left out.'),
			},
		},
		errors: [
			invalid('A search reads at most {number} commissions: narrow the range with from and to', 'The range has too many for a search.'),
		],
		examples: [{ name: 'all', summary: 'Of the whole program' }],
	},
	{
		method: 'get',
		path: '/:commissionId',
		atLeast: 'member',
		id: 'readCommission',
		summary: 'Read a commission',
		description: 'With its sale, its rule, its refunds, and why it is in its state, as in the list.',
		params: { commissionId: 'Id of the commission.' },
		answers: { 200: { description: 'The commission.', schema: answerOf(Commission, 'The commission.') } },
		errors: [notFound('Commission', 'The commission does not exist in this program.')],
		examples: [{ name: 'commission', summary: 'One of them', params: { commissionId: 1 } }],
	},
	{
		method: 'post',
		path: '/approve',
		atLeast: 'admin',
		id: 'approveCommissions',
		summary: 'Approve commissions',
		description:
			'Approves pending commissions, even before their hold ends: those in `commission_ids`, or all that match a filter. A sale that arrives after you read the list changes the expected number, so it is never approved unseen.',
		body: bodyOf('ApproveRequest', 'Which commissions.', ApproveRequest, CHOICE_FIELDS),
		answers: { 200: { description: 'They are approved.', schema: answerOf(Decided, 'The commissions and their new state.') } },
		errors: [
			...CHOICE_ERRORS,
			UNKNOWN,
			conflict('Commission {id} is {status}: only pending commissions can be approved', 'It is in another state.'),
			conflict(
				'Commission {id} is partly refunded: the rest needs no approval and can be paid from {instant}',
				'Its sale was partly refunded while it was on hold.',
			),
			...ANOTHER_NUMBER,
		],
		examples: [
			{ name: 'approve', summary: 'Before its hold ends', body: { commission_ids: [4] } },
			{ name: 'again', summary: 'It is approved', body: { commission_ids: [4] }, status: 409 },
			{
				name: 'filter',
				summary: 'By a filter, and some have gone since',
				body: { filter: { status: 'pending', to: '2026-01-31' }, expected_count: 12 },
				status: 409,
			},
		],
	},
	{
		method: 'post',
		path: '/reject',
		atLeast: 'admin',
		id: 'rejectCommissions',
		summary: 'Reject commissions',
		description:
			'Rejects pending and approved commissions and the rest of partly refunded ones: those in `commission_ids`, or all that match a filter. Their remaining amount is deducted. A refund that fails later does not reinstate it. The partner is notified.',
		body: bodyOf('RejectRequest', 'Which commissions, and why.', RejectRequest, {
			...CHOICE_FIELDS,
			reason: 'Why, in at most 500 characters. Told to the partner.',
		}),
		answers: { 200: { description: 'They are rejected.', schema: answerOf(Decided, 'The commissions and their new state.') } },
		errors: [
			...CHOICE_ERRORS,
			UNKNOWN,
			...ANOTHER_NUMBER,
			conflict(
				'Commission {id} is {status}: only pending and approved commissions and the rest of partly refunded ones can be rejected',
				'It is in another state.',
			),
			conflict('Commission {id} is refunded and was already paid', 'It was paid, before the refund or after.'),
			conflict('Commission {id} is refunded and has nothing left to reject', 'A refund has deducted all of it.'),
		],
		examples: [{ name: 'reject', summary: 'A customer who bought from herself', body: { commission_ids: [5], reason: 'Own purchase' } }],
	},
]);
