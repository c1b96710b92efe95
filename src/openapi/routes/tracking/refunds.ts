import * as z from 'zod/mini';
import { RefundRequest } from '../../../http/tracking-requests.ts';
import type { tracking as trackingRoutes } from '../../../http/tracking.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { Id, successful, TestReceipt, Text, Warnings } from '../../answers.ts';
import { rejected } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { ADDITIONAL_DATA } from './tracking-fields.ts';

const CommissionId = is(Id, "The commission's id.");

export const RefundAnswer = named(
	'RefundAnswer',
	'The outcome of a refund. Its form depends on `status`.',
	z.union([
		successful({
			status: is(z.enum(['reversed', 'refunded']), '`reversed`: the whole commission is deducted; `refunded`: a proportional part of it.'),
			deductionAmount: is(z.number(), "What was deducted from the commission, in major units (dollars) of the sale's currency."),
			commission_id: CommissionId,
			warnings: Warnings,
		}),
		successful({
			status: is(z.literal('skipped'), 'The commission is unchanged. If it was rejected, the refund is still stored.'),
			reason: is(Text, 'The reason, in plain words.'),
			commission_id: CommissionId,
			warnings: Warnings,
		}),
		successful({
			status: is(z.literal('no_commission'), 'The refund is stored; the sale has no commission.'),
			message: is(Text, 'A message for people.'),
			warnings: Warnings,
		}),
		successful({ message: is(Text, 'A message for people.'), data: is(TestReceipt, 'In test mode.'), warnings: Warnings }),
	]),
);

export const refunds: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/track/refund',
		legacyPath: '/api/tracking/refund',
		id: 'trackRefund',
		tag: 'Tracking',
		summary: 'Record a refund',
		description:
			"Records a full or partial refund of a sale. The commission is reduced in proportion: deduction = commission × refunded so far / sale, rounded half up to the cent, minus what was deducted before. A refund does not take the partner's balance below zero, unless the commission has already been paid. Then it may leave a debt, which the next payout recovers.\n\nA sale has one refund, unless each has a `refund_id`. Refunds with different ids add up, to at most the amount of the sale; a repeated `refund_id` is `skipped`. It is safe to send a refund again.",
		caller: 'key',
		body: {
			...bodyOf(
				'RefundRequest',
				'The refund. Fields that are not named here are ignored; a blank string counts as omitted.',
				RefundRequest,
				{
					transaction_id: 'The `transaction_id` that the sale was recorded with.',
					refund_amount_cents:
						"The refunded amount, in the smallest unit of the sale's currency (cents). If omitted or 0, the whole sale or, with a `refund_id`, the rest of it. More than the sale counts as the whole sale.",
					refund_reason: 'The reason, at most 1,000 characters. Stored with the commission and shown to the partner.',
					refund_id: 'Your id of this refund, 1 to 255 characters: distinguishes several refunds of one sale.',
					additional_data: ADDITIONAL_DATA,
				},
			),
			nullExcept: ['refund_amount_cents'],
		},
		answers: {
			200: {
				description: 'The refund is recorded, now or earlier.',
				schema: answerOfRoute<typeof trackingRoutes, '/refund', '$post'>()(RefundAnswer),
			},
		},
		errors: [rejected('sale_not_found', 'The program has no sale (in test mode: no test sale) with this `transaction_id`.')],
		faults: ['Refund tracking failed'],
		examples: [
			{ name: 'full', summary: 'The whole sale', body: { transaction_id: 'order-1001', refund_reason: 'Returned' } },
			{
				name: 'partial',
				summary: 'A third of a sale of 99.00 USD',
				body: { transaction_id: 'order-1002', refund_amount_cents: 3300, refund_id: 'refund-1', refund_reason: 'Goodwill' },
			},
			{ name: 'again', summary: 'A refund that is already recorded', body: { transaction_id: 'order-1001' } },
			{
				name: 'unknown_sale',
				summary: 'No sale has this transaction_id',
				body: { transaction_id: 'order-9999' },
				status: 404,
			},
		],
	},
];
