import './partners.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, type Selection, type SortDescriptor } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { plural } from '../../format.ts';
import { DataTable, Paging } from '../../ui/data-table.tsx';
import { Filter, Search } from '../../ui/fields.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useProgram } from '../use-program.ts';
import { AddPartner } from './add-partner.tsx';
import { ColumnChooser, useColumns } from './partner-columns.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { PartnersTabs } from './partners-tabs.tsx';
import { groupsQuery, type Partner } from './queries.ts';
import type { PartnerSearch } from './routes.ts';
import { StatusDialog } from './status-dialog.tsx';
import { STATUS_OPTIONS } from './words.tsx';

const route = getRouteApi('/shell/programs/$programId/partners');

export function Partners() {
	const { programId, may } = useProgram();
	const search = route.useSearch();
	const navigate = route.useNavigate();
	const show = (change: Partial<PartnerSearch>) => void navigate({ search: { ...search, cursor: undefined, ...change } });
	const { status, group: group_id, search: text, sort, cursor } = search;
	const asked = { status, group_id, search: text, sort };
	const partners = useQuery({
		queryKey: ['partners', programId, asked, cursor],
		queryFn: ({ signal }) =>
			answerOf(api.v1.programs[':id'].partners.$get({ param: { id: programId }, query: { ...asked, cursor } }, { init: { signal } })),
		placeholderData: keepPreviousData,
	});
	const isFiltered = [status, group_id, text].some((value) => value !== undefined);
	return (
		<Page title="Partners" actions={may('admin') && <AddPartner />}>
			<PartnersTabs />
			<Filters asked={search} show={show} />
			<Loaded query={partners} lines={10}>
				{({ data, meta }) => (
					<>
						<PartnerTable
							// What was selected is of the rows that were seen.
							key={JSON.stringify([asked, cursor])}
							rows={data}
							isStale={partners.isPlaceholderData}
							isFiltered={isFiltered}
							sort={sort}
							onSort={(next) => show({ sort: next })}
						/>
						<Paging cursor={cursor} next={meta.next_cursor} onChange={(next) => show({ cursor: next })} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

function Filters({ asked, show }: { asked: PartnerSearch; show: (change: Partial<PartnerSearch>) => void }) {
	const { programId } = useProgram();
	const { data: groups = [] } = useQuery(groupsQuery(programId));
	return (
		<div className="bar">
			<div className="row">
				<Search label="Name or e-mail address" value={asked.search} onSearch={(search) => show({ search })} />
				<Filter label="Status" all="Every status" options={STATUS_OPTIONS} value={asked.status} onChange={(status) => show({ status })} />
				{groups.length > 0 && (
					<Filter
						label="Group"
						all="Every group"
						options={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
						value={asked.group}
						onChange={(group) => show({ group })}
					/>
				)}
			</div>
			<ColumnChooser />
		</div>
	);
}

type Sort = NonNullable<PartnerSearch['sort']>;

interface PartnerTableProps {
	readonly rows: readonly Partner[];
	readonly isStale: boolean;
	readonly isFiltered: boolean;
	readonly sort: Sort | undefined;
	readonly onSort: (sort: Sort) => void;
}

function PartnerTable({ rows, isStale, isFiltered, sort = 'newest', onSort }: PartnerTableProps) {
	const { programId, may } = useProgram();
	const columns = useColumns();
	const navigate = route.useNavigate();
	const [keys, setKeys] = useState<Selection>(new Set());
	const inProgram = rows.filter(({ status }) => status !== 'ended');
	const selected = inProgram.filter(({ id }) => keys === 'all' || keys.has(id));
	return (
		<Card isFlush>
			{selected.length > 0 && <Chosen partners={selected} onDone={() => setKeys(new Set())} />}
			<DataTable
				label="Partners"
				columns={columns}
				rows={rows}
				isStale={isStale}
				onOpen={({ id }) =>
					void navigate({ to: '/programs/$programId/partners/$partnerId', params: { programId, partnerId: String(id) }, search: {} })
				}
				sort={DESCRIPTORS[sort]}
				onSort={({ column, direction }) =>
					onSort(column === 'name' ? 'name' : direction === 'ascending' && sort === 'newest' ? 'oldest' : 'newest')
				}
				{...(may('admin') && {
					selection: { keys, onChange: setKeys, disabled: rows.filter(({ status }) => status === 'ended').map(({ id }) => id) },
				})}
				empty={
					isFiltered ? (
						<Empty title="No partner is like that">Take a filter away, or search for how the name or the address begins.</Empty>
					) : (
						<Empty title="No partners yet">Add the first one: they get a link to share and an invitation to see what they earn.</Empty>
					)
				}
			/>
		</Card>
	);
}

const DESCRIPTORS: Readonly<Record<Sort, SortDescriptor>> = {
	name: { column: 'name', direction: 'ascending' },
	newest: { column: 'joined', direction: 'descending' },
	oldest: { column: 'joined', direction: 'ascending' },
};

/** What can be done with those that are selected. */
function Chosen({ partners, onDone }: { partners: readonly Partner[]; onDone: () => void }) {
	const active = partners.filter(({ status }) => status === 'active');
	const suspended = partners.filter(({ status }) => status === 'suspended');
	return (
		<div className="bar chosen" role="region" aria-label="Selected partners">
			<span>
				<b>{plural(partners.length, 'partner')}</b> selected
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
					trigger={<Button className="react-aria-Button danger">End</Button>}
					status="ended"
					partners={partners}
					onDone={onDone}
				/>
			</div>
		</div>
	);
}
