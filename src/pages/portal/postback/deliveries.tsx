import { moment } from '../../format.ts';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/small.tsx';
import { useMembership } from '../memberships.ts';
import { useNarrow } from '../use-narrow.ts';
import type { Delivery } from './queries.ts';
import { eventName } from './words.ts';

/** What one's system was called for, and what it answered. */
export function Deliveries({ rows, isStale }: { rows: readonly Delivery[]; isStale: boolean }) {
	const { zone } = useMembership();
	const isNarrow = useNarrow();
	return (
		<DataTable
			label="Last calls"
			columns={columnsOf(zone, isNarrow)}
			rows={rows}
			isStale={isStale}
			empty={<Empty title="No calls yet">Send a test, or wait for the first sale: each call of the last 30 days stands here.</Empty>}
		/>
	);
}

function columnsOf(zone: string, isNarrow: boolean): readonly ColumnOf<Delivery>[] {
	const when = ({ created_at }: Delivery) => <span className="nowrap">{moment(created_at, zone)}</span>;
	if (isNarrow) {
		const cell = (row: Delivery) => (
			<span className="stack tight">
				{when(row)}
				<What delivery={row} />
				<span className="small">
					<Result delivery={row} />
				</span>
				<span className="wrap code small">{row.url}</span>
			</span>
		);
		return [{ id: 'call', label: 'Call', cell }];
	}
	return [
		{ id: 'when', label: 'When', cell: when },
		{ id: 'event', label: 'Event', cell: (row) => <What delivery={row} /> },
		{ id: 'result', label: 'Answer', cell: (row) => <Result delivery={row} /> },
		{ id: 'url', label: 'Address', cell: ({ url }) => <span className="wrap normal code small">{url}</span> },
	];
}

function What({ delivery: { event, test } }: { delivery: Delivery }) {
	return (
		<span className="row">
			{eventName(event)} {test && <Badge>Test</Badge>}
		</span>
	);
}

function Result({ delivery }: { delivery: Delivery }) {
	const { zone } = useMembership();
	const { status, attempts, last_status, last_error, last_response, next_attempt_at } = delivery;
	const answer = [last_status === null ? undefined : `It answered ${last_status}.`, last_error && `${last_error}.`, last_response];
	const reason = answer.filter((part) => part).join(' ');
	if (status === 'delivered')
		return (
			<Badge tone="good" reason={reason}>
				Taken
			</Badge>
		);
	if (status === 'failed')
		return (
			<Badge tone="bad" reason={reason}>
				Given up
			</Badge>
		);
	if (attempts === 0) return <Badge>On its way</Badge>;
	return (
		<span className="lines">
			<Badge tone="warn" reason={reason}>
				{last_status === null ? 'No answer' : `Answered ${last_status}`}
			</Badge>
			{next_attempt_at !== null && <span className="quiet small">Again {moment(next_attempt_at, zone)}</span>}
		</span>
	);
}
