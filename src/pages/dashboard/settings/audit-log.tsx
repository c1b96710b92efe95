import './settings.css';
import { type CalendarDate, parseDate } from '@internationalized/date';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AUDIT_ACTIONS } from '../../../domain/people/audit-action.ts';
import { answerOf, api } from '../../api.ts';
import { moment } from '../../format.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { SidePanel } from '../../ui/dialogs.tsx';
import { Field } from '../../ui/field.tsx';
import { Filter } from '../../ui/fields.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { usePageLimit } from '../../ui/page-size.ts';
import { Paging } from '../../ui/paging.tsx';
import { archivedProgramsQuery, programsQuery } from '../queries.ts';
import { useProgram } from '../use-program.ts';
import { type AuditEntry, AuditFacts, wordsOf } from '../../account/audit-entry.tsx';
import { OwnersOnly } from './owners-only.tsx';
import { ProgramName } from './program-name.tsx';

const route = getRouteApi('/shell/programs/$programId/settings/audit-log');

const ACTIONS = AUDIT_ACTIONS.map((action) => ({ value: action, label: wordsOf(action) }));

export function AuditLog() {
	const { can } = useProgram();
	return (
		<OwnersOnly title="Audit log" what="Only owners of the workspace can see who did what, when and from where.">
			{can('owner') && <Log />}
		</OwnersOnly>
	);
}

interface AuditFilters {
	readonly action?: string;
	readonly program_id?: string;
	readonly user_id?: string;
	readonly from?: string;
	readonly to?: string;
	readonly cursor?: string;
}

function Log() {
	const { program } = useProgram();
	const param = { id: String(program.workspace_id) };
	const { entry: openId, ...search } = route.useSearch();
	// An unknown action does not filter.
	const filters = { ...search, action: AUDIT_ACTIONS.find((action) => action === search.action) };
	const { cursor, ...request } = filters;
	const days = instantsOf(request, program.time_zone);
	const navigate = route.useNavigate();
	const limit = usePageLimit();
	const query = useQuery({
		queryKey: ['audit-log', param.id, filters, limit],
		queryFn: ({ signal }) =>
			answerOf(
				api.v1.workspaces[':id']['audit-log'].$get({ param, query: { ...filters, ...days, limit, total: 'true' } }, { init: { signal } }),
			),
		placeholderData: keepPreviousData,
	});
	const open = query.data?.data.find(({ id }) => String(id) === openId);
	return (
		<Page
			title="Audit log"
			actions={
				<CsvButton ask={(options) => api.v1.workspaces[':id']['audit-log'].$get({ param, query: { ...request, ...days } }, options)} />
			}
		>
			<Filters request={request} onChange={(changed) => void navigate({ search: { ...request, ...changed } })} />
			<Card isFlush>
				<Loaded query={query} lines={8}>
					{({ data, meta }) => (
						<>
							<DataTable
								label="Audit log"
								rows={data}
								isStale={query.isPlaceholderData}
								onOpen={({ id }) => void navigate({ search: { ...filters, entry: String(id) } })}
								empty={<Empty title="No entries match">Remove a filter to see more.</Empty>}
								columns={[
									{ id: 'action', label: 'Action', cell: ({ action }) => wordsOf(action) },
									{ id: 'who', label: 'Who', cell: ({ user }) => <Who user={user} /> },
									{ id: 'at', label: 'When', cell: ({ at }) => <span className="quiet when">{moment(at, program.time_zone)}</span> },
									{ id: 'program', label: 'Program', cell: ({ program_id: id }) => <ProgramName id={id} /> },
									{ id: 'address', label: 'IP address', cell: ({ address }) => address },
								]}
							/>
							<Paging
								isSizable
								cursor={cursor}
								meta={meta}
								shown={data.length}
								onChange={(next) => void navigate({ search: { ...filters, cursor: next } })}
							/>
						</>
					)}
				</Loaded>
			</Card>
			{open && (
				<SidePanel title={wordsOf(open.action)} onClose={() => void navigate({ search: filters })}>
					<AuditFacts entry={open} zone={program.time_zone} />
				</SidePanel>
			)}
		</Page>
	);
}

/** The log's days are in UTC, but people expect days in the time zone that the page shows. */
function instantsOf({ from, to }: Pick<AuditFilters, 'from' | 'to'>, zone: string): { from?: string; to?: string } {
	const startOf = (date: CalendarDate) => date.toDate(zone).getTime();
	return {
		from: from && new Date(startOf(parseDate(from))).toISOString(),
		to: to && new Date(startOf(parseDate(to).add({ days: 1 })) - 1).toISOString(),
	};
}

function Filters({ request, onChange }: { request: AuditFilters; onChange: (changed: AuditFilters) => void }) {
	const { program } = useProgram();
	const { data: programs } = useSuspenseQuery(programsQuery);
	const { data: archived = [] } = useQuery(archivedProgramsQuery);
	const workspaceId = String(program.workspace_id);
	const { data: members } = useQuery({
		queryKey: ['members', workspaceId, 'all'],
		queryFn: async ({ signal }) =>
			(await answerOf(api.v1.workspaces[':id'].members.$get({ param: { id: workspaceId }, query: { limit: '200' } }, { init: { signal } })))
				.data.members,
	});
	return (
		<div className="row audit-filters">
			<Filter label="Action" all="All actions" options={ACTIONS} value={request.action} onChange={(action) => onChange({ action })} />
			<Filter
				label="Program"
				all="All programs"
				options={[...programs, ...archived]
					.filter(({ workspace_id: id }) => id === program.workspace_id)
					.map(({ id, name }) => ({ value: String(id), label: name }))}
				value={request.program_id}
				onChange={(id) => onChange({ program_id: id })}
			/>
			<Filter
				label="Person"
				all="Everyone"
				options={(members ?? []).map(({ user }) => ({ value: String(user.id), label: user.name }))}
				value={request.user_id}
				onChange={(id) => onChange({ user_id: id })}
			/>
			<Field label="From" type="date" value={request.from ?? ''} onChange={(from) => onChange({ from: from || undefined })} />
			<Field label="To" type="date" value={request.to ?? ''} onChange={(to) => onChange({ to: to || undefined })} />
		</div>
	);
}

function Who({ user }: { user: AuditEntry['user'] }) {
	return user ? <span className="cut">{user.name}</span> : <span className="quiet">Unknown</span>;
}
