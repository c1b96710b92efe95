import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf } from '../../../api.ts';
import { ago, moment, plural } from '../../../format.ts';
import { Confirm } from '../../../ui/dialogs.tsx';
import { Card } from '../../../ui/page.tsx';
import { Facts } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { Findings } from './findings.tsx';
import { Connected } from './payments.tsx';
import { eventsQuery, type Processor, processorRoutes } from './processors-query.ts';

const PROBLEMS = [
	{ state: 'refused', noun: 'refused' },
	{ state: 'failed', noun: 'failed' },
	{ state: 'expired', noun: 'expired while waiting' },
	{ state: 'waiting', noun: 'waiting for an earlier event' },
] as const;

/** The inbox does not count events, so a longer list says "more than". */
const COUNTED = 50;

export function ProcessorStatus({ processor: { processor, title, connected, created_at: since } }: { processor: Processor }) {
	const { programId, program, can } = useProgram();
	const last = useQuery(eventsQuery(programId, { processor, limit: '1' }));
	const problems = useQueries({
		queries: PROBLEMS.map(({ state }) => eventsQuery(programId, { processor, limit: String(COUNTED), state })),
	});
	const found = PROBLEMS.flatMap((problem, index) => {
		const number = problems[index]?.data?.data.length ?? 0;
		return number === 0 ? [] : [{ ...problem, number, isMore: problems[index]?.data?.meta.next_cursor !== null }];
	});
	const event = last.data?.data[0];
	return (
		<Card title="Status" actions={<Connected isConnected={connected} />}>
			<div className="stack">
				<Facts
					facts={[
						['Since', since && moment(since, program.time_zone)],
						[
							'Last event',
							event
								? `${event.type}, ${ago(event.received_at)}${event.test ? ', in test mode' : ''}`
								: last.data
									? 'None accepted yet'
									: '…',
						],
					]}
				/>
				{found.length === 0
					? event && problems.every(({ data }) => data) && <p className="description">No event has failed, was refused or is waiting.</p>
					: found.map(({ state, noun, number, isMore }) => (
							<p key={state} className={`note ${state === 'waiting' ? 'warn' : 'bad'}`}>
								<Link to="/programs/$programId/settings/payment-events" params={{ programId }} search={{ processor, state }}>
									{isMore ? 'More than ' : ''}
									{plural(number, 'event')} {noun}
								</Link>
							</p>
						))}
				{connected && (
					<Findings
						names={[
							`${processor}_signatures_match`,
							`${processor}_timestamps_match`,
							`${processor}_events_selected`,
							`${processor}_reversals_linked`,
							'sales_reported_once',
						]}
					/>
				)}
				<div className="actions">
					<Link className="button" to="/programs/$programId/settings/payment-events" params={{ programId }} search={{ processor }}>
						All events
					</Link>
					{connected && can('admin') && <Disconnect processor={processor} title={title} />}
				</div>
			</div>
		</Card>
	);
}

function Disconnect({ processor, title }: Pick<Processor, 'processor' | 'title'>) {
	const { programId } = useProgram();
	const disconnect = useAction({
		send: () => answerOf(processorRoutes[':processor'].$delete({ param: { id: programId, processor } })),
		successMessage: () => `${title} was disconnected`,
	});
	return (
		<Confirm
			trigger={<Button className="react-aria-Button danger">Disconnect</Button>}
			title={`Disconnect ${title}?`}
			action="Disconnect"
			isDangerous
			isPending={disconnect.isPending}
			onConfirm={() => disconnect.mutate()}
		>
			<p>
				Its signing secrets are deleted and its events will be refused. Payments, renewals and refunds are not recorded. Most processors
				retry for some days. Everything that was recorded is kept.
			</p>
		</Confirm>
	);
}
