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
		'`made`; `sent`; `failed`: its amount goes out with the next payout; `settled`: all of it was kept back for an earlier debt.',
	),
	state_reason: is(Text, 'What became of the money, in plain words.'),
	currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
	amount_cents: is(Cents, 'Amount paid, in minor units.'),
	amount_reason: is(Text, 'Why so much, in plain words.'),
	commission_cents: is(Cents, 'What its commissions had left, in minor units.'),
	recovered_cents: is(Cents, 'What was kept back, in minor units, because sales that had been paid before were refunded.'),
	surplus_cents: is(Cents, 'What you were owed beside the commissions, in minor units.'),
	commission_count: is(Count, 'How many commissions it paid.'),
	created_at: is(Instant, 'When it was made, UTC.'),
	sent_at: is(z.nullable(Instant), 'When the program sent it, UTC; null: it has not said so.'),
	reference: is(z.nullable(Text), 'What it is found by, such as the number of the transfer.'),
	failed_at: is(z.nullable(Instant), 'When it failed, UTC; null: it has not.'),
	failure_reason: is(z.nullable(Text), 'Why it failed, as the program says.'),
};

const OwnPayout = named('OwnPayout', 'A payment to you.', z.object(payout));

export const partnerPayouts = underPartnerProgram('/payouts', [
	{
		method: 'get',
		atLeast: 'ended',
		id: 'listOwnPayouts',
		summary: 'List own payouts',
		description: 'What was paid to you, newest first; as CSV with `Accept: text/csv`: all of it unless a `limit` is given.',
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
		errors: [notFound('Payout', 'There is no such payout, or it is not yours.')],
		examples: [{ name: 'payout', summary: 'The first one', params: { payoutId: 1 } }],
	},
]);
