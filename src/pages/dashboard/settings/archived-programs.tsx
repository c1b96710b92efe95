import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { dayOf } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Card } from '../../ui/page.tsx';
import { archivedProgramsQuery } from '../queries.ts';
import { useRestore } from './use-archive.ts';
import { useWorkspace } from './use-workspace.ts';

/** The program menu omits archived programs. Shows nothing if there are none. */
export function ArchivedPrograms() {
	const { id: workspaceId, zone, may } = useWorkspace();
	const { data = [] } = useQuery(archivedProgramsQuery);
	const rows = data.filter(({ workspace_id: id }) => String(id) === workspaceId);
	if (rows.length === 0) return null;
	return (
		<Card title="Archived programs" isFlush>
			<DataTable
				label="Archived programs"
				rows={rows}
				columns={[
					{
						id: 'name',
						label: 'Name',
						cell: ({ id, name }) => (
							<Link className="cut" to="/programs/$programId" params={{ programId: String(id) }}>
								{name}
							</Link>
						),
					},
					{
						id: 'archived',
						label: 'Archived',
						cell: ({ archived_at: at }) => <span className="when">{at === null ? '' : dayOf(at, zone)}</span>,
					},
					{ id: 'actions', label: 'Actions', cell: ({ id, name }) => may('owner') && <Restore id={String(id)} name={name} /> },
				]}
				empty={null}
			/>
		</Card>
	);
}

function Restore({ id, name }: { id: string; name: string }) {
	const restore = useRestore(id);
	return (
		<Button aria-label={`Restore ${name}`} isPending={restore.isPending} onPress={() => restore.mutate()}>
			Restore
		</Button>
	);
}
