import './settings.css';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { ALERT_TITLES } from '../../../domain/monitoring/alert.ts';
import { answerOf, api } from '../../api.ts';
import { ago, count, moment, momentsText } from '../../format.ts';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Badge, type Tone } from '../../ui/small.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { OwnersOnly } from './owners-only.tsx';
import { useIsOperator } from './use-is-operator.ts';

async function readService(signal: AbortSignal) {
	return (await answerOf(api.v1.service.$get({}, { init: { signal } }))).data;
}

async function sendTestAlert() {
	return (await answerOf(api.v1.service['test-alert'].$post())).data;
}

type Found = Awaited<ReturnType<typeof readService>>;
type Check = Found['checks'][number];

/** The state of the installation, and what the operator should do. */
export function ServiceSettings() {
	const isOperator = useIsOperator();
	return (
		<OwnersOnly title="Service" what="Only the operators of this service can see its state. They are the owners of its first workspace.">
			{isOperator && <Installation />}
		</OwnersOnly>
	);
}

function Installation() {
	const query = useQuery({ queryKey: ['service'], queryFn: ({ signal }) => readService(signal), refetchInterval: 60_000 });
	return (
		<Page title="Service">
			<p className="quiet">
				This page covers the whole installation, not only this program. An uptime monitor can check /health without signing in.
			</p>
			<Loaded query={query} lines={12}>
				{(found) => (
					<>
						<Checks found={found} />
						<Alerts found={found} />
						<Rows found={found} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

const TONES = { good: 'good', attention: 'warn', bad: 'bad' } as const satisfies Record<Check['state'], Tone>;
const STATES = { good: 'Good', attention: 'Attention', bad: 'Bad' } as const satisfies Record<Check['state'], string>;

const TITLES = {
	cron: 'Scheduled work',
	database: 'Database',
	outbox: 'Notifications and totals',
	dead_letters: 'Undelivered work',
	processor_events: 'Payment events',
	webhook_deliveries: 'Webhook deliveries',
	postbacks: 'Postbacks',
	letters: 'Emails',
	alerts: 'Alerts',
} as const satisfies Record<Check['name'], string>;

function Checks({ found }: { found: Found }) {
	return (
		<Card isFlush>
			<ul className="plain parts" aria-label="Parts of the service">
				{found.checks.map(({ name, state, next_action: nextAction }) => (
					<li key={name}>
						<strong>{TITLES[name]}</strong>
						<Badge tone={TONES[state]}>{STATES[state]}</Badge>
						<span className="found">{figureOf(name, found)}</span>
						{nextAction !== null && <span className="advice quiet small wrap">{nextAction}</span>}
					</li>
				))}
			</ul>
		</Card>
	);
}

function figureOf(name: Check['name'], found: Found): string {
	switch (name) {
		case 'cron':
			return found.cron.last_tick_at === null ? 'Never ran' : `Last ran ${ago(found.cron.last_tick_at)}`;
		case 'database':
			return [sizeText(found.database), oldClicksFigure(found.database.old_clicks.bytes)].filter(Boolean).join('; ');
		case 'outbox':
			return waitingText(found.outbox);
		case 'dead_letters':
			return waitingText(found.dead_letters);
		case 'processor_events':
			return waitingText(found.processor_events);
		case 'webhook_deliveries':
			return [waitingText(found.webhook_deliveries), givenUpText(found.webhook_deliveries.failed)].filter(Boolean).join('; ');
		case 'postbacks':
			return found.postbacks.since === null ? 'Nothing is waiting' : `The oldest was due ${ago(found.postbacks.since)}`;
		case 'letters':
			return found.told_by.mail ? waitingText(found.letters) : 'Email is off';
		case 'alerts':
			return receiversText(found.told_by);
	}
}

function givenUpText(failed: number): string {
	return failed === 0 ? '' : `${count(failed)} failed in 24 hours`;
}

function receiversText({ webhook, mail }: Found['told_by']): string {
	const ways = [webhook && 'webhook', mail && 'email'].filter(Boolean);
	return ways.length === 0 ? 'No recipients' : `Sent by ${ways.join(' and ')}`;
}

function waitingText({ count: waiting, since }: { count: number; since: string | null }): string {
	return since === null ? 'Nothing is waiting' : `${count(waiting)} waiting, the oldest ${ago(since)}`;
}

function sizeText({ bytes, limit_bytes: limit }: Found['database']): string {
	if (bytes === null) return `At most ${(limit / 1e9).toLocaleString('en')} GB; the platform does not report its size`;
	const percent = (bytes / limit) * 100;
	const shown = percent < 1 ? 'less than 1%' : `${Math.floor(percent)}%`;
	return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB of ${(limit / 1e9).toLocaleString('en')} GB, ${shown}`;
}

function oldClicksFigure(bytes: number): string {
	return bytes < 1e6
		? ''
		: `about ${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB of it is clicks older than 90 days`;
}

function Alerts({ found }: { found: Found }) {
	return (
		<Card title="Alerts" isFlush actions={<SendTestAlert />}>
			{found.alerts.length === 0 ? (
				<Empty title="No alerts yet">The service sends an alert when a problem begins and when it is resolved. Both appear here.</Empty>
			) : (
				<ul className="plain parts" aria-label="Newest alerts">
					{found.alerts.map(({ id, kind, message, began_at: beganAt, ended_at: endedAt }) => (
						<li key={id}>
							<strong>{ALERT_TITLES[kind]}</strong>
							{endedAt === null ? <Badge tone="bad">Ongoing</Badge> : <Badge>Resolved</Badge>}
							<span className="found">{endedAt === null ? `Since ${moment(beganAt)}` : momentsText(beganAt, endedAt)}</span>
							<span className="advice quiet small wrap">{message}</span>
						</li>
					))}
				</ul>
			)}
		</Card>
	);
}

function SendTestAlert() {
	const test = useAction({
		send: sendTestAlert,
		onDone: ({ ok, message }) => toast(ok ? { title: message } : { title: 'The test alert did not arrive', text: message, isError: true }),
	});
	return (
		<Button isPending={test.isPending} onPress={() => test.mutate()}>
			Send a test alert
		</Button>
	);
}

function Rows({ found }: { found: Found }) {
	const { rows } = found.database;
	const kinds = [
		['Clicks', rows.clicks],
		['Customers', rows.customers],
		['Leads', rows.leads],
		['Sales', rows.sales],
		['Refunds', rows.refunds],
		['Commissions', rows.commissions],
		['Ledger entries', rows.ledger_entries],
		['Payment events', rows.processor_events],
		['Webhook deliveries', rows.webhook_deliveries],
		['Notifications', rows.notifications],
	] as const;
	return (
		<Card title="Rows">
			<div className="stack">
				<p className="quiet small">
					The row counts of the tables that grow. They are upper limits, because deleted rows may still be counted.
				</p>
				<dl className="row-counts">
					{kinds.map(([kind, number]) => (
						<div key={kind}>
							<dt className="quiet">{kind}</dt>
							<dd>{count(number)}</dd>
						</div>
					))}
				</dl>
			</div>
		</Card>
	);
}
