import '../partners.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { ago, moment } from '../../../format.ts';
import { CsvButton } from '../../../ui/csv-button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Search } from '../../../ui/fields.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { usePageLimit } from '../../../ui/page-size.ts';
import { Paging } from '../../../ui/paging.tsx';
import { useProgram } from '../../use-program.ts';
import { type Application, askApplications } from './application.tsx';
import { ApplicationTabs } from './application-tabs.tsx';
import { ApplicationPanel } from './application-panel.tsx';
import { type Approved, ApprovedPanel, ApproveDialog, DeclineDialog } from './decide-applications.tsx';
import { FormCard } from './application-form.tsx';
import type { ApplicationSearch } from '../routes.ts';
import { ClearSelection } from '../../../ui/clear-selection.tsx';
import { useSelection } from '../../use-selection.ts';

const route = getRouteApi('/shell/programs/$programId/applications');

export function Applications() {
	const { programId } = useProgram();
	const search = route.useSearch();
	const navigate = route.useNavigate();
	const show = (change: Partial<ApplicationSearch>) => void navigate({ search: { ...search, cursor: undefined, ...change } });
	const request = { ...search, status: search.status ?? 'open', opened: undefined, limit: usePageLimit() } as const;
	const applications = useQuery({
		queryKey: ['applications', programId, request],
		queryFn: ({ signal }) => askApplications(programId, request, signal),
		placeholderData: keepPreviousData,
	});
	const [approved, setApproved] = useState<Approved>();
	const showApproved = (partners: Approved) => {
		setApproved(partners);
		void navigate({ search: { ...search, opened: undefined } });
	};
	const filters = { status: request.status, search: search.search };
	return (
		<Page
			title="Applications"
			actions={
				<CsvButton ask={(options) => api.v1.programs[':id'].applications.$get({ param: { id: programId }, query: filters }, options)} />
			}
		>
			<FormCard />
			<div className="bar">
				<ApplicationTabs filters={search} />
				<Search label="Name or email address" value={search.search} onSearch={(text) => show({ search: text })} />
			</div>
			<Loaded query={applications} lines={6}>
				{({ data, meta }) => (
					<>
						<ApplicationTable
							filters={request}
							rows={data}
							isStale={applications.isPlaceholderData}
							onOpen={(id) => void navigate({ search: { ...search, opened: String(id) } })}
							onApproved={showApproved}
						/>
						<Paging isSizable cursor={search.cursor} meta={meta} shown={data.length} onChange={(cursor) => show({ cursor })} />
						{data
							.filter(({ id }) => String(id) === search.opened)
							.map((application) => (
								<ApplicationPanel
									key={application.id}
									application={application}
									onClose={() => void navigate({ search: { ...search, opened: undefined } })}
									onApproved={showApproved}
								/>
							))}
					</>
				)}
			</Loaded>
			{approved && <ApprovedPanel approved={approved} onClose={() => setApproved(undefined)} />}
		</Page>
	);
}

interface TableProps {
	readonly filters: ApplicationSearch;
	readonly rows: readonly Application[];
	readonly isStale: boolean;
	readonly onOpen: (id: number) => void;
	readonly onApproved: (approved: Approved) => void;
}

function ApplicationTable({ filters, rows, isStale, onOpen, onApproved }: TableProps) {
	const { program, can } = useProgram();
	const open = rows.filter(({ status }) => status === 'open');
	const { keys, rows: selected, onChange, clear } = useSelection(filters, open);
	return (
		<Card isFlush>
			{selected.length > 0 && (
				<div className="bar chosen" role="region" aria-label="Selected applications">
					<span className="row">
						<span>
							<b>{selected.length}</b> selected
						</span>
						<ClearSelection onPress={clear} />
					</span>
					<div className="actions">
						<ApproveDialog applications={selected} onDone={onApproved} />
						<DeclineDialog applications={selected} onDone={clear} />
					</div>
				</div>
			)}
			<DataTable
				label="Applications"
				rows={rows}
				isStale={isStale}
				onOpen={({ id }) => onOpen(id)}
				{...(can('admin') && {
					selection: { keys, onChange, disabled: rows.filter(({ status }) => status !== 'open').map(({ id }) => id) },
				})}
				columns={[
					{
						id: 'name',
						onPhone: 'lead',
						label: 'Applicant',
						cell: ({ name, email }) => (
							<>
								<span className="cut strong">{name}</span>
								<span className="cut quiet small">{email}</span>
							</>
						),
					},
					{ id: 'website', label: 'Website', cell: ({ website }) => <span className="cut brief">{website}</span> },
					{ id: 'message', onPhone: 'under', label: 'Message', cell: ({ message }) => <span className="cut brief quiet">{message}</span> },
					{
						id: 'came',
						onPhone: 'end',
						label: 'Received',
						cell: ({ created_at }) => (
							<time dateTime={created_at} title={moment(created_at, program.time_zone)} className="nowrap">
								{ago(created_at)}
							</time>
						),
					},
				]}
				empty={<Empty title="No applications">Applications to become a partner are listed here.</Empty>}
			/>
		</Card>
	);
}
