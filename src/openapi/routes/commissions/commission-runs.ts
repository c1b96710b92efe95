import { EXPECTED_LIMIT, NewDecisionRun } from '../../../http/management/commissions/commission-runs.ts';
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
		summary: 'Approve or reject all that match',
		description:
			'Starts a run that approves or rejects all commissions that match a filter and allow it, however many. The server works in slices after the response: read the run to follow it. Commissions recorded after the start are left out. Each is decided as by `POST .../commissions/approve` and `POST .../commissions/reject`. A commission that someone else decides, pays or refunds first does not change. When the run is done, `counts.decided` shows how many of `expected_count` it decided.',
		body: bodyOf('NewDecisionRun', 'What is decided, and how.', NewDecisionRun, {
			decision: '`approve`: pending commissions. `reject`: pending and approved ones, and what is left of partly refunded ones.',
			filter: { text: 'All that it leaves and that can be so decided; `{}` is all of the program.', fields: DECISION_FILTER_FIELDS },
			expected_count: `How many you saw that match and can be so decided, 1 to ${EXPECTED_LIMIT.toLocaleString('en')}. If another number matches, nothing is decided. In a program with more than 10,000 undecided commissions (2,500 with \`search\`) the run counts before it decides anything. It ends with \`counts.counted\` if that is another number. A run never decides more than this number.`,
			reason: 'The reason for the rejection, which the partners receive, at most 500 characters. Only with `reject`.',
		}),
		answers: { 202: { description: 'The run has started.', schema: answerOf(Run, 'The run.') } },
		errors: [
			invalid('A reason is for rejections only', 'A `reason` was sent with `approve`.'),
			...ANOTHER_NUMBER,
			conflict('Commissions of this program are being approved. Wait until that run is done or stop it', 'One at a time.'),
			conflict('Commissions of this program are being rejected. Wait until that run is done or stop it', 'One at a time.'),
		],
		examples: [
			{
				name: 'approve',
				summary: 'All that are pending, and some have gone since',
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
