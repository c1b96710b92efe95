import * as z from 'zod/mini';
import {
	OWN_PAYOUT_COLUMNS,
	type partnerPayouts as partnerPayoutRoutes,
} from '../../../http/management/partner-programs/partner-payouts.ts';
import { PAYOUT_STATUSES } from '../../../domain/payouts/payout-state.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, PageMeta, pageOf, successful, Text } from '../../answers.ts';
import { notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underPartnerProgram } from '../../under.ts';
import { OwnCommission } from './partner-commissions.ts';

const payout = {
	id: is(Id, "The payout's id."),
	status: is(
		z.enum(PAYOUT_STATUSES),
		'`made`: on its way, not sent yet; `sent`: paid; `failed`: the next payout pays its amount; `settled`: all of it was deducted for an earlier debt.',
	),
	state_reason: is(Text, 'What happened to the money, in plain words.'),
	currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
	amount_cents: is(Cents, 'The amount to pay you, in minor units.'),
	amount_reason: is(Text, 'How the amount was calculated, in plain words.'),
	commission_cents: is(Cents, 'What was left of its commissions, in minor units.'),
	recovered_cents: is(Cents, 'The amount deducted because sales whose commissions were already paid were refunded, in minor units.'),
	surplus_cents: is(Cents, 'The amount owed to you in addition to the commissions, in minor units.'),
	commission_count: is(Count, 'The number of commissions it pays.'),
	created_at: is(Instant, 'When it was created, UTC.'),
	sent_at: is(z.nullable(Instant), 'When the program sent it, UTC; null if it is not marked as sent.'),
	reference: is(z.nullable(Text), 'The reference of the payment, such as the number of the transfer.'),
	failed_at: is(z.nullable(Instant), 'When it failed, UTC; null if it has not.'),
	failure_reason: is(z.nullable(Text), 'Why it failed, as entered by the program.'),
};

const OwnPayout = named('OwnPayout', 'A payment to you.', z.object(payout));

export const partnerPayouts = underPartnerProgram('/payouts', [
	{
		method: 'get',
		atLeast: 'ended',
		id: 'listOwnPayouts',
		summary: 'List your payouts',
		description: 'Your payouts, newest first. `Accept: text/csv` returns all of them as CSV, unless a `limit` is sent.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of payouts.',
				schema: answerOfRoute<typeof partnerPayoutRoutes, '/', '$get'>()(pageOf(OwnPayout, 'Payouts, newest first.')),
				csv: `\`${OWN_PAYOUT_COLUMNS}\``,
			},
		},
		examples: [{ name: 'payouts', summary: "Pat's payouts" }],
	},
	{
		method: 'get',
		path: '/:payoutId',
		atLeast: 'ended',
		id: 'readOwnPayout',
		summary: 'Read one of your payouts',
		description: 'One payout with the commissions it paid, newest first, in pages.',
		params: { payoutId: "The payout's id." },
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'The payout, with a page of its commissions.',
				schema: answerOfRoute<typeof partnerPayoutRoutes, '/:payoutId', '$get'>()(
					successful({
						data: is(
							z.object({ ...payout, commissions: is(z.array(OwnCommission), 'The commissions it paid, newest first.') }),
							'The payout.',
						),
						meta: is(PageMeta, 'Pagination details of the commissions.'),
					}),
				),
			},
		},
		errors: [notFound('Payout', 'It does not exist or is not yours.')],
		examples: [{ name: 'payout', summary: 'The first one', params: { payoutId: 1 } }],
	},
]);
