import * as z from 'zod/mini';
import type { moneySums as moneySumsRoutes } from '../../../http/management/payouts/money-sums.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Cents, Count, CurrencyCode, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { underProgram } from '../../under.ts';

const MoneySums = named(
	'MoneySums',
	"Where a program's money is.",
	z.object({
		month: is(Text, "The current month in the program's time zone (`2026-01`)."),
		currencies: is(
			z.array(
				z.object({
					currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
					due_cents: is(
						Cents,
						'Approved commissions that no payout has paid yet, in minor units. `GET .../payouts/due/sums` says what a run would pay of it: that also depends on minimums, debts, the status of partners, amounts returned to balances, and the rest of partly refunded commissions.',
					),
					on_hold_cents: is(Cents, 'Pending commissions, in minor units.'),
					on_its_way_cents: is(Cents, 'Payouts that were made and not marked as sent or failed yet, in minor units.'),
					on_its_way_payouts: is(Count, 'The number of these payouts.'),
					paid_this_month_cents: is(
						Cents,
						"Payouts that were sent in this calendar month of the program's time zone and have not failed, in minor units.",
					),
					paid_this_month_payouts: is(Count, 'The number of these payouts.'),
				}),
			),
			"The sums by currency. The program's currency comes first, even if all its sums are 0.",
		),
	}),
);

export const moneySums = underProgram('Payouts', '/payouts/sums', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'sumMoney',
		summary: 'Sum up the money',
		description:
			'What is due, on hold, on its way and paid this month. It reads stored sums, so it is cheap at any age of the program. The first and second sums are those of `GET .../commissions/summary` for the states `approved` and `pending`.',
		answers: {
			200: {
				description: 'The sums.',
				schema: answerOfRoute<typeof moneySumsRoutes, '/', '$get'>()(answerOf(MoneySums, 'The sums.')),
			},
		},
		examples: [{ name: 'sums', summary: 'All currencies' }],
	},
]);
