import './partners.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { type PartnerRanking, PARTNER_RANKINGS } from '../../../domain/reporting/partner-ranking.ts';
import { plural } from '../../format.ts';
import { useChosenColumns } from '../../ui/columns.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Filter } from '../../ui/fields.tsx';
import { ListMenus } from '../../layout/list-menus.tsx';
import { LiveSearch } from '../../ui/live-search.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { usePageLimit } from '../../ui/page-size.ts';
import { Paging } from '../../ui/paging.tsx';
import { RangePicker } from '../../ui/range-picker.tsx';
import { SearchNote } from '../../ui/search-note.tsx';
import { useProgram } from '../use-program.ts';
import { AddPartner } from './add-partner.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { placedOnPhone, usePartnerColumns } from './partner-columns.tsx';
import { groupsQuery } from './queries.ts';
import { askRanking, type RankedPartner, rangeOf, sendRanking, USUAL_SORT } from './ranking.ts';
import type { PartnerSearch } from './routes.ts';
import { StatusDialog } from './status-dialog.tsx';
import { ClearSelection } from '../../ui/clear-selection.tsx';
import { useSelection } from '../use-selection.ts';
import { STATUS_OPTIONS } from './labels.tsx';

const route = getRouteApi('/shell/programs/$programId/partners');

export function Partners() {
	const { programId, program, can } = useProgram();
	const search = route.useSearch();
	const navigate = route.useNavigate();
	const show = (change: Partial<PartnerSearch>, replace = false) =>
		void navigate({ search: { ...search, cursor: undefined, ...change }, replace });
	const limit = usePageLimit();
	const request = { programId, zone: program.time_zone, search, limit };
	const partners = useQuery({
		queryKey: ['partners', 'ranking', request],
		queryFn: ({ signal }) => askRanking(request, signal),
		placeholderData: keepPreviousData,
	});
	return (
		<Page
			title="Partners"
			actions={
				<>
					<RangePicker
						range={rangeOf(search)}
						zone={program.time_zone}
						onChange={(range) => show({ from: undefined, to: undefined, ...range })}
					/>
					<CsvButton ask={(options) => sendRanking({ ...request, search: { ...search, cursor: undefined }, limit: undefined }, options)} />
					{can('admin') && <AddPartner />}
				</>
			}
		>
			<Filters filters={search} show={show} />
			<Loaded query={partners} lines={10}>
				{({ data, meta }) => (
					<>
						<PartnerTable rows={data} isStale={partners.isPlaceholderData} filters={search} show={show} />
						<SearchNote meta={meta} />
						<Paging isSizable cursor={search.cursor} meta={meta} shown={data.length} onChange={(cursor) => show({ cursor })} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

interface FilterProps {
	readonly filters: PartnerSearch;
	readonly show: (change: Partial<PartnerSearch>, replace?: boolean) => void;
}

function Filters({ filters, show }: FilterProps) {
	const { programId } = useProgram();
	const { data: groups = [] } = useQuery(groupsQuery(programId));
	return (
		<div className="row">
			<LiveSearch label="Name or email address" value={filters.search} onSearch={(search) => show({ search }, true)} />
			<Filter label="Status" all="All statuses" options={STATUS_OPTIONS} value={filters.status} onChange={(status) => show({ status })} />
			{groups.length > 0 && (
				<Filter
					label="Group"
					all="All groups"
					options={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
					value={filters.group}
					onChange={(group) => show({ group })}
				/>
			)}
			<ListMenus list="partner" columns={usePartnerColumns()} />
		</div>
	);
}

function PartnerTable({
	rows,
	isStale,
	filters,
	show,
}: FilterProps & { readonly rows: readonly RankedPartner[]; readonly isStale: boolean }) {
	const { programId, can } = useProgram();
	const navigate = route.useNavigate();
	const members = rows.filter(({ status }) => status !== 'ended');
	const { keys, rows: selected, onChange, clear } = useSelection(filters, members);
	const { sort = USUAL_SORT, period, from, to } = filters;
	const columns = placedOnPhone(useChosenColumns('partner', usePartnerColumns()), sort);
	const order = filters.order ?? usualOrder(sort);
	const sortBy = (by: PartnerRanking) => show({ sort: by, order: by !== sort ? usualOrder(by) : order === 'asc' ? 'desc' : 'asc' });
	return (
		<Card isFlush>
			{selected.length > 0 && <SelectionBar partners={selected} onDone={clear} />}
			<DataTable
				label="Partners"
				columns={columns}
				rows={rows}
				isStale={isStale}
				onOpen={({ id }) =>
					void navigate({
						to: '/programs/$programId/partners/$partnerId',
						params: { programId, partnerId: String(id) },
						search: { period, from, to },
					})
				}
				sort={{ column: sort, direction: order === 'asc' ? 'ascending' : 'descending' }}
				onSort={({ column }) => {
					const by = PARTNER_RANKINGS.find((ranking) => ranking === column);
					if (by) sortBy(by);
				}}
				{...(can('admin') && {
					selection: { keys, onChange, disabled: rows.filter(({ status }) => status === 'ended').map(({ id }) => id) },
				})}
				empty={<NoPartners isFiltered={[filters.status, filters.group, filters.search].some((value) => value !== undefined)} />}
			/>
		</Card>
	);
}

/** Figures sort highest first; names sort from A to Z. */
function usualOrder(by: PartnerRanking): 'asc' | 'desc' {
	return by === 'name' ? 'asc' : 'desc';
}

function NoPartners({ isFiltered }: { isFiltered: boolean }) {
	if (isFiltered) return <Empty title="No partners found">Remove a filter, or search for another part of the name or email address.</Empty>;
	return <Empty title="No partners yet">Add the first one. They get a link to share and an invitation to see what they earn.</Empty>;
}

function SelectionBar({ partners, onDone }: { partners: readonly RankedPartner[]; onDone: () => void }) {
	const active = partners.filter(({ status }) => status === 'active');
	const suspended = partners.filter(({ status }) => status === 'suspended');
	return (
		<div className="bar chosen" role="region" aria-label="Selected partners">
			<span className="row">
				<span>
					<b>{plural(partners.length, 'partner')}</b> selected
				</span>
				<ClearSelection onPress={onDone} />
			</span>
			<div className="actions">
				{active.length > 0 && (
					<StatusDialog trigger={<Button>Suspend {active.length}</Button>} status="suspended" partners={active} onDone={onDone} />
				)}
				{suspended.length > 0 && (
					<StatusDialog trigger={<Button>Resume {suspended.length}</Button>} status="active" partners={suspended} onDone={onDone} />
				)}
				<MoveDialog partners={partners} onDone={onDone} />
				<StatusDialog
					trigger={<Button className="react-aria-Button danger">End {plural(partners.length, 'membership')}</Button>}
					status="ended"
					partners={partners}
					onDone={onDone}
				/>
			</div>
		</div>
	);
}
