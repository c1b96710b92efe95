import * as z from 'zod/mini';
import {
	ApproveRequest,
	COMMISSION_COLUMNS,
	CommissionQuery,
	CommissionSummaryQuery,
	RejectRequest,
	type commissions as commissionRoutes,
} from '../../../http/management/commissions/commissions.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

export const Status = z.enum(['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded']);

const Sale = z.object({
	id: is(Id, "The sale event's id."),
	transaction_id: is(Text, 'As reported with the sale.'),
	amount_cents: is(Cents, 'The amount paid, in minor units of the currency.'),
	refunded_cents: is(Cents, 'The amount refunded so far, in minor units.'),
	sub_id: is(z.nullable(Text), "The partner's own value in the link of the click that earned it; null if none."),
	created_at: is(Instant, 'When it was recorded, UTC.'),
});

const RuleUsed = z.object({
	id: is(Id, "The rule's id."),
	version: is(Id, 'The version of the rule that applied.'),
	type: is(z.enum(['percent', 'flat']), '`percent` of the sale, or a `flat` amount.'),
	percent: is(z.optional(z.number()), 'Percent of the sale; only for type `percent`.'),
	amount_cents: is(z.optional(Cents), 'Minor units per sale; only for type `flat`.'),
});

export const Outcome = z.enum(['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped']);

export const WITHHELD =
	'The part of a reinstatement that was not added to the balance, in minor units: it offset a refund that the balance could not cover. 0 otherwise.';

const Refund = z.object({
	id: is(Id, "The refund event's id."),
	refund_id: is(z.nullable(Text), 'Your id of the refund; null if none was sent.'),
	amount_cents: is(Cents, 'The refunded amount, in minor units. Negative if a refund no longer counts.'),
	deduction_cents: is(z.nullable(Cents), 'The nominal deduction from the commission, in minor units. Negative if it was reinstated.'),
	withheld_cents: is(Cents, WITHHELD),
	outcome: is(Outcome, 'The outcome. `reinstated`: the refund failed at the processor, or a dispute was won.'),
	source: is(z.enum(['endpoint', 'processor']), 'Who reported it: your backend or the payment processor.'),
	reason: is(z.nullable(Text), 'The reason, as reported.'),
	created_at: is(Instant, 'When it was recorded, UTC.'),
});

export const Commission = named(
	'Commission',
	'What a partner earned with a sale.',
	z.object({
		id: is(Id, "The commission's id."),
		status: is(
			Status,
			'`pending`: on hold; `approved`: can be paid; `paid`; `rejected`; `reversed`: the sale was refunded in full; `refunded`: the sale was refunded in part, and the rest can be paid.',
		),
		state_reason: is(Text, 'Why it has this status, in plain words.'),
		amount_cents: is(Cents, 'The amount earned, in minor units of `currency`.'),
		deducted_cents: is(Cents, 'The nominal deductions for refunds, in minor units.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the sale.'),
		partner: is(
			z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") }),
			'The partner who earned it.',
		),
		sale: is(Sale, 'The sale that earned it.'),
		rule: is(RuleUsed, 'The commission rule that applied.'),
		refunds: is(z.array(Refund), 'The refunds of the sale, oldest first.'),
		hold_until: is(Instant, 'When its hold ends or ended, UTC.'),
		paid_at: is(z.nullable(Instant), 'When it was paid, UTC; null if not paid yet.'),
		payout_id: is(z.nullable(Id), "The payout's id; null if there is none yet."),
		refund_reason: is(z.nullable(Text), 'The reason of the last refund.'),
		rejection_reason: is(z.nullable(Text), 'The reason of the rejection.'),
		created_at: is(Instant, 'When it was created, UTC.'),
	}),
);

