import './settings.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { ago, moment } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { SidePanel } from '../../ui/dialogs.tsx';
import { Filter } from '../../ui/fields.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Paging } from '../../ui/paging.tsx';
import { Badge, Facts, type Tone } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import { OwnersOnly } from './owners-only.tsx';
import { ProgramName } from './program-name.tsx';

const route = getRouteApi('/shell/programs/$programId/settings/undelivered');

async function listDeadLetters(query: { waiting?: 'true'; cursor?: string }, signal: AbortSignal) {
	return answerOf(api.v1['dead-letters'].$get({ query: { ...query, total: 'true' } }, { init: { signal } }));
}

type DeadLetter = Awaited<ReturnType<typeof listDeadLetters>>['data'][number];

const KINDS: Readonly<Record<string, string>> = {
	click: 'A click to store',
	effects: 'Effects of a sale, refund or payout',
	processor_events: 'Payment processor events',
	mail: 'An email',
};

/** Queue messages that failed every retry. */
export function DeadLetters() {
	const { can } = useProgram();
	return (
		<OwnersOnly
			title="Undelivered work"
			what="Only owners of the workspace can see and retry the messages that the service could not process."
		>
			{can('owner') && <DeadLetterList />}
		</OwnersOnly>
	);
}

function DeadLetterList() {
	const { program } = useProgram();
	const { letter: openId, ...filters } = route.useSearch();
	const navigate = route.useNavigate();
	const query = useQuery({
		queryKey: ['dead-letters', filters],
		queryFn: ({ signal }) => listDeadLetters(filters, signal),
		placeholderData: keepPreviousData,
	});
	const open = query.data?.data.find(({ id }) => String(id) === openId);
	return (
		<Page title="Undelivered work">
			<p className="quiet">
				The service does some of its work after it has answered a request, and retries that work if it fails. Messages that failed every
				time wait here, for all workspaces that you own. Retry them after the cause is fixed: nothing takes effect twice. A message of an
				unknown kind cannot be processed, so dismiss it.
			</p>
			<div className="row">
				<Filter
					label="State"
					all="All"
					options={[{ value: 'true', label: 'Waiting' }]}
					value={filters.waiting}
					onChange={(waiting) => void navigate({ search: { waiting } })}
				/>
			</div>
			<Card isFlush>
				<Loaded query={query} lines={6}>
					{({ data, meta }) => (
						<>
							<DataTable
								label="Undelivered work"
								rows={data}
								isStale={query.isPlaceholderData}
								onOpen={({ id }) => void navigate({ search: { ...filters, letter: String(id) } })}
								empty={<Empty title="No failed messages">Messages that fail every time appear here.</Empty>}
								columns={[
									{ id: 'kind', label: 'What', cell: ({ kind }) => KINDS[kind] ?? 'Unknown kind' },
									{ id: 'reason', label: 'Why', cell: ({ reason }) => <span className="cut">{reason}</span> },
									{
										id: 'program',
										label: 'Program',
										cell: ({ program_id: id }) => <ProgramName id={id} none={<span className="quiet">None, or several</span>} />,
									},
									{
										id: 'at',
										label: 'Failed',
										cell: ({ created_at: at }) => (
											<span className="when" title={moment(at, program.time_zone)}>
												{ago(at)}
											</span>
										),
									},
									{ id: 'state', label: 'State', cell: (deadLetter) => <State deadLetter={deadLetter} /> },
								]}
							/>
							<Paging
								cursor={filters.cursor}
								meta={meta}
								shown={data.length}
								onChange={(cursor) => void navigate({ search: { ...filters, cursor } })}
							/>
						</>
					)}
				</Loaded>
			</Card>
			{open && (
				<SidePanel title={KINDS[open.kind] ?? 'Unknown kind'} onClose={() => void navigate({ search: filters })}>
					<DeadLetterPanel deadLetter={open} />
				</SidePanel>
			)}
		</Page>
	);
}

function DeadLetterPanel({ deadLetter }: { deadLetter: DeadLetter }) {
	const { program } = useProgram();
	const replay = useAction({
		send: () => answerOf(api.v1['dead-letters'][':id'].replay.$post({ param: { id: String(deadLetter.id) } })),
		successMessage: () => 'The message will be processed again',
	});
	const dismiss = useAction({
		send: () => answerOf(api.v1['dead-letters'][':id'].dismiss.$post({ param: { id: String(deadLetter.id) } })),
		successMessage: () => 'The message was dismissed',
	});
	return (
		<>
			<p className="note bad">{deadLetter.reason}</p>
			<Facts
				facts={[
					['Failed', moment(deadLetter.created_at, program.time_zone)],
					[STATES[deadLetter.state].label, deadLetter.settled_at && moment(deadLetter.settled_at, program.time_zone)],
				]}
			/>
			<div className="actions">
				{deadLetter.kind !== 'unknown' && (
					<Button className="react-aria-Button primary" isPending={replay.isPending} onPress={() => replay.mutate()}>
						Retry
					</Button>
				)}
				{deadLetter.kind === 'unknown' && deadLetter.state === 'waiting' && (
					<Button isPending={dismiss.isPending} onPress={() => dismiss.mutate()}>
						Dismiss the message
					</Button>
				)}
			</div>
			<h3>The message as received</h3>
			<pre className="json" tabIndex={0}>
				{JSON.stringify(deadLetter.body, null, 2)}
			</pre>
		</>
	);
}

const STATES = {
	waiting: { label: 'Waiting', tone: 'warn' },
	replayed: { label: 'Retried', tone: 'good' },
	done: { label: 'Resolved automatically', tone: 'good' },
	dismissed: { label: 'Dismissed', tone: undefined },
} as const satisfies Record<DeadLetter['state'], { label: string; tone: Tone | undefined }>;

function State({ deadLetter }: { deadLetter: DeadLetter }) {
	const { label, tone } = STATES[deadLetter.state];
	return <Badge {...(tone && { tone })}>{label}</Badge>;
}
