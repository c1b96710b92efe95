import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { country, dayOf } from '../../format.ts';
import { useChosenColumns } from '../../ui/columns.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Filter } from '../../ui/fields.tsx';
import { ListMenus } from '../../layout/list-menus.tsx';
import { LiveSearch } from '../../ui/live-search.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { usePageLimit } from '../../ui/page-size.ts';
import { Paging } from '../../ui/paging.tsx';
import { RangePicker } from '../../ui/range-picker.tsx';
import { CustomerLink } from '../links.tsx';
import { PartnerPicker } from '../partner-picker.tsx';
import { useProgram } from '../use-program.ts';
import { CustomerStatus, CustomerTabs, nameOf, STATUSES } from './customer-parts.tsx';
import { listDays, listRange } from '../../ui/range.ts';

const route = getRouteApi('/shell/programs/$programId/customers');

type Options = { headers: { Accept: string } } | { init: { signal: AbortSignal } };

function useCustomers() {
	const { programId, program } = useProgram();
	const { cursor, search, status, partner, ...days } = route.useSearch();
	const limit = usePageLimit();
	const request = {
		search,
		status: STATUSES.find(({ value }) => value === status)?.value,
		partner_id: partner,
		...listDays(listRange(days), program.time_zone),
	};
	const ask = (options: Options, page?: { cursor: string | undefined; limit: string | undefined; total: 'true' }) =>
		api.v1.programs[':id'].customers.$get({ param: { id: programId }, query: { ...request, ...page } }, options);
	const query = useQuery({
		queryKey: ['customers', programId, request, cursor, limit],
		queryFn: async ({ signal }) => answerOf(ask({ init: { signal } }, { cursor, limit, total: 'true' })),
		placeholderData: keepPreviousData,
	});
	return { ask, query };
}

type Customer = NonNullable<ReturnType<typeof useCustomers>['query']['data']>['data'][number];

export function Customers() {
	const { program, programId } = useProgram();
	const { cursor, search, status, partner, ...days } = route.useSearch();
	const navigate = route.useNavigate();
	const { ask, query } = useCustomers();
	const choose = (selected: object, replace = false) =>
		void navigate({ search: (before) => ({ ...before, cursor: undefined, ...selected }), replace });
	const columns = columnsIn(program.time_zone);
	const chosen = useChosenColumns('customer', columns);
	const isFiltered = [search, status, partner, days.period, days.from].some((value) => value !== undefined);
	return (
		<Page title="Customers" actions={<CsvButton ask={ask} />}>
			<CustomerTabs />
			<div className="filters">
				<LiveSearch label="Customer key, email or click id" value={search} onSearch={(text) => choose({ search: text }, true)} />
				<Filter
					label="State"
					all="All states"
					options={STATUSES}
					value={STATUSES.find(({ value }) => value === status)?.value}
					onChange={(value) => choose({ status: value })}
				/>
				<PartnerPicker label="Partner" placeholder="All partners" id={partner} onChange={(id) => choose({ partner: id })} />
				<RangePicker
					range={listRange(days)}
					zone={program.time_zone}
					onChange={({ period, from, to }) => choose({ period: period === 'all' ? undefined : period, from, to })}
				/>
				<ListMenus list="customer" columns={columns} />
			</div>
			<Loaded query={query} lines={10}>
				{({ data, meta }) => (
					<>
						<Card isFlush>
							<DataTable
								label="Customers"
								columns={chosen}
								rows={data}
								isStale={query.isPlaceholderData}
								empty={<Nobody isFiltered={isFiltered} hasMore={meta.next_cursor !== null} />}
								onOpen={({ id }) =>
									void navigate({ to: '/programs/$programId/customers/$customerId', params: { programId, customerId: String(id) } })
								}
							/>
						</Card>
						<Paging
							isSizable
							cursor={cursor}
							meta={meta}
							shown={data.length}
							onChange={(next) => void navigate({ search: (before) => ({ ...before, cursor: next }) })}
						/>
					</>
				)}
			</Loaded>
		</Page>
	);
}

function Nobody({ isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }) {
	if (hasMore) {
		return (
			<Empty title="No matches on this page">
				<span>Few customers match these filters. Select Next to search further back.</span>
			</Empty>
		);
	}
	if (isFiltered) {
		return (
			<Empty title="No customers match">
				<span>Search for the start of a customer key, or for a complete email address or click id.</span>
			</Empty>
		);
	}
	return (
		<Empty title="No customers yet">
			<span>People who sign up or buy appear here, with the partner who referred them.</span>
		</Empty>
	);
}

const DAYS = { clicked_at: 'Clicked on', signup_date: 'Signed up on', first_purchase_date: 'First sale on' };

function dayOrNone(at: string | null, timeZone: string): string {
	return at === null ? '–' : dayOf(at, timeZone);
}

function columnsIn(timeZone: string): ColumnOf<Customer>[] {
	return [
		{
			id: 'name',
			onPhone: 'lead',
			label: 'Customer',
			cell: (customer) => (
				<>
					<span className="cut">
						<CustomerLink id={customer.id}>{nameOf(customer)}</CustomerLink>
					</span>
					{customer.customer_key !== null && customer.email !== null && <span className="cut quiet small">{customer.email}</span>}
				</>
			),
		},
		{ id: 'status', onPhone: 'end', label: 'State', cell: (customer) => <CustomerStatus customer={customer} /> },
		{ id: 'partner', onPhone: 'under', label: 'Partner', cell: ({ partner }) => <span className="cut">{partner?.name ?? '–'}</span> },
		{ id: 'link', label: 'Link', cell: ({ link }) => <span className="cut">{link?.short_link ?? '–'}</span> },
		{ id: 'country', label: 'Country', cell: ({ country: code }) => <span className="cut">{code === null ? '–' : country(code)}</span> },
		{ id: 'source', label: 'Source', cell: ({ source }) => <span className="cut">{source ?? '–'}</span> },
		...(['clicked_at', 'signup_date', 'first_purchase_date'] as const).map((id) => ({
			id,
			label: DAYS[id],
			isExtra: true,
			cell: (customer: Customer) => <span className="nowrap">{dayOrNone(customer[id], timeZone)}</span>,
		})),
		{ id: 'created_at', onPhone: 'under-end', label: 'Created', isNumber: true, cell: ({ created_at }) => dayOf(created_at, timeZone) },
	];
}
