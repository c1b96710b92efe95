import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { ago, count, plural } from '../../../format.ts';
import { Confirm } from '../../../ui/dialogs.tsx';
import { store, useStored } from '../../../ui/stored.ts';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { useRefetchAfterRun } from '../use-refetch-after-run.ts';
import { DECIDED, type Decision } from './decisions.ts';
import { sumsText } from '../labels.ts';

const POLL_MS = 1_500;
/** How long a run's result stays on the page. */
const SHOWN_MS = 86_400_000;

async function listRuns(id: string, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id'].runs.$get({ param: { id }, query: { limit: '10' } }, { init: { signal } }))).data;
}

type AnyRun = Awaited<ReturnType<typeof listRuns>>[number];
interface DecisionRun extends AnyRun {
	readonly kind: Decision;
}

/** The newest decision runs, polled while one is running. */
function useDecisionRuns(programId: string): readonly DecisionRun[] | undefined {
	const { data } = useQuery({
		queryKey: ['runs', programId],
		queryFn: ({ signal }) => listRuns(programId, signal),
		refetchInterval: ({ state }) => (state.data?.some(({ state: now }) => now === 'running') ? POLL_MS : false),
	});
	return data?.filter((run): run is DecisionRun => run.kind === 'approve' || run.kind === 'reject');
}

/** Kinds of the active runs: the service refuses a second run of the same kind. */
export function useRunningDecisions(programId: string): ReadonlySet<Decision> {
	const runs = useDecisionRuns(programId) ?? [];
	return new Set(runs.filter(({ state }) => state === 'running').map(({ kind }) => kind));
}

/** The progress of runs, and the last result. */
export function DecisionRuns() {
	const { programId } = useProgram();
	const loaded = useDecisionRuns(programId);
	useRefetchAfterRun(loaded, { predicate: ({ queryKey }) => queryKey[0] !== 'runs' });
	const runs = loaded ?? [];
	const running = runs.filter(({ state }) => state === 'running');
	const [hidden, hide] = useHidden();
	const [last] = runs;
	const isShown = last && last.state !== 'running' && last.id > hidden && Date.now() - Date.parse(last.created_at) < SHOWN_MS;
	return (
		<>
			{running.map((run) => (
				<Progress key={run.id} run={run} />
			))}
			{isShown && (
				<div className={`note bar ${toneOf(last)}`} role="status">
					<span className="lines">
						<span>{resultOf(last)}</span>
						<span className="quiet small">
							Started by {last.created_by.name}, {ago(last.created_at)}
						</span>
					</span>
					<Button onPress={() => hide(last.id)}>Hide</Button>
				</div>
			)}
		</>
	);
}

const HIDDEN = 'hidden-run';

/** The newest result that was dismissed in this browser. */
function useHidden(): [hidden: number, hide: (id: number) => void] {
	return [Number(useStored(HIDDEN) ?? 0), (id) => store(HIDDEN, String(id))];
}

function Progress({ run }: { run: DecisionRun }) {
	const { programId, can } = useProgram();
	const stop = useAction({
		send: () => answerOf(api.v1.programs[':id'].runs[':runId'].stop.$post({ param: { id: programId, runId: String(run.id) } })),
		successMessage: () => 'Stopped',
	});
	const { decided, counted } = run.counts;
	const isCounting = decided === undefined && counted !== undefined;
	const doing = run.kind === 'approve' ? 'Approving' : 'Rejecting';
	const text = isCounting
		? `Counting before ${doing.toLowerCase()}: ${plural(counted, 'commission')} so far`
		: `${doing} commissions: ${count(decided ?? 0)} of ${count(run.expected_count)}`;
	return (
		<div className="note bar" role="region" aria-label={`${doing} commissions`}>
			<span className="lines run-progress">
				<strong role="status">{text}</strong>
				<progress max={run.expected_count} value={isCounting ? 0 : (decided ?? 0)} aria-label={text} />
				<span className="quiet small">
					Started by {run.created_by.name}, {ago(run.created_at)}. You can leave this page. The run continues.
				</span>
			</span>
			{can('admin') && (
				<Confirm
					trigger={<Button isPending={stop.isPending}>Stop</Button>}
					title={`Stop ${doing.toLowerCase()} commissions?`}
					action="Stop"
					isPending={stop.isPending}
					onConfirm={() => stop.mutate()}
				>
					<p>Decisions made so far stay in force. The other commissions do not change.</p>
				</Confirm>
			)}
		</div>
	);
}

function toneOf({ state, counts, expected_count: expected }: DecisionRun): 'good' | 'warn' | 'bad' {
	if (state === 'failed') return 'bad';
	return state === 'done' && counts['decided'] === expected ? 'good' : 'warn';
}

function resultOf({ kind, state, counts, sums, expected_count: expected, failure_reason: reason }: DecisionRun): string {
	const { decided = 0, counted } = counts;
	const worth = sumsText(Object.entries(sums).map(([currency, cents]) => ({ currency, cents })));
	const made = DECIDED[kind];
	const some =
		decided === 0 ? `Nothing was ${made.toLowerCase()}` : `${made} ${count(decided)} of ${plural(expected, 'commission')}, ${worth}`;
	if (state === 'failed') return `${some}. Then the run failed. ${reason ?? ''}. Select the others again.`;
	if (state === 'stopped') return `${some}. Then the run was stopped. The others did not change.`;
	if (decided === expected) return `${made} ${plural(expected, 'commission')}, ${worth}.`;
	if (decided === 0 && counted !== undefined && counted !== expected)
		return `${some}: ${plural(counted, 'commission')} matched, not ${count(expected)}. Select them again.`;
	if (decided === 0) return `${some}: all of them were refunded, paid or decided by somebody else first.`;
	const left = expected - decided;
	return `${some}. ${left === 1 ? 'The other one was' : `The other ${count(left)} were`} refunded, paid or decided by somebody else first.`;
}
