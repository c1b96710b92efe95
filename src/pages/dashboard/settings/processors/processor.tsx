import '../settings.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Copy } from '../../../ui/small.tsx';
import { useProgram } from '../../use-program.ts';
import { GUIDES } from './processor-guides.ts';
import { ProcessorSecrets } from './processor-secrets.tsx';
import { ProcessorStatus } from './processor-status.tsx';
import { type Processor, processorsQuery } from './processors-query.ts';

const route = getRouteApi('/shell/programs/$programId/settings/payments/$processor');

export function ProcessorSettings() {
	const { programId } = useProgram();
	const { processor: name } = route.useParams();
	const query = useQuery(processorsQuery(programId));
	const shown = query.data?.find(({ processor }) => processor === name);
	const all = (
		<Link className="button" to="/programs/$programId/settings/payments" params={{ programId }}>
			All processors
		</Link>
	);
	return (
		<Page title={shown?.title ?? 'Payment processor'} actions={all}>
			<Loaded query={query} lines={8}>
				{() =>
					shown ? <Connection key={name} processor={shown} /> : <Empty title="There is no such processor">See all that there are.</Empty>
				}
			</Loaded>
		</Page>
	);
}

function Connection({ processor }: { processor: Processor }) {
	const guide = GUIDES[processor.processor];
	return (
		<>
			<p className="quiet">
				Its events report payments, renewals, refunds and disputes.{' '}
				{guide && (
					<a href={guide} target="_blank" rel="noreferrer">
						Step by step, and how customers are told apart
					</a>
				)}
			</p>
			<div className="columns">
				<div className="stack">
					<ProcessorStatus processor={processor} />
					<ProcessorSecrets processor={processor} />
				</div>
				<Endpoint processor={processor} />
			</div>
		</>
	);
}

function Endpoint({ processor: { title, webhook_url, events, secret_form: form } }: { processor: Processor }) {
	return (
		<Card title={form.made_here ? 'Where your events go' : `At ${title}: add a webhook endpoint`}>
			<div className="stack">
				<p className="description">
					{form.made_here
						? 'Send them to this address, signed with the secret that is made here.'
						: 'With this address. The signing secret that belongs to it is what makes events count here.'}
				</p>
				<Copy label="the address of the webhook" text={webhook_url} />
				<h3>{form.made_here ? 'Events that are read' : 'Events to select there'}</h3>
				<Copy label="the events" text={events.join('\n')} isBlock />
			</div>
		</Card>
	);
}
