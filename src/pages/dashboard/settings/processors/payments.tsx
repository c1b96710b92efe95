import '../settings.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ago, dayOf } from '../../../format.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Badge } from '../../../ui/small.tsx';
import { useProgram } from '../../use-program.ts';
import { Findings } from './findings.tsx';
import { eventsQuery, type Processor, processorsQuery } from './processors-query.ts';

export function Payments() {
	const { programId, program } = useProgram();
	const query = useQuery(processorsQuery(programId));
	return (
		<Page title="Payments">
			<p className="quiet">
				Once a payment processor sends its signed events here, it reports payments, renewals, refunds and disputes automatically. You can
				connect several. Your backend reports the payments that none of them handles (
				<Link to="/programs/$programId/setup" params={{ programId }}>
					set-up
				</Link>
				).
			</p>
			<Findings names={['sales_reported_once']} />
			<Card isFlush>
				<Loaded query={query}>
					{(processors) => (
						<DataTable
							label="Payment processors"
							rows={processors.map((one) => ({ ...one, id: one.processor }))}
							empty={null}
							columns={[
								{ id: 'processor', label: 'Processor', cell: (one) => <ToProcessor processor={one} /> },
								{ id: 'state', label: 'State', cell: ({ connected }) => <Connected isConnected={connected} /> },
								{ id: 'last', label: 'Last event', cell: (one) => one.connected && <LastEvent processor={one} /> },
								{
									id: 'since',
									label: 'Since',
									cell: ({ created_at: at }) => at && <span className="when">{dayOf(at, program.time_zone)}</span>,
								},
							]}
						/>
					)}
				</Loaded>
			</Card>
		</Page>
	);
}

function ToProcessor({ processor: { processor, title } }: { processor: Processor }) {
	const { programId } = useProgram();
	return (
		<Link to="/programs/$programId/settings/payments/$processor" params={{ programId, processor }}>
			{title}
		</Link>
	);
}

export function Connected({ isConnected }: { isConnected: boolean }) {
	return isConnected ? <Badge tone="good">Connected</Badge> : <Badge>Not connected</Badge>;
}

function LastEvent({ processor: { processor } }: { processor: Processor }) {
	const { programId } = useProgram();
	const { data } = useQuery(eventsQuery(programId, { processor, limit: '1' }));
	const [event] = data?.data ?? [];
	return <span className="nowrap">{event ? ago(event.received_at) : data ? 'None yet' : '…'}</span>;
}
