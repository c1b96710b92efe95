import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { count, moment, plural } from '../../../format.ts';
import { Confirm, DialogButton } from '../../../ui/dialogs.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Card } from '../../../ui/page.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { Badge } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { type PayRun, type RunResult, useLastRun, useResults } from './due-queries.ts';
import { PartnerTable } from './partner-table.tsx';
import { sumsText } from '../labels.ts';

/** The newest pay run: its progress, or its result. It runs on the server. */
export function LastRun() {
	const { programId } = useProgram();
	const run = useLastRun(programId).data;
	if (!run) return null;
	return run.state === 'running' ? <Running run={run} /> : <Finished run={run} />;
}

function Running({ run }: { run: PayRun }) {
	const { programId, can } = useProgram();
	const done = run.counts['paid'] ?? 0;
	const stop = useAction({
		send: () => answerOf(api.v1.programs[':id'].runs[':runId'].stop.$post({ param: { id: programId, runId: String(run.id) } })),
		successMessage: () => 'Stopped: the payouts created so far remain',
	});
	return (
		<Card title="Creating payouts">
			<span role="status">
				{count(done)} of {plural(run.expected_count, 'payout')} created{worthText(run)}
			</span>
			<progress aria-label="Payouts created" value={done} max={Math.max(run.expected_count, done, 1)} />
			<p className="quiet">You can close this page. The run continues on the server.</p>
			{can('admin') && (
				<div className="row">
					<Confirm
						trigger={<Button isPending={stop.isPending}>Stop</Button>}
						title="Stop creating payouts?"
						action="Stop"
						isPending={stop.isPending}
						onConfirm={() => stop.mutate()}
					>
						<p>The payouts created so far remain. You can create the others later.</p>
					</Confirm>
				</div>
			)}
		</Card>
	);
}

const HOW_IT_ENDED: Readonly<Record<Exclude<PayRun['state'], 'running'>, string>> = {
	done: 'Created',
	stopped: 'Stopped. Created',
	failed: 'Failed. Created',
};

function Finished({ run }: { run: PayRun }) {
	const { programId, program } = useProgram();
	const paid = run.counts['paid'] ?? 0;
	const leftOut = run.counts['left_out'] ?? 0;
	const ended = HOW_IT_ENDED[run.state === 'running' ? 'done' : run.state];
	return (
		<div className={`note ${run.state === 'failed' ? 'bad' : ''}`} role="status">
			<strong>
				{ended}: {plural(paid, 'payout')}
				{worthText(run)}
			</strong>{' '}
			<span className="quiet">
				{moment(run.finished_at ?? run.created_at, program.time_zone)}, by {run.created_by.name}
				{leftOut > 0 && `. ${plural(leftOut, 'partner')} left out`}
			</span>{' '}
			<span className="row">
				{paid + leftOut > 0 && (
					<DialogButton trigger={<Button className="react-aria-Button link">See the results</Button>} title="Payout results" isWide>
						{() => <Results runId={String(run.id)} />}
					</DialogButton>
				)}
				{paid > 0 && (
					<Link to="/programs/$programId/payouts/to-send" params={{ programId }} search={{}}>
						Send them
					</Link>
				)}
			</span>
		</div>
	);
}

function worthText({ sums }: PayRun): string {
	const paid = Object.entries(sums).map(([currency, cents]) => ({ currency, cents }));
	return paid.length === 0 ? '' : ` of ${sumsText(paid)}`;
}

function Results({ runId }: { runId: string }) {
	const { programId } = useProgram();
	const [cursor, setCursor] = useState<string>();
	const query = useResults(programId, runId, cursor);
	return (
		<Loaded query={query} lines={8}>
			{({ data, meta }) => (
				<>
					<PartnerTable label="Results by partner" headings={['Result', 'Amount']} rows={data} cell={(row) => <Outcome row={row} />} />
					<Paging cursor={cursor} meta={meta} shown={data.length} onChange={setCursor} />
				</>
			)}
		</Loaded>
	);
}

function Outcome({ row }: { row: RunResult }) {
	if (row.outcome === 'below_minimum') return <Badge>Below the minimum</Badge>;
	if (row.outcome === 'in_debt') return <Badge tone="bad">In debt</Badge>;
	return (
		<>
			Payout {row.payout_id}: {plural(row.commissions, 'commission')}
			{row.commissions_left > 0 && (
				<span className="warn"> {plural(row.commissions_left, 'commission')} left. Create payouts again to pay them.</span>
			)}
		</>
	);
}
