import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { ago } from '../../format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';

const ASKED_EVERY_MS = 2_000;
const NAMES = { click: 'Click', lead: 'Sign-up', sale: 'Sale', refund: 'Refund' } as const;
const SIGNS = { done: ['✓', 'good'], uncredited: ['!', 'warn'], refused: ['✕', 'bad'], waiting: ['…', 'quiet'] } as const;

/** Click, sign-up, sale and refund, ticked off as they arrive. The user can perform them or send test events. */
export function TestChain({ programId, mayTry }: { programId: string; mayTry: boolean }) {
	// Events from before the test began do not count.
	const [since, setSince] = useState(() => new Date().toISOString());
	const chain = useQuery({
		queryKey: ['test-chain', programId, since],
		queryFn: async ({ signal }) =>
			(await answerOf(api.v1.programs[':id']['test-chain'].$get({ param: { id: programId }, query: { since } }, { init: { signal } })))
				.data,
		refetchInterval: ASKED_EVERY_MS,
	});
	const tryAll = useAction({
		send: () => answerOf(api.v1.programs[':id']['test-chain'].$post({ param: { id: programId }, json: {} })),
		successMessage: ({ data }) => (data.ok ? 'A test click, sign-up, sale and refund were sent' : undefined),
	});
	return (
		<Loaded query={chain} lines={5}>
			{({ steps, address, complete }) => (
				<>
					<p>Follow the partner’s link in a private window, sign up, and buy something. Each step is ticked here within seconds.</p>
					{address?.startsWith('https:') && <Copy label="the address" text={address} />}
					<ol className="chain" aria-live="polite">
						{steps.map(({ step, state, reason, event }) => {
							const [sign, tone] = SIGNS[state];
							return (
								<li key={step}>
									<span className={`state ${tone}`} aria-label={state}>
										{sign}
									</span>
									<strong>{NAMES[step]}</strong>
									<span className={state === 'refused' || state === 'uncredited' ? 'wrap' : 'wrap quiet'}>
										{reason ?? (event ? `Arrived ${ago(event.at)}${event.is_test ? ', a test' : ''}` : '')}
									</span>
								</li>
							);
						})}
					</ol>
					<div className="row">
						{mayTry && (
							<Button isPending={tryAll.isPending} onPress={() => tryAll.mutate()}>
								Send test events
							</Button>
						)}
						{complete && <Button onPress={() => setSince(new Date().toISOString())}>Try again from the start</Button>}
						<span className="quiet small">Test events go the whole way, and count in no report and no balance.</span>
					</div>
				</>
			)}
		</Loaded>
	);
}
