import * as z from 'zod/mini';
import { OWN_PAYOUT_COLUMNS } from '../../../http/management/partner-programs/partner-payouts.ts';
import { PAYOUT_STATUSES } from '../../../domain/payouts/payout-state.ts';
import { PageQuery } from '../../../http/page.ts';
import { Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, PageMeta, pageOf, successful, Text } from '../../answers.ts';
import { notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underPartnerProgram } from '../../under.ts';
import { OwnCommission } from './partner-commissions.ts';

const payout = {
	id: is(Id, 'Id of the payout.'),
	status: is(
		z.enum(PAYOUT_STATUSES),
		'`made`; `sent`; `failed`: its amount will be in the next payout; `settled`: all of it was deducted for an earlier debt.',
	),
	state_reason: is(Text, 'The state of the payment, in plain English.'),
	currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
	amount_cents: is(Cents, 'Amount paid, in minor units.'),
	amount_reason: is(Text, 'Why so much, in plain words.'),
	commission_cents: is(Cents, 'What its commissions had left, in minor units.'),
	recovered_cents: is(Cents, 'Deducted because sales that you were paid for were refunded, in minor units.'),
	surplus_cents: is(Cents, 'Owed to you in addition to the commissions, in minor units.'),
	commission_count: is(Count, 'How many commissions it paid.'),
	created_at: is(Instant, 'When it was made, UTC.'),
	sent_at: is(z.nullable(Instant), 'When the program sent it, UTC; null: not marked as sent.'),
	reference: is(z.nullable(Text), 'What it is found by, such as the number of the transfer.'),
	failed_at: is(z.nullable(Instant), 'When it failed, UTC; null: it has not.'),
	failure_reason: is(z.nullable(Text), 'The program’s reason for the failure.'),
};

const OwnPayout = named('OwnPayout', 'A payment to you.', z.object(payout));

export const partnerPayouts = underPartnerProgram('/payouts', [
	{
		method: 'get',
		atLeast: 'ended',
		id: 'listOwnPayouts',
		summary: 'List own payouts',
		description: 'Your payouts, newest first. With `Accept: text/csv`, a CSV of all of them, unless a `limit` is given.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of payouts.',
				schema: pageOf(OwnPayout, 'Payouts, newest first.'),
				csv: `\`${OWN_PAYOUT_COLUMNS}\``,
			},
		},
		examples: [{ name: 'payouts', summary: 'What Pat was paid' }],
	},
	{
		method: 'get',
		path: '/:payoutId',
		atLeast: 'ended',
		id: 'readOwnPayout',
		summary: 'Read a payout of your own',
		description: 'With the commissions that it paid, newest first, in pages.',
		params: { payoutId: 'Id of the payout.' },
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'The payout, with a page of its commissions.',
				schema: successful({
					data: is(z.object({ ...payout, commissions: is(z.array(OwnCommission), 'What it paid, newest first.') }), 'The payout.'),
					meta: is(PageMeta, 'The page of commissions that follows.'),
				}),
			},
		},
		errors: [notFound('Payout', 'It does not exist or is not yours.')],
		examples: [{ name: 'payout', summary: 'The first one', params: { payoutId: 1 } }],
	},
]);
