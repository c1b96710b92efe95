import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { answerOf } from '../../../api.ts';
import { count, moment } from '../../../format.ts';
import { SidePanel } from '../../../ui/dialogs.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Badge, CopyButton, Facts } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { answerInWords, deliveryState } from './webhook-labels.ts';
import { deliveryQuery, type ReadDelivery, type Webhook, webhookRoutes } from './webhooks-query.ts';

interface DeliveryPanelProps {
	readonly webhook: Webhook;
	readonly deliveryId: string;
	readonly onClose: () => void;
}

export function DeliveryPanel({ webhook, deliveryId, onClose }: DeliveryPanelProps) {
	const { programId } = useProgram();
	const query = useQuery(deliveryQuery(programId, String(webhook.id), deliveryId));
	return (
		<SidePanel title={query.data?.type ?? 'Delivery'} onClose={onClose}>
			<Loaded query={query}>
				{(delivery) => (
					<>
						<Details delivery={delivery} />
						<SendAgain webhook={webhook} delivery={delivery} />
						<Text title="Request body" name="the request body" text={JSON.stringify(delivery.payload, null, 2)} />
						{delivery.last_response !== null && delivery.last_response !== '' && (
							<Text title="Beginning of the last response" name="the response" text={delivery.last_response} />
						)}
					</>
				)}
			</Loaded>
		</SidePanel>
	);
}

function Details({ delivery }: { delivery: ReadDelivery }) {
	const { program } = useProgram();
	const { label, tone, about } = deliveryState(delivery);
	const { created_at: created, last_attempt_at: last, next_attempt_at: next, settled_at: settled, last_duration_ms: took } = delivery;
	const at = (iso: string) => <span className="quiet">{moment(iso, program.time_zone)}</span>;
	return (
		<div className="stack">
			<div className={`note ${tone ?? ''} stack tight`}>
				<p>
					<Badge tone={tone}>{label}</Badge> {about}
				</p>
				{delivery.last_error !== null && <p>{answerInWords(delivery)}</p>}
			</div>
			<ol className="timeline">
				<li>
					{delivery.test ? 'Someone requested this test event' : 'The event happened and was queued for this webhook'} {at(created)}
				</li>
				{last !== null && (
					<li className={delivery.last_error === null ? 'good' : 'bad'}>
						Attempt {count(delivery.attempts)}: {answered(delivery)} {at(last)}
					</li>
				)}
				{next !== null && (
					<li className={tone}>
						{last === null ? 'It will be sent' : 'It will be sent again'} {at(next)}
					</li>
				)}
				{settled !== null && (
					<li className={tone}>
						{label} {at(settled)}
					</li>
				)}
			</ol>
			<Facts
				facts={[
					['webhook-id', <code key="id">{delivery.webhook_id}</code>],
					['Attempts', count(delivery.attempts)],
					['Response time', took !== null && delivery.last_status !== null && `${count(took)} ms`],
				]}
			/>
		</div>
	);
}

function answered({ last_status: status, last_error: error }: ReadDelivery): string {
	if (status !== null) return `answered with ${status}`;
	return error === null ? 'in progress' : 'no response';
}

function SendAgain({ webhook, delivery: { id, status } }: { webhook: Webhook; delivery: ReadDelivery }) {
	const { programId } = useProgram();
	const param = { id: programId, webhookId: String(webhook.id), deliveryId: String(id) };
	const again = useAction({
		send: () => answerOf(webhookRoutes[':webhookId'].deliveries[':deliveryId'].redeliver.$post({ param })),
		successMessage: () => 'It will be sent again',
	});
	if (!webhook.enabled) return <p className="description">The webhook is disabled. Enable it to send this again.</p>;
	return (
		<div className="stack tight">
			<div className="actions">
				<Button className="react-aria-Button primary" isPending={again.isPending} onPress={() => again.mutate()}>
					{status === 'pending' ? 'Send now' : 'Send again'}
				</Button>
			</div>
			<p className="description">It is sent with the same body and the same webhook-id, so that the receiver can recognise duplicates.</p>
		</div>
	);
}

function Text({ title, name, text }: { title: string; name: string; text: string }) {
	return (
		<div className="stack tight">
			<div className="bar">
				<h3>{title}</h3>
				<CopyButton label={name} text={text} />
			</div>
			<pre className="json" tabIndex={0}>
				{text}
			</pre>
		</div>
	);
}
