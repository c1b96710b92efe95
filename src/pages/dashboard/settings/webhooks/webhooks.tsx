import '../settings.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ago, moment } from '../../../format.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Badge } from '../../../ui/small.tsx';
import { useProgram } from '../../use-program.ts';
import { AddWebhook } from './add-webhook.tsx';
import { OwnersOnly } from '../owners-only.tsx';
import { answerInWords, deliveryState, nameOf, typesInShort, webhookState } from './webhook-labels.ts';
import { deliveriesQuery, type Webhook, webhooksQuery } from './webhooks-query.ts';

export function Webhooks() {
	const { can } = useProgram();
	return (
		<OwnersOnly title="Webhooks" what={WHO_MAY}>
			{can('admin') && <List />}
		</OwnersOnly>
	);
}

/** Event bodies may name customers. */
export const WHO_MAY = 'Only owners and admins of the workspace can view and manage webhooks.';

function List() {
	const { programId } = useProgram();
	const query = useQuery(webhooksQuery(programId));
	return (
		<Page title="Webhooks" actions={<AddWebhook />}>
			<p className="quiet">
				Webhooks report leads, sales, commissions, refunds, payouts and partners of the program to your own systems as they happen. Each
				event is a signed request to your address.{' '}
				<a href="/docs/webhooks" target="_blank" rel="noreferrer">
					How to receive them
				</a>
			</p>
			<Card isFlush>
				<Loaded query={query}>
					{(webhooks) => (
						<DataTable
							label="Webhooks"
							rows={webhooks}
							empty={
								<Empty title="No webhooks yet">
									Add the address of a system that should learn of sales, commissions or payouts immediately.
								</Empty>
							}
							columns={[
								{ id: 'name', label: 'Webhook', cell: (webhook) => <ToWebhook webhook={webhook} /> },
								{ id: 'types', label: 'Events', cell: ({ types }) => <span className="cut">{typesInShort(types)}</span> },
								{ id: 'state', label: 'State', cell: (webhook) => <State webhook={webhook} /> },
								{ id: 'last', label: 'Last delivery', cell: (webhook) => <LastDelivery webhook={webhook} /> },
							]}
						/>
					)}
				</Loaded>
			</Card>
		</Page>
	);
}

function ToWebhook({ webhook }: { webhook: Webhook }) {
	const { programId } = useProgram();
	const { id, url, description } = webhook;
	return (
		<div className="lines webhook-name">
			<Link
				className="cut"
				to="/programs/$programId/settings/webhooks/$webhookId"
				params={{ programId, webhookId: String(id) }}
				search={{}}
				title={url}
			>
				{nameOf(webhook)}
			</Link>
			<span className="quiet small cut">{description === null ? new URL(url).pathname : url}</span>
		</div>
	);
}

function State({ webhook }: { webhook: Webhook }) {
	const { program } = useProgram();
	const { label, tone, about } = webhookState(webhook);
	const since = webhook.disabled_at ?? webhook.failing_since;
	return (
		<span className="row nowrap">
			<Badge tone={tone} reason={since && about}>
				{label}
			</Badge>
			{since && (
				<span className="quiet small" title={moment(since, program.time_zone)}>
					since {ago(since)}
				</span>
			)}
		</span>
	);
}

function LastDelivery({ webhook: { id } }: { webhook: Webhook }) {
	const { programId, program } = useProgram();
	const { data } = useQuery(deliveriesQuery(programId, String(id), { limit: '1' }));
	if (!data) return '…';
	const [last] = data.data;
	if (!last) return <span className="quiet">Nothing has been sent yet</span>;
	const at = last.last_attempt_at ?? last.created_at;
	return (
		<div className="lines">
			<span className="cut reason">{answerInWords(last) || deliveryState(last).label}</span>
			<span className="quiet small when" title={moment(at, program.time_zone)}>
				{last.type}, {ago(at)}
			</span>
		</div>
	);
}
