import { moment } from '../../format.ts';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/loaded.tsx';
import { CalledFor, CallResult } from '../../labels/postback.tsx';
import { useMembership } from '../memberships.ts';
import { useNarrow } from '../use-narrow.ts';
import type { Delivery } from './queries.ts';

export function Deliveries({ rows, isStale }: { rows: readonly Delivery[]; isStale: boolean }) {
	const { zone } = useMembership();
	const isNarrow = useNarrow();
	return (
		<DataTable
			label="Last calls"
			columns={columnsOf(zone, isNarrow)}
			rows={rows}
			isStale={isStale}
			empty={<Empty title="No calls yet">Send a test, or wait for the first sale. Calls of the last 30 days appear here.</Empty>}
		/>
	);
}

function columnsOf(zone: string, isNarrow: boolean): readonly ColumnOf<Delivery>[] {
	const when = ({ created_at }: Delivery) => <span className="nowrap">{moment(created_at, zone)}</span>;
	if (isNarrow) {
		const cell = (row: Delivery) => (
			<span className="stack tight">
				{when(row)}
				<CalledFor call={row} />
				<span className="small">
					<CallResult call={row} zone={zone} />
				</span>
				<span className="wrap code small">{row.url}</span>
			</span>
		);
		return [{ id: 'call', label: 'Call', cell }];
	}
	return [
		{ id: 'when', label: 'When', cell: when },
		{ id: 'event', label: 'Event', cell: (row) => <CalledFor call={row} /> },
		{ id: 'result', label: 'Answer', cell: (row) => <CallResult call={row} zone={zone} /> },
		{ id: 'url', label: 'Address', cell: ({ url }) => <span className="wrap normal code small">{url}</span> },
	];
}
