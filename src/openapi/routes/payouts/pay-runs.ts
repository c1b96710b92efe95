import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { NewPayRun, type payRuns as payRunRoutes } from '../../../http/management/payouts/pay-runs.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
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
		summary: 'Pay everything that is due',
		description:
			'Starts a run that pays everything that is due and matches, for any number of partners and commissions. The server pays in slices after it has responded: read the run to follow its progress, and its results when it is done. It pays commissions that were recorded before it started. A payout has at most 10,000 commissions, the oldest ones; the results say how many are left. Amounts follow the same rules as `POST .../payouts`.',
		body: bodyOf('NewPayRun', 'The partners to pay, and the conditions.', NewPayRun, {
			partner_ids: 'Only these partners, 1 to 500, whatever the status of their membership.',
			status:
				'Only partners whose membership has this status. Without `partner_ids` and `status`, only active members are paid: suspended and former partners are paid only if you select them or their status.',
			group_id: 'Only partners of this group.',
			method: 'Only partners who are now paid by this method; `none`: those without payout details.',
			search: PARTNER_SEARCH,
			before:
				"Only commissions created before this day of the program's time zone (`2026-01-31`) or time, which without an offset is in that zone. Amounts returned to the balance have no such limit.",
			minimum_cents: `Only partners who are then paid at least this amount, in minor units of the currency, 0 to ${MAX_AMOUNT_CENTS.toLocaleString('en')}. Defaults to the program's \`payout_minimum_cents\`, in its own currency.`,
		}),
		answers: {
			202: { description: 'The run has started.', schema: answerOfRoute<typeof payRunRoutes, '/', '$post'>()(answerOf(Run, 'The run.')) },
		},
		errors: [
			notFound('Partner {id}', 'The partner is not in this program.'),
			conflict('A pay run of this program is in progress. Wait until it is done or stop it', 'Only one pay run can be in progress.'),
		],
		examples: [{ name: 'everybody', summary: 'Every partner who is due at least 10.00', body: { minimum_cents: 1000 } }],
	},
]);
