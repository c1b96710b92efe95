import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { moment } from '../format.ts';
import { DataTable } from '../ui/data-table.tsx';
import { SidePanel } from '../ui/dialogs.tsx';
import { Empty, Loaded } from '../ui/loaded.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Paging } from '../ui/paging.tsx';
import { AuditFacts, listOwnEntries, wordsOf } from './audit-entry.tsx';

const route = getRouteApi('/shell/account/history');

export function OwnHistory() {
	const { cursor, entry: openId } = route.useSearch();
	const navigate = route.useNavigate();
	const query = useQuery({
		queryKey: ['own-history', cursor],
		queryFn: ({ signal }) => listOwnEntries(cursor, signal),
		placeholderData: keepPreviousData,
	});
	const open = query.data?.data.find(({ id }) => String(id) === openId);
	return (
		<Page title="History">
			<p className="quiet">Your sign-ins, ended sessions and password changes. Your actions in a workspace are in its audit log.</p>
			<Card isFlush>
				<Loaded query={query} lines={8}>
					{({ data, meta }) => (
						<>
							<DataTable
								label="History"
								rows={data}
								isStale={query.isPlaceholderData}
								onOpen={({ id }) => void navigate({ search: { cursor, entry: String(id) } })}
								empty={<Empty title="Nothing has happened yet" />}
								columns={[
									{ id: 'what', label: 'Action', cell: ({ action }) => wordsOf(action) },
									{ id: 'when', label: 'When', cell: ({ at }) => <span className="quiet when">{moment(at)}</span> },
									{ id: 'from', label: 'IP address', cell: ({ address }) => address },
								]}
							/>
							<Paging cursor={cursor} meta={meta} shown={data.length} onChange={(next) => void navigate({ search: { cursor: next } })} />
						</>
					)}
				</Loaded>
			</Card>
			{open && (
				<SidePanel title={wordsOf(open.action)} onClose={() => void navigate({ search: { cursor } })}>
					<AuditFacts entry={open} />
				</SidePanel>
			)}
		</Page>
	);
}
