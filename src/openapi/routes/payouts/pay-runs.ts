import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { NewPayRun } from '../../../http/management/payouts/pay-runs.ts';
import { answerOf, PARTNER_SEARCH } from '../../answers.ts';
import { conflict, notFound } from '../../errors.ts';
import { bodyOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { Run } from '../runs.ts';

export const payRuns = underProgram('Payouts', '/payouts/runs', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'startPayRun',
		summary: 'Pay everybody who is due',
		description:
			'Starts a run that pays everything that is due and matches, for any number of partners and commissions. The server pays in slices after the response: read the run to follow it, and its results when it is done. It pays commissions recorded before it started. A payout has at most 10,000 commissions, the oldest ones; the results show how many are left. The rules are those of `POST .../payouts`.',
		body: bodyOf('NewPayRun', 'Who is paid what.', NewPayRun, {
			partner_ids: 'Only these partners, 1 to 500, whatever the state of their membership.',
			status:
				'Only partners whose membership is in this state. Without `partner_ids` and `status` it pays active members: suspended and former partners are paid only if you name them or their state.',
			group_id: 'Only partners of this group.',
			method: 'Only partners with this payout method now; `none`: without payout details.',
			search: PARTNER_SEARCH,
			before:
				"Only commissions created before this, and amounts credited back at any time: a day in the program's time zone (`2026-01-31`) or a time. A time without an offset is in that time zone.",
			minimum_cents: `Only who is then paid at least that much, in minor units of the currency, 0 to ${MAX_AMOUNT_CENTS.toLocaleString('en')}. By default the program's \`payout_minimum_cents\`, in its own currency.`,
		}),
		answers: { 202: { description: 'The run has started.', schema: answerOf(Run, 'The run.') } },
		errors: [
			notFound('Partner {id}', 'The partner does not belong to this program.'),
			conflict('A pay run of this program is in progress. Wait until it is done or stop it', 'One at a time.'),
		],
		examples: [{ name: 'everybody', summary: 'Everybody who is due at least 10.00', body: { minimum_cents: 1000 } }],
	},
]);
