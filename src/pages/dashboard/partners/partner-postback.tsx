import { queryOptions, useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { answerOf, api, noneWhereNotFound } from '../../api.ts';
import { dayOf, moment } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm } from '../../ui/dialogs.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, Facts } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { CalledFor, CallResult, eventName } from '../../labels/postback.tsx';
import { useProgram } from '../use-program.ts';
import type { Partner } from './queries.ts';

const NEWEST = '5';

const { postback } = api.v1.programs[':id'].partners[':partnerId'];

async function readPostback(id: string, partnerId: string, signal: AbortSignal) {
	return (await answerOf(postback.$get({ param: { id, partnerId } }, { init: { signal } }))).data;
}

type Postback = Awaited<ReturnType<typeof readPostback>>;

/** Null without a postback. */
function postbackQuery(programId: string, partnerId: string) {
	return queryOptions({
		queryKey: ['postback', programId, partnerId],
		queryFn: ({ signal }) => readPostback(programId, partnerId, signal).catch(noneWhereNotFound),
	});
}

/** Shows nothing for the many partners without one. */
export function PartnerPostback({ partner }: { partner: Partner }) {
	const { programId, can } = useProgram();
	const query = useQuery(postbackQuery(programId, String(partner.id)));
	if (query.isPending || query.data === null) return null;
	return (
		<>
			<Card title="Postback" actions={can('admin') && query.data && <Switch partner={partner} postback={query.data} />}>
				<Loaded query={query}>{(known) => known && <About postback={known} />}</Loaded>
			</Card>
			<Calls partnerId={String(partner.id)} />
		</>
	);
}

const OFF = {
	gone: 'Off: it answered with 410, which means that it is gone',
	failing: 'Off: it failed for too long',
	program: 'Off: switched off by the program',
} as const;

function About({ postback: { url, events, disabled_for, disabled_at, failures } }: { postback: Postback }) {
	const { program } = useProgram();
	const state = disabled_for ? (
		<Badge tone="bad">{OFF[disabled_for]}</Badge>
	) : failures > 0 ? (
		<Badge tone="warn">Failing</Badge>
	) : (
		<Badge tone="good">On</Badge>
	);
	return (
		<div className="stack">
			<p className="quiet">The service calls a system of the partner at this address. It sends no customer data.</p>
			<Facts
				facts={[
					['State', state],
					['Off since', disabled_at && dayOf(disabled_at, program.time_zone)],
					['Address', <span className="wrap code">{url}</span>],
					['Events', events.map(eventName).join(', ')],
				]}
			/>
		</div>
	);
}

function Switch({ partner, postback: { enabled } }: { partner: Partner; postback: Postback }) {
	const { programId } = useProgram();
	const change = useAction({
		send: (isOn: boolean) =>
			answerOf(postback.$patch({ param: { id: programId, partnerId: String(partner.id) }, json: { enabled: isOn } })),
		successMessage: (_done, isOn) => (isOn ? 'Postback switched on' : 'Postback switched off'),
	});
	if (!enabled)
		return (
			<Button isPending={change.isPending} onPress={() => change.mutate(true)}>
				Switch on
			</Button>
		);
	return (
		<Confirm
			trigger={<Button isPending={change.isPending}>Switch off</Button>}
			title={`Switch off the postback of ${partner.name}?`}
			action="Switch off"
			isDangerous
			isPending={change.isPending}
			onConfirm={() => change.mutate(false)}
		>
			<p>Their system receives no more calls, and calls that are waiting are dropped. Only the program can switch it on again.</p>
		</Confirm>
	);
}

function Calls({ partnerId }: { partnerId: string }) {
	const { programId, program } = useProgram();
	const query = useQuery({
		queryKey: ['postback-calls', programId, partnerId],
		queryFn: async ({ signal }) =>
			(await answerOf(postback.deliveries.$get({ param: { id: programId, partnerId }, query: { limit: NEWEST } }, { init: { signal } })))
				.data,
	});
	const zone = program.time_zone;
	return (
		<Card title="Newest postback calls" isFlush>
			<Loaded query={query} lines={2}>
				{(rows) => (
					<DataTable
						label="Newest postback calls"
						rows={rows}
						empty={<Empty title="No calls yet">Calls of the last 30 days are listed here.</Empty>}
						columns={[
							{ id: 'when', label: 'When', cell: ({ created_at }) => <span className="nowrap">{moment(created_at, zone)}</span> },
							{ id: 'event', label: 'Event', cell: (call) => <CalledFor call={call} /> },
							{ id: 'result', label: 'Answer', cell: (call) => <CallResult call={call} zone={zone} /> },
							{ id: 'url', label: 'Address', cell: ({ url }) => <span className="called code small">{url}</span> },
						]}
					/>
				)}
			</Loaded>
		</Card>
	);
}
