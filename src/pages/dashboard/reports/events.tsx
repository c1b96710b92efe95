import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { country, day, moment, money, plural } from '../../format.ts';
import { useChosenColumns } from '../../ui/columns.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Toggle } from '../../ui/fields.tsx';
import { ListMenus } from '../../layout/list-menus.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { usePageLimit } from '../../ui/page-size.ts';
import { Paging } from '../../ui/paging.tsx';
import { Badge } from '../../ui/small.tsx';
import { useProgram } from '../use-program.ts';
import { EventFilters, filtersIn } from './event-filters.tsx';
import { EventPanel } from './event-panel.tsx';
import { EVENT_TYPES, TYPE_TONES } from './event-labels.ts';
import { listDays, listRange } from '../../ui/range.ts';
import { useArrivals } from './use-arrivals.ts';

const route = getRouteApi('/shell/programs/$programId/events');

/** Only while the list is visible. */
const LIVE_EVERY_MS = 2_500;

type Options = { headers: { Accept: string } } | { init: { signal: AbortSignal } };

function useEvents() {
	const { programId, program } = useProgram();
	const { cursor, test, live, ...search } = route.useSearch();
	const { period, from, to, ...filters } = filtersIn(search);
	const request = {
		...filters,
		test: test === 'true' ? ('true' as const) : ('false' as const),
		...listDays(listRange({ period, from, to }), program.time_zone),
	};
	const ask = (options: Options, page?: { cursor: string | undefined; limit: string | undefined; total: 'true' }) =>
		api.tracking.events[':programId'].$get({ param: { programId }, query: { ...request, ...page } }, options);
	const isLive = live === 'on' && cursor === undefined;
	const limit = usePageLimit();
	const queryKey = ['events', programId, request, cursor, limit];
	const query = useQuery({
		queryKey,
		queryFn: async ({ signal }) => {
			const { data, meta } = await answerOf(ask({ init: { signal } }, { cursor, limit, total: 'true' }));
			// Each type numbers its events separately, and clicks have click ids.
			return {
				meta,
				events: data.map((event) => ({ ...event, id: `${event.type}-${event.type === 'click' ? event.click_id : event.id}` })),
			};
		},
		placeholderData: keepPreviousData,
		refetchInterval: isLive && LIVE_EVERY_MS,
	});
	const shown = query.isPlaceholderData ? undefined : query.data?.events.map(({ id }) => id);
	const arrived = useArrivals(shown, isLive ? JSON.stringify(queryKey) : undefined);
	return { ask, query, isLive, arrived };
}

export type Event = NonNullable<ReturnType<typeof useEvents>['query']['data']>['events'][number];

export function Events() {
	const { program } = useProgram();
	const { cursor, test, open, ...search } = route.useSearch();
	const filters = filtersIn(search);
	const navigate = route.useNavigate();
	const { ask, query, isLive, arrived } = useEvents();
	const choose = (selected: object) => void navigate({ search: (before) => ({ ...before, cursor: undefined, ...selected }) });
	const show = (id: string | undefined) => void navigate({ search: (before) => ({ ...before, open: id }), resetScroll: false });
	const columns = columnsIn(program.time_zone, arrived);
	const chosen = useChosenColumns('event', columns);
	const isFiltered = Object.values(filters).some((value) => value !== undefined);
	return (
		<Page
			title="Events"
			actions={
				<>
					<span role="status" className="quiet small">
						{isLive && (arrived.size === 0 ? 'Waiting for events' : plural(arrived.size, 'new event'))}
					</span>
					<Toggle isSelected={isLive} onChange={(isOn) => choose({ live: isOn ? 'on' : undefined })}>
						Live
					</Toggle>
					<CsvButton ask={ask} />
				</>
			}
		>
			<EventTabs />
			<div className="row">
				<EventFilters filters={filters} onChoose={choose} />
				<ListMenus list="event" columns={columns} />
			</div>
			<Loaded query={query} lines={10}>
				{({ events, meta }) => (
					<>
						<Card isFlush>
							<DataTable
								label={test === 'true' ? 'Test records' : 'Events'}
								columns={chosen}
								rows={events}
								isStale={query.isPlaceholderData}
								empty={<NothingYet isTest={test === 'true'} isFiltered={isFiltered} />}
								onOpen={({ id }) => show(id)}
							/>
						</Card>
						<Retired until={meta.clicks_retired_until} />
						<Paging
							isSizable
							cursor={cursor}
							meta={meta}
							shown={events.length}
							onChange={(next) => choose({ cursor: next, live: undefined })}
						/>
					</>
				)}
			</Loaded>
			{open !== undefined && <EventPanel name={open} onClose={() => show(undefined)} />}
		</Page>
	);
}

