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
					shown ? (
						<Connection key={name} processor={shown} />
					) : (
						<Empty title="There is no such processor">Choose one from the list of all processors.</Empty>
					)
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
						Step-by-step guide, and how customers are identified
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
		<Card title={form.made_here ? 'Where to send your events' : `Add a webhook endpoint in ${title}`}>
			<div className="stack">
				<p className="description">
					{form.made_here
						? 'Send them to this address, signed with the secret that you create here.'
						: 'Use this address. Then enter its signing secret here, because events are accepted only if they are signed with it.'}
				</p>
				<Copy label="the address of the webhook" text={webhook_url} />
				<h3>{form.made_here ? 'Events that are processed' : 'Events to select there'}</h3>
				<Copy label="the events" text={events.join('\n')} isBlock />
			</div>
		</Card>
	);
}
