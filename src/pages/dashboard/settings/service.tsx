import './settings.css';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api.ts';
import { ago, count, moment } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Badge, Facts, type Tone } from '../../ui/small.tsx';
import { useIsOperator } from './use-is-operator.ts';

async function readService(signal: AbortSignal) {
	return (await answerOf(api.v1.service.$get({}, { init: { signal } }))).data;
}

type Found = Awaited<ReturnType<typeof readService>>;
type Check = Found['checks'][number];

/** How the installation is, part by part, with what to do. */
export function ServiceSettings() {
	const isOperator = useIsOperator();
	const query = useQuery({
		queryKey: ['service'],
		queryFn: ({ signal }) => readService(signal),
		refetchInterval: 60_000,
		enabled: isOperator,
	});
	if (!isOperator) {
		return (
			<Page title="Service">
				<Empty title="This is for who operates the service">Owners of its first workspace see how the installation is.</Empty>
			</Page>
		);
	}
	return (
		<Page title="Service">
			<p className="quiet">The whole installation, not this program alone. An uptime monitor can ask /health, without a sign-in.</p>
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
	cron: 'Work of every minute',
	database: 'Database',
	outbox: 'Notifications and totals',
	dead_letters: 'Undelivered work',
	processor_events: 'Payment events',
	webhook_deliveries: 'Webhook deliveries',
	letters: 'Letters',
	alerts: 'Alerts',
} as const satisfies Record<Check['name'], string>;

function Checks({ found }: { found: Found }) {
	const rows = found.checks.map((check) => ({ ...check, id: check.name }));
	return (
		<Card isFlush>
			<DataTable
				label="Parts of the service"
				rows={rows}
				empty={null}
				columns={[
					{ id: 'part', label: 'Part', cell: ({ name }) => TITLES[name] },
					{ id: 'state', label: 'State', cell: ({ state }) => <Badge tone={TONES[state]}>{STATES[state]}</Badge> },
					{
						id: 'now',
						label: 'Now',
						cell: ({ name, next_action: nextAction }) => (
							<div className="stack tight">
								<span>{figureOf(name, found)}</span>
								{nextAction !== null && <span className="quiet small wrap">{nextAction}</span>}
							</div>
						),
					},
				]}
			/>
		</Card>
	);
}

function figureOf(name: Check['name'], found: Found): string {
	switch (name) {
		case 'cron':
			return found.cron.last_tick_at === null ? 'Never ran' : `Last ran ${ago(found.cron.last_tick_at)}`;
		case 'database':
			return sizeText(found.database);
		case 'outbox':
			return waitingText(found.outbox);
		case 'dead_letters':
			return waitingText(found.dead_letters);
		case 'processor_events':
			return waitingText(found.processor_events);
		case 'webhook_deliveries':
			return `${waitingText(found.webhook_deliveries)}; ${count(found.webhook_deliveries.failed)} given up in 24 hours`;
		case 'letters':
			return found.told_by.mail ? waitingText(found.letters) : 'Mail is off';
		case 'alerts':
			return (
				[found.told_by.webhook && 'Told by webhook', found.told_by.mail && 'Told by mail'].filter(Boolean).join(', ') || 'Told to nobody'
			);
	}
}

function waitingText({ count: waiting, since }: { count: number; since: string | null }): string {
	return since === null ? 'Nothing waits' : `${count(waiting)} waiting, the oldest ${ago(since)}`;
}

function sizeText({ bytes, limit_bytes: limit }: Found['database']): string {
	if (bytes === null) return `At most ${(limit / 1e9).toLocaleString('en')} GB; the platform does not say how large it is`;
	const percent = (bytes / limit) * 100;
	const shown = percent < 1 ? 'less than 1 %' : `${Math.floor(percent)} %`;
	return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB of ${(limit / 1e9).toLocaleString('en')} GB, ${shown}`;
}

function Alerts({ found }: { found: Found }) {
	return (
		<Card title="Alerts" isFlush>
			<DataTable
				label="Alerts"
				rows={found.alerts}
				empty={
					<Empty title="No alert so far">What goes wrong is told once when it begins and once when it is over, and stands here.</Empty>
				}
				columns={[
					{ id: 'message', label: 'What was wrong', cell: ({ message }) => <span className="wrap">{message}</span> },
					{ id: 'began', label: 'Began', cell: ({ began_at: at }) => moment(at) },
					{
						id: 'over',
						label: 'Over',
						cell: ({ ended_at: at }) => (at === null ? <Badge tone="bad">Not over</Badge> : moment(at)),
					},
				]}
			/>
		</Card>
	);
}

function Rows({ found }: { found: Found }) {
	const { rows } = found.database;
	return (
		<Card title="Rows">
			<p className="quiet small">How many there are of what grows, at most: what was deleted is not taken off.</p>
			<Facts
				facts={[
					['Clicks', count(rows.clicks)],
					['Customers', count(rows.customers)],
					['Leads', count(rows.leads)],
					['Sales', count(rows.sales)],
					['Refunds', count(rows.refunds)],
					['Commissions', count(rows.commissions)],
					['Ledger entries', count(rows.ledger_entries)],
					['Payment events', count(rows.processor_events)],
					['Webhook deliveries', count(rows.webhook_deliveries)],
					['Notifications', count(rows.notifications)],
				]}
			/>
		</Card>
	);
}