/** Shown only if the selected days reach so far back. */
function Retired({ until }: { until: string | null }) {
	const { type, period, from, to } = filtersIn(route.useSearch());
	const { program } = useProgram();
	const first = listDays(listRange({ period, from, to }), program.time_zone).from;
	if (until === null || (first !== undefined && first > until) || (type !== undefined && !type.includes('click'))) return null;
	return <p className="quiet small">Up to {day(until)}, only clicks of customers are listed. Reports still count all clicks.</p>;
}

function EventTabs() {
	const { programId } = useProgram();
	const to = { to: '/programs/$programId/events', params: { programId }, activeOptions: { exact: true } } as const;
	const { test, live, ...search } = route.useSearch();
	const kept = { ...filtersIn(search), live };
	const isTest = test === 'true';
	return (
		<nav className="tabs" aria-label="Events">
			<Link {...to} search={kept} aria-current={isTest ? undefined : 'page'}>
				Events
			</Link>
			<Link {...to} search={{ ...kept, test: 'true' }} aria-current={isTest ? 'page' : undefined}>
				Test records
			</Link>
		</nav>
	);
}

function NothingYet({ isTest, isFiltered }: { isTest: boolean; isFiltered: boolean }) {
	if (isFiltered) return <Empty title="No events match the filters" />;
	if (isTest) {
		return (
			<Empty title="No test records">
				<span>
					Events that you send with <code>test_mode: true</code>, or in your payment processor&rsquo;s test mode, appear here. They earn
					nothing and are not counted.
				</span>
			</Empty>
		);
	}
	return (
		<Empty title="No events yet">
			<span>Clicks, leads, sales and refunds appear here. Turn on Live to see them as they arrive.</span>
		</Empty>
	);
}

function columnsIn(timeZone: string, arrived: ReadonlySet<string>): ColumnOf<Event>[] {
	return [
		{ id: 'type', onPhone: 'lead', label: 'Event', cell: (event) => <TypeOf event={event} isNew={arrived.has(event.id)} /> },
		{ id: 'at', onPhone: 'under', label: 'When', cell: ({ at }) => <span className="nowrap">{at !== null && moment(at, timeZone)}</span> },
		{ id: 'of', label: 'Customer and transaction', cell: (event) => <Of event={event} /> },
		{
			id: 'partner',
			onPhone: 'under-end',
			label: 'Partner',
			cell: ({ partner }) => <span className="cut short">{partner?.name ?? '–'}</span>,
		},
		{ id: 'link', label: 'Link', cell: ({ short_link }) => <span className="cut short">{short_link ?? '–'}</span> },
		{
			id: 'country',
			label: 'Country',
			cell: ({ country: code }) => <span className="cut short">{code === null ? '–' : country(code)}</span>,
		},
		{
			id: 'amount',
			onPhone: 'end',
			label: 'Amount',
			isNumber: true,
			cell: (event) => amountOf(event) ?? '–',
		},
	];
}

function TypeOf({ event, isNew }: { event: Event; isNew: boolean }) {
	return (
		<span className="row">
			<Badge tone={TYPE_TONES[event.type]}>{EVENT_TYPES[event.type]}</Badge>
			{isNew && <Badge tone="accent">New</Badge>}
			{event.is_bot === true && <Badge>Crawler</Badge>}
		</span>
	);
}

function Of({ event: { customer_key, transaction_id } }: { event: Event }) {
	return (
		<>
			<span className="cut short">{customer_key ?? transaction_id ?? '–'}</span>
			{customer_key !== null && transaction_id !== null && <span className="cut short quiet small">{transaction_id}</span>}
		</>
	);
}

/** Refunds are negative. */
function amountOf({ type, amount_cents, currency }: Event): string | undefined {
	if (amount_cents === null || currency === null) return undefined;
	return money(type === 'refund' ? -amount_cents : amount_cents, currency);
}
