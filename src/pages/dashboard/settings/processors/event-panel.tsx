import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { moment } from '../../../format.ts';
import { SidePanel } from '../../../ui/dialogs.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Badge, CopyButton, Facts } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { EVENT_STATES } from './event-states.ts';
import { type ListedEvent, processorsQuery } from './processors-query.ts';

const inboxEvent = api.v1.programs[':id']['processor-events'][':eventId'];

async function readEvent(id: string, eventId: string, signal?: AbortSignal) {
	return (await answerOf(inboxEvent.$get({ param: { id, eventId } }, { init: { signal } }))).data;
}

interface EventPanelProps {
	readonly eventId: string;
	/** The list's event, for members who may not see the body. */
	readonly listed: ListedEvent | undefined;
	readonly onClose: () => void;
}

export function EventPanel({ eventId, listed, onClose }: EventPanelProps) {
	const { programId, can } = useProgram();
	const isAdmin = can('admin');
	const query = useQuery({
		queryKey: ['processor-event', programId, eventId],
		queryFn: ({ signal }) => readEvent(programId, eventId, signal),
		enabled: isAdmin,
	});
	return (
		<SidePanel title={listed?.type ?? query.data?.type ?? 'Event'} onClose={onClose}>
			{isAdmin ? (
				<Loaded query={query}>
					{(event) => (
						<>
							<Details event={event} />
							<Replay event={event} />
							<Body payload={event.payload} />
						</>
					)}
				</Loaded>
			) : listed ? (
				<>
					<Details event={listed} />
					<p className="description">
						The body of this event may identify customers. Only owners and admins can see it and replay the event.
					</p>
				</>
			) : (
				<Empty title="This event is not on this page of the list" />
			)}
		</SidePanel>
	);
}

function Details({ event }: { event: ListedEvent }) {
	const { programId, program } = useProgram();
	const processors = useQuery(processorsQuery(programId)).data;
	const sender = processors?.find(({ processor }) => processor === event.processor)?.title ?? 'the processor';
	const { label, tone, about } = EVENT_STATES[event.state];
	const at = (iso: string) => <span className="quiet">{moment(iso, program.time_zone)}</span>;
	return (
		<div className="stack">
			<div className={`note ${tone ?? ''} stack tight`}>
				<p>
					<Badge tone={tone}>{label}</Badge> {about}
				</p>
				{event.reason !== null && <p>{event.reason}</p>}
			</div>
			<ol className="timeline">
				<li>
					It happened at {sender}
					{event.test ? ', in test mode' : ''} {at(event.happened_at)}
				</li>
				<li>It arrived here {at(event.received_at)}</li>
				{event.next_attempt_at !== null && (
					<li className="warn">
						It is retried {at(event.next_attempt_at)}; it expires {at(event.expires_at)}
					</li>
				)}
				{event.settled_at !== null && (
					<li className={tone}>
						{label} {at(event.settled_at)}
					</li>
				)}
			</ol>
			<Link to="/programs/$programId/explain" params={{ programId }} search={{ payment_id: event.event_id }}>
				How its outcome was decided, step by step
			</Link>
			<Facts
				facts={[
					[`Id at ${sender}`, <code key="id">{event.event_id}</code>],
					['Attempts', String(event.attempts)],
					['Sale event', event.sale_id === null ? null : String(event.sale_id)],
				]}
			/>
		</div>
	);
}

const LOOKS = 10;
const LOOK_AFTER_MS = 400;

/** Polls until the queue has processed the event again. */
async function replayed(id: string, eventId: string) {
	let { data } = await answerOf(inboxEvent.replay.$post({ param: { id, eventId } }));
	for (let look = 0; look < LOOKS && data.state === 'received'; look += 1) {
		await new Promise((resolve) => setTimeout(resolve, LOOK_AFTER_MS));
		data = await readEvent(id, eventId);
	}
	return data;
}

function Replay({ event: { id, replayable, settled_at: settledAt } }: { event: ListedEvent }) {
	const { programId } = useProgram();
	const replay = useAction({
		send: () => replayed(programId, String(id)),
		successMessage: ({ state }) =>
			state === 'received'
				? 'It will be processed again in a moment'
				: `It was processed again: ${EVENT_STATES[state].label.toLowerCase()}`,
	});
	if (!replayable) return <p className="description">The body of this event was deleted, so it cannot be processed again.</p>;
	// The pressed button must stay, or the panel would lose the focus, and Escape would no longer close it.
	if (settledAt === null && replay.isIdle) return null;
	return (
		<div className="stack tight">
			<div className="actions">
				<Button className="react-aria-Button primary" isPending={replay.isPending} onPress={() => replay.mutate()}>
					Replay
				</Button>
			</div>
			<p className="description">Fix the cause before you replay the event. Nothing is recorded twice.</p>
		</div>
	);
}

function Body({ payload }: { payload: unknown }) {
	if (payload === null) return null;
	const text = JSON.stringify(payload, null, 2);
	return (
		<div className="stack tight">
			<div className="bar">
				<h3>The event as received</h3>
				<CopyButton label="the event" text={text} />
			</div>
			<pre className="json" tabIndex={0}>
				{text}
			</pre>
		</div>
	);
}
