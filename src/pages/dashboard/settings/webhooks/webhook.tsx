import '../settings.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { WEBHOOK_TYPES } from '../../../../domain/webhooks/webhook-type.ts';
import { dayOf, moment } from '../../../format.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Badge, Facts } from '../../../ui/small.tsx';
import { useProgram } from '../../use-program.ts';
import { OwnersOnly } from '../owners-only.tsx';
import { ChangeWebhook, DeleteWebhook, Enable, RollWebhookSecret, SwitchOff } from './webhook-actions.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { nameOf, webhookState } from './webhook-labels.ts';
import { type Webhook, webhookQuery } from './webhooks-query.ts';
import { SendTestEvent } from './send-test-event.tsx';
import { WHO_MAY } from './webhooks.tsx';

const route = getRouteApi('/shell/programs/$programId/settings/webhooks/$webhookId');

export function WebhookPage() {
	const { can } = useProgram();
	const { webhookId } = route.useParams();
	return (
		<OwnersOnly title="Webhook" what={WHO_MAY}>
			{can('admin') && <Whole key={webhookId} />}
		</OwnersOnly>
	);
}

const LOOK_AGAIN_MS = 10_000;

function Whole() {
	const { programId } = useProgram();
	const { webhookId } = route.useParams();
	// A delivery in progress may change the webhook to failing or disabled.
	const query = useQuery({ ...webhookQuery(programId, webhookId), refetchInterval: LOOK_AGAIN_MS });
	return (
		<Page
			title={query.data ? nameOf(query.data) : 'Webhook'}
			actions={
				<>
					<Link className="button" to="/programs/$programId/settings/webhooks" params={{ programId }}>
						All webhooks
					</Link>
					{query.data?.enabled && <SendTestEvent webhook={query.data} />}
				</>
			}
		>
			<Loaded query={query} lines={8}>
				{(webhook) => (
					<>
						<Trouble webhook={webhook} />
						<div className="columns">
							<SetUp webhook={webhook} />
							<Signing webhook={webhook} />
						</div>
						<WebhookDeliveries webhook={webhook} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

/** Why deliveries fail or have stopped. */
function Trouble({ webhook }: { webhook: Webhook }) {
	const { program } = useProgram();
	const { tone, about } = webhookState(webhook);
	const { enabled, disabled_at: disabledAt, failing_since: failingSince } = webhook;
	const since = disabledAt ?? failingSince;
	if (since === null) return null;
	return (
		<div className={`note ${tone ?? ''} bar`}>
			<p>
				<strong>
					{enabled ? 'Failing' : 'Disabled'} since {moment(since, program.time_zone)}.
				</strong>{' '}
				{about}{' '}
				{enabled
					? 'Each delivery is retried for three days. A webhook is disabled if it fails for a day and twenty attempts, or for five days.'
					: 'Events that happen while it is disabled are not sent later.'}
			</p>
			{!enabled && <Enable webhook={webhook} />}
		</div>
	);
}

function SetUp({ webhook }: { webhook: Webhook }) {
	const { program } = useProgram();
	const { label, tone } = webhookState(webhook);
	const { url, description, types, enabled, created_at: at } = webhook;
	return (
		<Card title="Set-up" actions={<Badge tone={tone}>{label}</Badge>}>
			<div className="stack">
				<Facts
					facts={[
						['Address', <code key="url">{url}</code>],
						['Description', description],
						['Events', types.length === WEBHOOK_TYPES.length ? 'All' : types.map((type) => <div key={type}>{type}</div>)],
						['Added', dayOf(at, program.time_zone)],
					]}
				/>
				<div className="actions">
					<DeleteWebhook webhook={webhook} />
					{enabled && <SwitchOff webhook={webhook} />}
					<ChangeWebhook webhook={webhook} />
				</div>
			</div>
		</Card>
	);
}

function Signing({ webhook }: { webhook: Webhook }) {
	const { program } = useProgram();
	const { previous_secret_until: until } = webhook;
	return (
		<Card title="Signature">
			<div className="stack">
				<p className="description">
					Each request is signed according to{' '}
					<a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
						Standard Webhooks
					</a>
					. Check the signature so that your receiver accepts only requests from this service.{' '}
					<a href="/docs/webhooks" target="_blank" rel="noreferrer">
						How to check it
					</a>
				</p>
				{until !== null && (
					<p className="note">Requests are also signed with the previous secret until {moment(until, program.time_zone)}.</p>
				)}
				<div className="actions">
					<RollWebhookSecret webhook={webhook} />
				</div>
			</div>
		</Card>
	);
}
