import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { count, moment } from '../../format.ts';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Paging } from '../../ui/paging.tsx';
import { Badge } from '../../ui/small.tsx';
import { useProgram } from '../use-program.ts';
import { CustomerTabs } from './customer-parts.tsx';

const route = getRouteApi('/shell/programs/$programId/customers/erasures');

async function readErasures(programId: string, cursor: string | undefined, signal: AbortSignal) {
	return answerOf(
		api.v1.programs[':id'].customers.erasures.$get({ param: { id: programId }, query: { cursor, total: 'true' } }, { init: { signal } }),
	);
}

type Erasure = Awaited<ReturnType<typeof readErasures>>['data'][number];

/** Never shows whose data was erased. */
export function Erasures() {
	const { program, programId } = useProgram();
	const { cursor } = route.useSearch();
	const navigate = route.useNavigate();
	const query = useQuery({
		queryKey: ['erasures', programId, cursor],
		queryFn: ({ signal }) => readErasures(programId, cursor, signal),
		placeholderData: keepPreviousData,
	});
	return (
		<Page title="Erasures">
			<CustomerTabs />
			<p className="quiet">
				This list shows what was erased, when and by whom. It never shows whose data it was. For 15 days, the service keeps searching for
				data that was still in its queues.
			</p>
			<Loaded query={query} lines={10}>
				{({ data, meta }) => (
					<>
						<Card isFlush>
							<DataTable
								label="Erasures"
								columns={columnsIn(program.time_zone)}
								rows={data}
								isStale={query.isPlaceholderData}
								empty={
									<Empty title="No erasures yet">
										<span>To erase a customer’s personal data, open the customer. Each erasure appears here.</span>
									</Empty>
								}
							/>
						</Card>
						<Paging cursor={cursor} meta={meta} shown={data.length} onChange={(next) => void navigate({ search: { cursor: next } })} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

const COUNTED = [
	['customers', 'Customers'],
	['clicks', 'Clicks'],
	['leads', 'Sign-ups'],
	['sales', 'Sales'],
	['refusals', 'Refused calls'],
	['processor_events', 'Payment events'],
	['dead_letters', 'Dead letters'],
	['notifications', 'Notifications'],
] as const;

function columnsIn(timeZone: string): ColumnOf<Erasure>[] {
	return [
		{ id: 'requested_at', label: 'When', cell: ({ requested_at }) => <span className="nowrap">{moment(requested_at, timeZone)}</span> },
		{ id: 'requested_by', label: 'By', cell: ({ requested_by }) => <span className="cut">{requested_by.name}</span> },
		{
			id: 'state',
			label: 'State',
			cell: ({ next_search_at }) =>
				next_search_at === null ? (
					<Badge tone="good">Done</Badge>
				) : (
					<Badge tone="accent" reason={`Erased. The next search for late data is on ${moment(next_search_at, timeZone)}.`}>
						Still searching
					</Badge>
				),
		},
		...COUNTED.map(([id, label]) => ({ id, label, isNumber: true, cell: ({ erased }: Erasure) => count(erased[id]) })),
	];
}
