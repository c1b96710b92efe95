import './setup.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ago, plural } from '../../format.ts';
import { Loaded, Skeleton } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { refetchShown } from '../../ui/refetch.ts';
import { toast } from '../../ui/toasts.tsx';
import { programQuery } from '../queries.ts';
import { type Processor, processorsQuery } from '../settings/processors/processors-query.ts';
import { useProgram } from '../use-program.ts';
import { Problems, processorProblems } from './problems.tsx';
import { type FirstPartner, Partner, useFirstPartner } from './setup-partner.tsx';
import { Earnings, Site, useEarningsText } from './setup-site.tsx';
import { Sales, Script } from './setup-tracking.tsx';
import { type Chain, chainQuery, isOk, type Status, statusQuery } from './status.ts';
import { type Step, Steps } from './steps.tsx';
import { TestChain } from './test-chain.tsx';

/** Guides a new program to its first sale. Steps are ticked off when the service sees their result. */
export function Setup({ actions }: { actions?: ReactNode }) {
	const { programId, program, can } = useProgram();
	const status = useQuery(statusQuery(programId));
	const since = useTestStart();
	const { data: chain, isPending: isChainPending } = useQuery(chainQuery(programId, since));
	const { data: processors = [], isPending: isProcessorsPending } = useQuery(processorsQuery(programId));
	const { data: partner } = useFirstPartner();
	// All of them decide which step is open at first.
	const isLoading = isChainPending || isProcessorsPending;
	const earnings = useEarningsText();
	const [revealedKey, setRevealedKey] = useState<string>();
	useFirstSale(status.data?.last_event_at.sale ?? null);
	return (
		<Page title={`Set up ${program.name}`} under={<p className="quiet">Six steps to the first commission.</p>} actions={actions}>
			<Loaded query={status} lines={12}>
				{(found) =>
					isLoading ? (
						<Skeleton lines={12} />
					) : (
						<>
							{found.integration_verified && <Verified />}
							{!can('admin') && <p className="note">You can read this page. Owners and admins of the workspace can make changes.</p>}
							<Problems status={found} />
							<Steps
								steps={[
									siteStep(found),
									{
										id: 'earnings',
										title: 'Set what partners earn',
										isDone: isOk(found, 'commission_rule'),
										result: earnings,
										children: <Earnings />,
									},
									partnerStep(found, partner),
									{
										id: 'test',
										title: 'Send test events',
										isDone: chain?.complete === true || found.last_event_at.sale !== null,
										result: 'Click, sign-up, sale and refund have arrived',
										children: <TestChain from={since} />,
									},
									scriptStep(found, chain),
									{
										...salesStep(found, processors),
										children: (
											<Sales status={found} chain={chain} processors={processors} revealedKey={revealedKey} onReveal={setRevealedKey} />
										),
									},
								]}
							/>
						</>
					)
				}
			</Loaded>
		</Page>
	);
}

function Verified() {
	const { programId } = useProgram();
	return (
		<p className="note good" role="status">
			<strong>Your integration works.</strong> Clicks, sign-ups and sales arrive and are credited.{' '}
			<Link to="/programs/$programId" params={{ programId }} search={{}}>
				See the overview
			</Link>
		</p>
	);
}

/** Everything counts in a new program. If sales arrive already, the test begins when the page is opened. */
function useTestStart(): string {
	const { program } = useProgram();
	const [opened] = useState(() => new Date().toISOString());
	return program.has_sales ? opened : (program.created_at ?? opened);
}

/** Totals follow a sale within seconds. */
const TOTALS_AFTER_MS = [4_000, 12_000, 40_000];

/** The first sale turns the set-up into the overview, which is fetched again until its totals include the sale. */
function useFirstSale(saleAt: string | null) {
	const { programId, program } = useProgram();
	const queryClient = useQueryClient();
	const isFirst = saleAt !== null && !program.has_sales;
	useEffect(() => {
		if (!isFirst) return;
		toast({ title: 'Your first sale has arrived' });
		void refetchShown(queryClient, programQuery(programId));
		for (const delay of TOTALS_AFTER_MS) setTimeout(() => void refetchShown(queryClient), delay);
	}, [isFirst, programId, queryClient]);
}

function siteStep(status: Status): Step {
	const hosts = status.allowed_origins.map((origin) => origin.replace('https://', ''));
	return {
		id: 'site',
		title: 'Add your site',
		isDone: hosts.length > 0,
		result: hosts.length > 2 ? `${hosts.slice(0, 2).join(', ')} and ${hosts.length - 2} more` : hosts.join(', '),
		children: <Site status={status} />,
	};
}

function partnerStep(status: Status, partner: FirstPartner | null | undefined): Step {
	return {
		id: 'partner',
		title: 'Add your first partner',
		isDone: isOk(status, 'partner_link'),
		result: status.active_partners > 1 ? plural(status.active_partners, 'partner') : partner?.name,
		children: <Partner />,
	};
}

function scriptStep(status: Status, chain: Chain | undefined): Step {
	const { click } = status.last_event_at;
	return {
		id: 'script',
		title: 'Add the script to your site',
		isDone: click !== null,
		result: click === null ? undefined : `Last click ${ago(click)}`,
		children: <Script status={status} chain={chain} />,
	};
}

function salesStep(status: Status, processors: readonly Processor[]) {
	const { sale } = status.last_event_at;
	const connected = processorProblems(status).length === 0 ? processors.filter(({ connected: isConnected }) => isConnected) : [];
	return {
		id: 'sales',
		title: 'Report sales',
		isDone: sale !== null || connected.length > 0,
		result: sale === null ? `${connected.map(({ title }) => title).join(', ')} connected` : `Last sale ${ago(sale)}`,
	};
}
