import '../settings.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ago, moment } from '../../../format.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { Filter, Search } from '../../../ui/fields.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { usePageLimit } from '../../../ui/page-size.ts';
import { Paging } from '../../../ui/paging.tsx';
import { Badge } from '../../../ui/small.tsx';
import { useProgram } from '../../use-program.ts';
import { EventPanel } from './event-panel.tsx';
import { EVENT_STATES, type EventState, isEventState } from './event-states.ts';
import { eventsQuery, type ListedEvent, type Processor, processorsQuery } from './processors-query.ts';
import { ReplayMany } from './replay-many.tsx';

const route = getRouteApi('/shell/programs/$programId/settings/payment-events');

interface EventQuery {
	readonly processor?: string;
	readonly state?: EventState;
	readonly type?: string;
	readonly test?: 'true' | 'false';
	readonly event_id?: string;
	readonly cursor?: string;
}

const STATES = Object.keys(EVENT_STATES)
	.filter(isEventState)
	.map((value) => ({ value, label: EVENT_STATES[value].label }));
const MODES = [
	{ value: 'false', label: 'Live mode' },
	{ value: 'true', label: 'Test mode' },
] as const;

export function PaymentEvents() {
	const { programId, program, can } = useProgram();
	const { event: openId, ...filters } = route.useSearch();
	const navigate = route.useNavigate();
	const processors = useQuery(processorsQuery(programId)).data ?? [];
	const titles = new Map(processors.map(({ processor, title }) => [processor, title]));
	const limit = usePageLimit();
	const query = useQuery({ ...eventsQuery(programId, { ...filters, limit }), placeholderData: keepPreviousData });
	const filterBy = (changed: EventQuery) => void navigate({ search: { ...filters, ...changed, cursor: undefined } });
	const { cursor: _, ...request } = filters;
	const isFiltered = Object.values(request).some((value) => value !== undefined);
	return (
		<Page title="Payment events" actions={can('admin') && <ReplayMany />}>
			<div className="row">
				<Filter
					label="Processor"
					all="All processors"
					options={processors.map(({ processor, title }) => ({ value: processor, label: title }))}
					value={filters.processor}
					onChange={(processor) => filterBy({ processor, type: undefined })}
				/>
				<Filter label="State" all="All states" options={STATES} value={filters.state} onChange={(state) => filterBy({ state })} />
				<TypeFilter processors={processors} request={filters} onChange={(type) => filterBy({ type })} />
				<Filter label="Mode" all="Both modes" options={MODES} value={filters.test} onChange={(test) => filterBy({ test })} />
				<Search label="Event id" value={filters.event_id} onSearch={(eventId) => filterBy({ event_id: eventId })} />
			</div>
			<Card isFlush>
				<Loaded query={query} lines={8}>
					{({ data, meta }) => (
						<>
							<DataTable
								label="Events"
								rows={data}
								isStale={query.isPlaceholderData}
								onOpen={({ id }) => void navigate({ search: { ...filters, event: String(id) } })}
								empty={
									isFiltered ? (
										<Empty title="No events match">Remove a filter to see more.</Empty>
									) : (
										<Empty title="No payment processor has sent anything yet">
											Every event that arrives appears here, with its outcome and the reason.
										</Empty>
									)
								}
								columns={[
									{ id: 'type', label: 'Event', cell: (event) => <EventName event={event} /> },
									{ id: 'processor', label: 'From', cell: ({ processor }) => titles.get(processor) },
									{
										id: 'state',
										label: 'Outcome',
										cell: ({ state }) => <Badge tone={EVENT_STATES[state].tone}>{EVENT_STATES[state].label}</Badge>,
									},
									{ id: 'reason', label: 'Reason', cell: ({ reason }) => <span className="cut reason">{reason}</span> },
									{
										id: 'received',
										label: 'Received',
										cell: ({ received_at: at }) => (
											<span className="when" title={moment(at, program.time_zone)}>
												{ago(at)}
											</span>
										),
									},
									{ id: 'attempts', label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
								]}
							/>
							<Paging
								isSizable
								cursor={filters.cursor}
								meta={meta}
								shown={data.length}
								onChange={(cursor) => void navigate({ search: { ...filters, cursor } })}
							/>
						</>
					)}
				</Loaded>
			</Card>
			{openId !== undefined && (
				<EventPanel
					eventId={openId}
					listed={query.data?.data.find(({ id }) => String(id) === openId)}
					onClose={() => void navigate({ search: filters })}
				/>
			)}
		</Page>
	);
}

function EventName({ event }: { event: ListedEvent }) {
	return (
		<span className="row">
			<code className="nowrap">{event.type}</code>
			{event.test && <Badge tone="accent">Test</Badge>}
		</span>
	);
}

interface TypeFilterProps {
	readonly processors: readonly Processor[];
	readonly request: Pick<EventQuery, 'processor' | 'type'>;
	readonly onChange: (type: string | undefined) => void;
}

/** Only types that are processed. */
function TypeFilter({ processors, request, onChange }: TypeFilterProps) {
	const read = processors.filter(({ processor }) => request.processor === undefined || processor === request.processor);
	const types = new Set([...read.flatMap(({ events }) => events), ...(request.type === undefined ? [] : [request.type])]);
	return (
		<Filter
			label="Type"
			all="All types"
			options={[...types].map((type) => ({ value: type, label: type }))}
			value={request.type}
			onChange={onChange}
		/>
	);
}
