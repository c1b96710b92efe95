import * as z from 'zod/mini';
import { PAY_OUTCOMES } from '../../domain/payouts/due.ts';
import { RUN_KINDS, RUN_STATES } from '../../domain/run.ts';
import { ResultQuery, RunQuery, type runs as runRoutes } from '../../http/management/runs.ts';
import { answerOfRoute } from '../answer-of-route.ts';
import {
	answerOf,
	Cents,
	Count,
	CurrencyCode,
	Id,
	Instant,
	NEXT_FIELDS,
	NextMeta,
	PAGE_FIELDS,
	pageOf,
	pageWith,
	Text,
} from '../answers.ts';
import { conflict, notFound } from '../errors.ts';
import { is, named } from '../json-schema.ts';
import { fieldsOf } from '../operation.ts';
import { underProgram } from '../under.ts';

export const Run = named(
	'Run',
	'Work on everything that matches a filter. The server does it in slices and continues after a crash.',
	z.object({
		id: is(Id, "The run's id."),
		kind: is(z.enum(RUN_KINDS), '`pay` makes payouts; `approve` and `reject` decide commissions.'),
		state: is(
			z.enum(RUN_STATES),
			'`running`; `done`; `stopped`: by a person; `failed`: slices failed repeatedly. Work done before a run was stopped or failed is kept.',
		),
		filter: is(z.record(z.string(), z.unknown()), 'The fields of the request that started it. `search` is removed when the run has ended.'),
		expected_count: is(Count, 'The number of payouts due when it started, or of commissions expected.'),
		counts: is(
			z.record(z.string(), Count),
			'The progress so far. `paid`: payouts; `commissions`: commissions in these payouts; `left_out`: accounts that got no payout; `decided`: commissions approved or rejected; `counted`: matching commissions, if the run had to count them first.',
		),
		sums: is(
			z.record(z.string(), Cents),
			'The sum of its payouts so far, or of what is left of the commissions it decided, in minor units by currency.',
		),
		created_by: is(z.object({ id: is(Id, "The user's id."), name: is(Text, 'Their name.') }), 'Who started it.'),
		created_at: is(Instant, 'When it was started, UTC.'),
		finished_at: is(z.nullable(Instant), 'When it ended, UTC; null while it is running.'),
		failure_reason: is(z.nullable(Text), 'Why it failed.'),
	}),
);

const RunResult = named(
	'RunResult',
	'What a pay run did for one partner in one currency.',
	z.object({
		partner: is(
			z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") }),
			'The partner who owns the account.',
		),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		outcome: is(
			z.enum(PAY_OUTCOMES),
			'`paid`; `below_minimum`: less than the minimum would have been paid; `in_debt`: a debt leaves nothing, or less than the minimum.',
		),
		payout_id: is(z.nullable(Id), "The payout's id; null if none was made."),
		amount_cents: is(Cents, 'The amount that the payout pays, or would have paid, in minor units.'),
		recovered_cents: is(Cents, 'The amount deducted for an earlier debt, in minor units.'),
		commissions: is(Count, 'The number of commissions it pays.'),
		commissions_left: is(
			Count,
			'The number of further commissions that could be paid. One payout has at most 10,000 commissions, the oldest ones: start another run to pay the rest.',
		),
	}),
);

const RUN_ID = { runId: "The run's id." };

export const runs = underProgram('Payouts', '/runs', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listRuns',
		summary: 'List runs',
		description: 'The runs of a program, newest first.',
		query: fieldsOf(RunQuery, { ...PAGE_FIELDS, kind: 'Only runs of this kind.', state: 'Only runs in this state.' }),
		answers: {
			200: { description: 'A page of runs.', schema: answerOfRoute<typeof runRoutes, '/', '$get'>()(pageOf(Run, 'Runs, newest first.')) },
		},
		examples: [{ name: 'running', summary: 'Runs in progress', query: { state: 'running' } }],
	},
	{
		method: 'get',
		path: '/:runId',
		atLeast: 'member',
		id: 'readRun',
		summary: 'Read a run',
		description: 'The progress of a run. Poll it every few seconds while it is `running`.',
		params: RUN_ID,
		answers: { 200: { description: 'The run.', schema: answerOfRoute<typeof runRoutes, '/:runId', '$get'>()(answerOf(Run, 'The run.')) } },
		errors: [notFound('Run')],
		examples: [{ name: 'run', summary: 'A run', params: { runId: 1 } }],
	},
	{
		method: 'get',
		path: '/:runId/results',
		atLeast: 'member',
		id: 'listRunResults',
		summary: 'List the results of a pay run',
		description: 'What a pay run did for each partner and currency; those left out come first.',
		params: RUN_ID,
		query: fieldsOf(ResultQuery, { ...NEXT_FIELDS, outcome: 'Only results with this outcome.' }),
		answers: {
			200: {
				description: 'A page of results.',
				schema: answerOfRoute<typeof runRoutes, '/:runId/results', '$get'>()(pageWith(NextMeta, RunResult, 'Results.')),
			},
		},
		errors: [notFound('Run')],
		examples: [{ name: 'results', summary: 'The first results', params: { runId: 1 } }],
	},
	{
		method: 'post',
		path: '/:runId/stop',
		atLeast: 'admin',
		id: 'stopRun',
		summary: 'Stop a run',
		description: 'The run processes no further slice. Work already done is kept.',
		params: RUN_ID,
		answers: {
			200: {
				description: 'The run is stopped.',
				schema: answerOfRoute<typeof runRoutes, '/:runId/stop', '$post'>()(answerOf(Run, 'The run.')),
			},
		},
		errors: [notFound('Run'), conflict('Run {id} has already ended', 'The run is done, stopped or failed.')],
		examples: [
			{ name: 'stop', summary: 'A run in progress', params: { runId: 1 } },
			{ name: 'over', summary: 'The run has ended', params: { runId: 1 }, status: 409 },
		],
	},
]);