export const CommissionSum = named(
	'CommissionSum',
	'The commissions with one status in one currency.',
	z.object({
		status: is(Status, 'The status of the commissions.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		count: is(Count, 'The number of commissions.'),
		amount_cents: is(Cents, 'The amount earned, in minor units.'),
		deducted_cents: is(Cents, 'The nominal deductions for refunds, in minor units.'),
		remaining_cents: is(Cents, 'What is left of them, in minor units: `amount_cents` less `deducted_cents`.'),
	}),
);

const FILTER_FIELDS = {
	partner_id: 'Only commissions of this partner.',
	currency: 'Only commissions in this currency, an ISO 4217 code in any letter case.',
	payout_id: 'Only commissions that this payout paid.',
	search:
		"A transaction id, which finds only its own commission; otherwise the beginning of a transaction id, a part of the partner's name or email address (as `search` in the list of partners), or a whole product id. At most 255 characters.",
	from: "Only commissions created on or after this day of the program's time zone (`2026-01-31`) or time (`2026-01-31T12:00:00Z`), which without an offset is in that zone.",
	to: 'Only commissions created on or before this day or time; a day counts as a whole.',
} as const;

const Decided = z.array(z.object({ id: is(Id, "The commission's id."), status: is(z.enum(['approved', 'rejected']), 'The new status.') }));

export const DECISION_FILTER_FIELDS = {
	status: 'Only commissions with this status.',
	partner_id: FILTER_FIELDS.partner_id,
	currency: FILTER_FIELDS.currency,
	from: FILTER_FIELDS.from,
	to: FILTER_FIELDS.to,
	search: FILTER_FIELDS.search,
} as const;

const CHOICE_FIELDS = {
	commission_ids: 'The ids of 1 to 500 commissions. All or nothing: if one cannot be decided, none is. Cannot be combined with `filter`.',
	filter: {
		text: 'Instead of `commission_ids`: all matching commissions that can be decided this way, at most 500 (`POST .../commissions/runs` has no limit); `{}` is all of the program. Requires `expected_count`. Send the time when you read the list as `to`, to exclude later commissions.',
		fields: DECISION_FILTER_FIELDS,
	},
	expected_count:
		'The number of matching commissions that you saw and that can be decided this way. If the number has changed, nothing is decided. New commissions can replace others without changing it: only `to` in the filter excludes them.',
} as const;

export const ANOTHER_NUMBER = [
	conflict('{number} commissions match and can be {decided}, not {expected_count}. Reload and try again', 'The number has changed.'),
	conflict('1 commission matches and can be {decided}, not {expected_count}. Reload and try again', 'The number has changed to 1.'),
];
const CHOICE_ERRORS = [
	invalid(
		'Send either commission_ids, or filter and expected_count',
		'Neither or both were sent, or a filter without a count, or a count alone.',
	),
	invalid('More than {number} commissions match and can be {decided}. Narrow the filter', 'More than one request can decide.'),
];
const UNKNOWN = notFound('Commission {id}', 'The commission does not exist in this program.');

export const commissions = underProgram('Commissions', '/commissions', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listCommissions',
		summary: 'List commissions',
		description:
			'The commissions of a program, newest first, each with its sale, its rule, its refunds, and the reason for its status. `Accept: text/csv` returns all that match as CSV, up to 1,000,000 lines, unless a `limit` is sent. A search for anything but a whole transaction id reads the commissions that match the other filters until the page is full. In a large program, send a range.',
		query: fieldsOf(CommissionQuery, {
			...PAGE_FIELDS,
			status: 'Only commissions with this status.',
			...FILTER_FIELDS,
		}),
		answers: {
			200: {
				description: 'A page of commissions.',
				schema: answerOfRoute<typeof commissionRoutes, '/', '$get'>()(pageOf(Commission, 'Commissions, newest first.')),
				csv: `\`${COMMISSION_COLUMNS}\``,
			},
		},
		examples: [
			{ name: 'approved', summary: 'Commissions that can be paid', query: { status: 'approved', limit: '2' } },
			{ name: 'refunded', summary: 'Partly refunded commissions', query: { status: 'refunded', limit: '2' } },
			{ name: 'search', summary: 'The commission of one transaction', query: { search: 'order-1002' } },
			{ name: 'csv', summary: 'As CSV', query: { currency: 'USD', limit: '2' }, headers: { Accept: 'text/csv' } },
		],
	},
	{
		method: 'get',
		path: '/summary',
		atLeast: 'member',
		id: 'summarizeCommissions',
		summary: 'Count and sum up commissions',
		description:
			'The number and sums of commissions per status and currency. The filters are those of the list. Amounts in different currencies are never added up. A `search` reads every commission of the partner and range: at most 500,000.',
		query: fieldsOf(CommissionSummaryQuery, FILTER_FIELDS),
		answers: {
			200: {
				description: 'The sums.',
				schema: answerOfRoute<typeof commissionRoutes, '/summary', '$get'>()(
					answerOf(z.array(CommissionSum), 'One row per status and currency that has commissions.'),
				),
			},
		},
		errors: [
			invalid('A search reads at most {number} commissions: narrow the range with from and to', 'The range has too many for a search.'),
		],
		examples: [{ name: 'all', summary: 'The whole program' }],
	},
	{
		method: 'get',
		path: '/:commissionId',
		atLeast: 'member',
		id: 'readCommission',
		summary: 'Read a commission',
		description: 'One commission with its sale, its rule, its refunds, and the reason for its status, as in the list.',
		params: { commissionId: "The commission's id." },
		answers: {
			200: {
				description: 'The commission.',
				schema: answerOfRoute<typeof commissionRoutes, '/:commissionId', '$get'>()(answerOf(Commission, 'The commission.')),
			},
		},
		errors: [notFound('Commission', 'The commission does not exist in this program.')],
		examples: [{ name: 'commission', summary: 'A commission', params: { commissionId: 1 } }],
	},
	{
		method: 'post',
		path: '/approve',
		atLeast: 'admin',
		id: 'approveCommissions',
		summary: 'Approve commissions',
		description:
			'Approves pending commissions, even before their hold ends: those in `commission_ids`, or all that match a filter. A sale recorded after you read the list is not decided unseen, because the number then differs.',
		body: bodyOf('ApproveRequest', 'The commissions to approve.', ApproveRequest, CHOICE_FIELDS),
		answers: {
			200: {
				description: 'The commissions are approved.',
				schema: answerOfRoute<typeof commissionRoutes, '/approve', '$post'>()(answerOf(Decided, 'The commissions and their new status.')),
			},
		},
		errors: [
			...CHOICE_ERRORS,
			UNKNOWN,
			conflict('Commission {id} is {status}: only pending commissions can be approved', 'The commission has another status.'),
			conflict(
				'Commission {id} is partly refunded: the rest needs no approval and can be paid from {instant}',
				'Its sale was partly refunded while it was on hold.',
			),
			...ANOTHER_NUMBER,
		],
		examples: [
			{ name: 'approve', summary: 'Before the hold ends', body: { commission_ids: [4] } },
			{ name: 'again', summary: 'The commission is already approved', body: { commission_ids: [4] }, status: 409 },
			{
				name: 'filter',
				summary: 'With a filter, but the number has changed',
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
			'Rejects pending and approved commissions, and what is left of partly refunded ones: those in `commission_ids`, or all that match a filter. Everything left of them is deducted. A refund that fails later reinstates nothing. The partner is notified.',
		body: bodyOf('RejectRequest', 'The commissions to reject, and the reason.', RejectRequest, {
			...CHOICE_FIELDS,
			reason: 'The reason, at most 500 characters; the partner sees it.',
		}),
		answers: {
			200: {
				description: 'The commissions are rejected.',
				schema: answerOfRoute<typeof commissionRoutes, '/reject', '$post'>()(answerOf(Decided, 'The commissions and their new status.')),
			},
		},
		errors: [
			...CHOICE_ERRORS,
			UNKNOWN,
			...ANOTHER_NUMBER,
			conflict(
				'Commission {id} is {status}: only pending and approved commissions and the rest of partly refunded ones can be rejected',
				'The commission has another status.',
			),
			conflict('Commission {id} is refunded and was already paid', 'The commission was paid, before the refund or after.'),
			conflict('Commission {id} is refunded and has nothing left to reject', 'The refund deducted all of it.'),
		],
		examples: [
			{ name: 'reject', summary: 'A partner who bought through their own link', body: { commission_ids: [5], reason: 'Own purchase' } },
		],
	},
]);
