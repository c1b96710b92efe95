import './settings.css';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { ago, moment, plural } from '../../format.ts';
import { Confirm } from '../../ui/dialogs.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Badge, Copy, Facts } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { statusQuery } from '../start/status.ts';
import { useProgram } from '../use-program.ts';
import { StripeSecrets } from './stripe-secrets.tsx';

async function readStripe(id: string, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id'].stripe.$get({ param: { id } }, { init: { signal } }))).data;
}

export type StripeConnection = Awaited<ReturnType<typeof readStripe>>;

export function Stripe() {
	const { programId } = useProgram();
	const query = useQuery({ queryKey: ['stripe', programId], queryFn: ({ signal }) => readStripe(programId, signal) });
	return (
		<Page title="Stripe">
			<p className="quiet">
				Stripe reports payments, renewals, refunds and disputes by itself, once it sends its events here.{' '}
				<a href="/docs/stripe.html" target="_blank" rel="noreferrer">
					How customers are told apart
				</a>
			</p>
			<Loaded query={query}>
				{(connection) => (
					<div className="columns">
						<div className="stack">
							<Status connection={connection} />
							<StripeSecrets connection={connection} />
						</div>
						<Endpoint connection={connection} />
					</div>
				)}
			</Loaded>
		</Page>
	);
}

const PROBLEMS = [
	{ state: 'refused', noun: 'refused' },
	{ state: 'failed', noun: 'given up' },
	{ state: 'expired', noun: 'expired while waiting' },
	{ state: 'waiting', noun: 'waiting for an earlier event' },
] as const;

/** What the service has found of these events, and what to do. */
const CHECKS = new Set(['stripe_events_selected', 'sales_reported_once']);

/** The inbox counts nothing: of more than these "more than" has to do. */
const COUNTED = 50;

function Status({ connection }: { connection: StripeConnection }) {
	const { programId, program, may } = useProgram();
	const list = (query: { limit: string; state?: (typeof PROBLEMS)[number]['state'] }) => ({
		queryKey: ['processor-events', programId, query],
		queryFn: ({ signal }: { signal: AbortSignal }) =>
			answerOf(api.v1.programs[':id']['processor-events'].$get({ param: { id: programId }, query }, { init: { signal } })),
	});
	const last = useQuery(list({ limit: '1' }));
	const problems = useQueries({ queries: PROBLEMS.map(({ state }) => list({ limit: String(COUNTED), state })) });
	const found = PROBLEMS.flatMap((problem, index) => {
		const number = problems[index]?.data?.data.length ?? 0;
		return number === 0 ? [] : [{ ...problem, number, isMore: problems[index]?.data?.meta.next_cursor !== null }];
	});
	const event = last.data?.data[0];
	const status = useQuery({ ...statusQuery(programId), enabled: connection.connected });
	const missing = status.data?.checks.filter(({ name, ok }) => !ok && CHECKS.has(name)) ?? [];
	const disconnect = useAction({
		send: () => answerOf(api.v1.programs[':id'].stripe.$delete({ param: { id: programId } })),
		said: () => 'Stripe is disconnected',
	});
	return (
		<Card title="Status" actions={connection.connected ? <Badge tone="good">Connected</Badge> : <Badge>Not connected</Badge>}>
			<div className="stack">
				<Facts
					facts={[
						['Since', connection.created_at && moment(connection.created_at, program.time_zone)],
						[
							'Last event',
							event ? `${event.type}, ${ago(event.received_at)}${event.test ? ', in test mode' : ''}` : last.data ? 'None yet' : '…',
						],
					]}
				/>
				{found.length === 0
					? event && problems.every(({ data }) => data) && <p className="description">No event is refused, given up or waiting.</p>
					: found.map(({ state, noun, number, isMore }) => (
							<p key={state} className={`note ${state === 'waiting' ? 'warn' : 'bad'}`}>
								<Link to="/programs/$programId/settings/stripe-events" params={{ programId }} search={{ state }}>
									{isMore ? 'More than ' : ''}
									{plural(number, 'event')} {noun}
								</Link>
							</p>
						))}
				{missing.map(({ name, next_action }) => (
					<p key={name} className="note warn">
						{next_action}
					</p>
				))}
				<div className="actions">
					<Link className="button" to="/programs/$programId/settings/stripe-events" params={{ programId }} search={{}}>
						All events
					</Link>
					{connection.connected && may('admin') && (
						<Confirm
							trigger={<Button className="react-aria-Button danger">Disconnect</Button>}
							title="Disconnect Stripe?"
							action="Disconnect"
							isDangerous
							isPending={disconnect.isPending}
							onConfirm={() => disconnect.mutate()}
						>
							<p>
								Its signing secrets are forgotten and its events are refused from then on: payments, renewals and refunds are not recorded.
								Stripe tries again for some days. What was recorded stays.
							</p>
						</Confirm>
					)}
				</div>
			</div>
		</Card>
	);
}

function Endpoint({ connection }: { connection: StripeConnection }) {
	return (
		<Card title="At Stripe: add a webhook endpoint">
			<div className="stack">
				<p className="description">In the Stripe dashboard under Developers, Webhooks: for events on your account, with this address.</p>
				<Copy label="the address of the webhook" text={connection.webhook_url} />
				<h3>Events to select there</h3>
				<Copy label="the events" text={connection.events.join('\n')} isBlock />
			</div>
		</Card>
	);
}
