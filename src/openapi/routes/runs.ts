import * as z from 'zod/mini';
import { PAY_OUTCOMES } from '../../domain/payouts/due.ts';
import { RUN_KINDS, RUN_STATES } from '../../domain/run.ts';
import { ResultQuery, RunQuery } from '../../http/management/runs.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, NEXT_FIELDS, NextMeta, PAGE_FIELDS, pageOf, Text } from '../answers.ts';
import { conflict, notFound } from '../errors.ts';
import { is, named } from '../json-schema.ts';
import { fieldsOf } from '../operation.ts';
import { underProgram } from '../under.ts';

export const Run = named(
	'Run',
	'Work on everything that matches a filter. The server does it in slices, and goes on after a crash.',
	z.object({
		id: is(Id, 'Id of the run.'),
		kind: is(z.enum(RUN_KINDS), '`pay`: it makes payouts. `approve` and `reject`: it decides commissions.'),
		state: is(
			z.enum(RUN_STATES),
			'`running`; `done`; `stopped`: by a person; `failed`: slice after slice failed. What a run did before it was stopped or failed stays done.',
		),
		filter: is(z.record(z.string(), z.unknown()), 'The fields of the request that started it. `search` is removed when the run ends.'),
		expected_count: is(Count, 'How many payouts were due when it started, or how many commissions were expected.'),
		counts: is(
			z.record(z.string(), Count),
			'What it has done so far. `paid`: payouts; `commissions`: how many they pay; `left_out`: accounts that got no payout. `decided`: commissions that were approved or rejected; `counted`: commissions that matched, if the run had to count them first.',
		),
		sums: is(
			z.record(z.string(), Cents),
			'What its payouts pay so far, or what the commissions have left that it decided, in minor units by currency.',
		),
		created_by: is(z.object({ id: is(Id, 'Id of the user.'), name: is(Text, 'Their name.') }), 'Who started it.'),
		created_at: is(Instant, 'When it was started, UTC.'),
		finished_at: is(z.nullable(Instant), 'When it was over, UTC; null: it is running.'),
		failure_reason: is(z.nullable(Text), 'Why it failed.'),
	}),
);

const RunResult = named(
	'RunResult',
	'What a pay run did for one partner in one currency.',
	z.object({
		partner: is(
			z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') }),
			'Whose account it is.',
		),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		outcome: is(
			z.enum(PAY_OUTCOMES),
			'`paid`; `below_minimum`: less than the minimum would be paid; `in_debt`: a debt leaves nothing, or less than the minimum.',
		),
		payout_id: is(z.nullable(Id), 'Id of the payout; null: none was made.'),
		amount_cents: is(Cents, 'What the payout pays, or would have paid, in minor units.'),
		recovered_cents: is(Cents, 'Deducted for an earlier debt, in minor units.'),
		commissions: is(Count, 'How many commissions it pays.'),
		commissions_left: is(
			Count,
			'How many more could be paid. One payout has at most 10,000 commissions, the oldest ones: start another run to pay the rest.',
		),
	}),
);

const RUN_ID = { runId: 'Id of the run.' };

export const runs = underProgram('Payouts', '/runs', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listRuns',
		summary: 'List runs',
		description: 'The runs of a program, newest first.',
		query: fieldsOf(RunQuery, { ...PAGE_FIELDS, kind: 'Only those of this kind.', state: 'Only those in this state.' }),
		answers: { 200: { description: 'A page of runs.', schema: pageOf(Run, 'Runs, newest first.') } },
		examples: [{ name: 'running', summary: 'What is under way', query: { state: 'running' } }],
	},
	{
		method: 'get',
		path: '/:runId',
		atLeast: 'member',
		id: 'readRun',
		summary: 'Read a run',
		description: 'How far a run has come. Ask again every few seconds while it is `running`.',
		params: RUN_ID,
		answers: { 200: { description: 'The run.', schema: answerOf(Run, 'The run.') } },
		errors: [notFound('Run')],
		examples: [{ name: 'run', summary: 'A run', params: { runId: 1 } }],
	},
	{
		method: 'get',
		path: '/:runId/results',
		atLeast: 'member',
		id: 'listRunResults',
		summary: 'List the results of a pay run',
		description: 'What a pay run did for each partner and currency: those who were left out first.',
		params: RUN_ID,
		query: fieldsOf(ResultQuery, { ...NEXT_FIELDS, outcome: 'Only results of this kind.' }),
		answers: { 200: { description: 'A page of results.', schema: pageOf(RunResult, 'Results.', NextMeta) } },
		errors: [notFound('Run')],
		examples: [{ name: 'results', summary: 'The first results', params: { runId: 1 } }],
	},
	{
		method: 'post',
		path: '/:runId/stop',
		atLeast: 'admin',
		id: 'stopRun',
		summary: 'Stop a run',
		description: 'The run does no further slice. What it did stays done.',
		params: RUN_ID,
		answers: { 200: { description: 'It is stopped.', schema: answerOf(Run, 'The run.') } },
		errors: [notFound('Run'), conflict('Run {id} has already ended', 'It is done, was stopped before, or has failed.')],
		examples: [
			{ name: 'stop', summary: 'A run that is under way', params: { runId: 1 } },
			{ name: 'over', summary: 'It is over', params: { runId: 1 }, status: 409 },
		],
	},
]);
