import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { WEBHOOK_TYPES } from '../../../../domain/webhooks/webhook-type.ts';
import { ago, moment } from '../../../format.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { Filter } from '../../../ui/fields.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card } from '../../../ui/page.tsx';
import { usePageLimit } from '../../../ui/page-size.ts';
import { Paging } from '../../../ui/paging.tsx';
import { Badge } from '../../../ui/small.tsx';
import { useProgram } from '../../use-program.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import { answerInWords, DELIVERY_STATUSES, deliveryState } from './webhook-labels.ts';
import { deliveriesQuery, type Delivery, type Webhook } from './webhooks-query.ts';

const route = getRouteApi('/shell/programs/$programId/settings/webhooks/$webhookId');

const STATUSES = (['pending', 'delivered', 'failed'] as const).map((value) => ({ value, label: DELIVERY_STATUSES[value] }));
const TYPES = WEBHOOK_TYPES.map((value) => ({ value, label: value }));

export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
	const { programId } = useProgram();
	const { delivery: openId, ...filters } = route.useSearch();
	const navigate = route.useNavigate();
	const limit = usePageLimit();
	const query = useQuery({ ...deliveriesQuery(programId, String(webhook.id), { ...filters, limit }), placeholderData: keepPreviousData });
	const { status, type, cursor } = filters;
	return (
		<>
			<div className="bar">
				<h2>Deliveries</h2>
				<div className="row">
					<Filter
						label="State"
						all="All states"
						options={STATUSES}
						value={status}
						onChange={(selected) => void navigate({ search: { type, status: selected } })}
					/>
					<Filter
						label="Event"
						all="All events"
						options={TYPES}
						value={type}
						onChange={(selected) => void navigate({ search: { status, type: selected } })}
					/>
				</div>
			</div>
			<Card isFlush>
				<Loaded query={query} lines={8}>
					{({ data, meta }) => (
						<>
							<Table
								rows={data}
								isStale={query.isPlaceholderData}
								isFiltered={status !== undefined || type !== undefined}
								onOpen={({ id }) => void navigate({ search: { ...filters, delivery: String(id) } })}
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
			{openId !== undefined && <DeliveryPanel webhook={webhook} deliveryId={openId} onClose={() => void navigate({ search: filters })} />}
		</>
	);
}

interface TableProps {
	readonly rows: readonly Delivery[];
	readonly isStale: boolean;
	readonly isFiltered: boolean;
	readonly onOpen: (delivery: Delivery) => void;
}

function Table({ rows, isStale, isFiltered, onOpen }: TableProps) {
	return (
		<DataTable
			label="Deliveries"
			rows={rows}
			isStale={isStale}
			onOpen={onOpen}
			empty={
				isFiltered ? (
					<Empty title="No deliveries match">Remove a filter to see more.</Empty>
				) : (
					<Empty title="Nothing has been sent yet">
						The events of the last 30 days appear here, with the receiver’s responses. Send a test event to try it.
					</Empty>
				)
			}
			columns={[
				{ id: 'type', label: 'Event', cell: (delivery) => <EventName delivery={delivery} /> },
				{ id: 'state', label: 'State', cell: (delivery) => <State delivery={delivery} /> },
				{ id: 'answer', label: 'Last response', cell: (delivery) => <span className="cut reason">{answerInWords(delivery)}</span> },
				{ id: 'attempts', label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
				{ id: 'created', label: 'Happened', cell: ({ created_at: at }) => <When at={at} /> },
				{
					id: 'next',
					label: 'Next attempt',
					cell: ({ next_attempt_at: at }) => at !== null && (Date.parse(at) > Date.now() ? <When at={at} /> : 'Soon'),
				},
			]}
		/>
	);
}

function EventName({ delivery: { type, test } }: { delivery: Delivery }) {
	return (
		<span className="row nowrap">
			<code>{type}</code>
			{test && <Badge tone="accent">Test</Badge>}
		</span>
	);
}

function State({ delivery }: { delivery: Delivery }) {
	const { label, tone } = deliveryState(delivery);
	return <Badge tone={tone}>{label}</Badge>;
}

function When({ at }: { at: string }) {
	const { program } = useProgram();
	return (
		<span className="when" title={moment(at, program.time_zone)}>
			{ago(at)}
		</span>
	);
}
