import { useQuery } from '@tanstack/react-query';
import { Check, Circle, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { ago, money } from '../../format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import { useEarned } from './setup-site.tsx';
import { type Chain, chainQuery } from './status.ts';

const NAMES = { click: 'Click', lead: 'Sign-up', sale: 'Sale', refund: 'Refund' } as const;
const SIGNS: Readonly<Record<Chain['steps'][number]['state'], readonly [icon: LucideIcon, tone: string]>> = {
	done: [Check, 'good'],
	uncredited: [TriangleAlert, 'warn'],
	refused: [X, 'bad'],
	waiting: [Circle, 'quiet'],
};

/** Click, sign-up, sale and refund, ticked off as they arrive. */
export function TestChain({ from }: { from: string }) {
	const { programId, can } = useProgram();
	const [since, setSince] = useState(from);
	const chain = useQuery(chainQuery(programId, since));
	const send = useAction({
		send: () => answerOf(api.v1.programs[':id']['test-chain'].$post({ param: { id: programId }, json: {} })),
	});
	return (
		<Loaded query={chain} lines={5}>
			{({ steps, complete }) => (
				<>
					<p>
						This sends a test click, sign-up, sale and refund through the whole service. They do not change any report or balance. Real
						events are ticked off here too.
					</p>
					<ol className="chain" aria-live="polite">
						{steps.map((step) => (
							<ChainStep key={step.step} step={step} />
						))}
					</ol>
					<div className="row">
						{can('admin') && (
							<Button className={`react-aria-Button ${complete ? '' : 'primary'}`} isPending={send.isPending} onPress={() => send.mutate()}>
								Send test events
							</Button>
						)}
						{complete && <Button onPress={() => setSince(new Date().toISOString())}>Start over</Button>}
					</div>
				</>
			)}
		</Loaded>
	);
}

function ChainStep({ step: { step, state, reason, event } }: { step: Chain['steps'][number] }) {
	const [Icon, tone] = SIGNS[state];
	const isWrong = state === 'refused' || state === 'uncredited';
	return (
		<li>
			<span className={`state ${tone}`} role="img" aria-label={state}>
				<Icon size={state === 'waiting' ? 10 : 16} strokeWidth={2.5} />
			</span>
			<strong>{NAMES[step]}</strong>
			<span className={isWrong ? 'wrap' : 'wrap quiet'}>{isWrong ? reason : event ? <EventText event={event} /> : WAITING[step]}</span>
		</li>
	);
}

const WAITING = {
	click: 'A visitor follows a partner\u2019s link.',
	lead: 'The visitor signs up.',
	sale: 'The customer pays, and the partner earns a commission.',
	refund: 'The payment is refunded, and the commission is deducted.',
} as const;

function EventText({ event }: { event: NonNullable<Chain['steps'][number]['event']> }) {
	const { type, at, is_test: isTest, amount_cents: cents, currency, partner } = event;
	const { data } = useEarned(type === 'sale' && isTest ? (cents ?? undefined) : undefined);
	const parts = [
		cents !== null && currency !== null ? money(cents, currency) : undefined,
		data?.commission ? `earns ${money(data.commission.amount_cents, data.currency)}` : undefined,
		partner?.name,
		isTest ? 'test' : undefined,
		ago(at),
	];
	return parts.filter((part) => part !== undefined).join(' · ');
}
