import {
	EXPECTED_LIMIT,
	NewDecisionRun,
	type commissionRuns as commissionRunRoutes,
} from '../../../http/management/commissions/commission-runs.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf } from '../../answers.ts';
import { conflict, invalid } from '../../errors.ts';
import { bodyOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { ANOTHER_NUMBER, DECISION_FILTER_FIELDS } from './commissions.ts';
import { Run } from '../runs.ts';

export const commissionRuns = underProgram('Commissions', '/commissions/runs', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'startDecisionRun',
		summary: 'Approve or reject all matching commissions',
		description:
			'Starts a run that approves or rejects any number of commissions that match a filter. The server decides in slices after it has responded: read the run to follow its progress. Commissions recorded after it started are not included. The same rules apply as for `POST .../commissions/approve` and `POST .../commissions/reject`. A commission that is decided, paid or refunded elsewhere first is skipped; when the run is done, `counts.decided` says how many of `expected_count` it decided.',
		body: bodyOf('NewDecisionRun', 'The decision, and the commissions it applies to.', NewDecisionRun, {
			decision: '`approve`: pending commissions. `reject`: pending and approved ones, and what is left of partly refunded ones.',
			filter: {
				text: 'All matching commissions that can be decided this way; `{}` is all of the program.',
				fields: DECISION_FILTER_FIELDS,
			},
			expected_count: `The number of matching commissions that you saw and that can be decided this way, 1 to ${EXPECTED_LIMIT.toLocaleString('en')}. If another number matches, nothing is decided. In a program with more than 10,000 undecided commissions (2,500 with \`search\`) the run counts first, and ends with \`counts.counted\` if the number differs. A run never decides more than this number.`,
			reason: 'Why they are rejected, at most 500 characters; the partners see it. Only with `reject`.',
		}),
		answers: {
			202: {
				description: 'The run has started.',
				schema: answerOfRoute<typeof commissionRunRoutes, '/', '$post'>()(answerOf(Run, 'The run.')),
			},
		},
		errors: [
			invalid('A reason is for rejections only', 'A `reason` was sent with `approve`.'),
			...ANOTHER_NUMBER,
			conflict(
				'Commissions of this program are being approved. Wait until that run is done or stop it',
				'Only one such run can be in progress.',
			),
			conflict(
				'Commissions of this program are being rejected. Wait until that run is done or stop it',
				'Only one such run can be in progress.',
			),
		],
		examples: [
			{
				name: 'approve',
				summary: 'All pending commissions, but the number has changed',
				body: { decision: 'approve', filter: { status: 'pending', to: '2026-01-31' }, expected_count: 6934 },
				status: 409,
			},
			{
				name: 'reject',
				summary: 'All pending commissions of a partner',
				body: { decision: 'reject', filter: { status: 'pending', partner_id: 1 }, expected_count: 1, reason: 'Own purchases' },
			},
		],
	},
]);
