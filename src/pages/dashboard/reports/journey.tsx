import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NO_COMMISSION } from '../../../domain/commissions/commission.ts';
import { moment, money } from '../../format.ts';
import { Empty } from '../../ui/loaded.tsx';
import type { Tone } from '../../ui/small.tsx';
import { CommissionBadge } from '../../labels/commission.tsx';
import { CommissionLink } from '../links.tsx';
import { useProgram } from '../use-program.ts';
import type { CustomerOf } from './customer.tsx';
import { OUTCOMES } from './event-labels.ts';

type Step = CustomerOf['journey'][number];

const KINDS: Record<Step['type'], { readonly title: string; readonly tone: Tone | '' }> = {
	click: { title: 'Click', tone: '' },
	lead: { title: 'Sign-up', tone: '' },
	sale: { title: 'Sale', tone: 'good' },
	refund: { title: 'Refund', tone: 'warn' },
};

/** A customer's events, and the commissions that they created or reversed. */
export function Journey({ steps }: { steps: readonly Step[] }) {
	const { program } = useProgram();
	if (steps.length === 0) {
		return (
			<Empty title="No events">
				<span>No clicks, sign-ups or sales of this customer are stored.</span>
			</Empty>
		);
	}
	return (
		<ol className="timeline">
			{steps.map((step) => (
				<li key={`${step.type} ${step.id}`} className={KINDS[step.type].tone}>
					<div className="row">
						<strong>{KINDS[step.type].title}</strong>
						<time className="quiet small" dateTime={step.at ?? undefined}>
							{step.at && moment(step.at, program.time_zone)}
						</time>
					</div>
					<div className="wrap">{textOf(step)}</div>
				</li>
			))}
		</ol>
	);
}

function textOf(step: Step): ReactNode {
	switch (step.type) {
		case 'click':
			return step.page_url === null ? 'The page is not stored.' : <Visited step={step} />;
		case 'lead':
			return step.customer_key === null ? 'No customer key.' : <>Customer key {step.customer_key}</>;
		case 'sale':
			return <Bought step={step} />;
		case 'refund':
			return <RefundStep step={step} />;
	}
}

function Visited({ step: { page_url, referrer_url } }: { step: Step }) {
	return (
		<>
			{page_url}
			{referrer_url && <div className="quiet small">from {referrer_url}</div>}
		</>
	);
}

function Bought({ step }: { step: Step }) {
	const { programId } = useProgram();
	const { amount_cents, currency, transaction_id, product_id, commission, no_commission_reason, duplicate_of_sale_id } = step;
	if (amount_cents === null || currency === null || transaction_id === null) return null;
	return (
		<>
			<span className="strong">{money(amount_cents, currency)}</span>{' '}
			<Link to="/programs/$programId/explain" params={{ programId }} search={{ transaction_id }}>
				{transaction_id}
			</Link>
			{product_id !== null && <span className="quiet"> {product_id}</span>}
			{commission && (
				<div className="row">
					<span>
						Commission{' '}
						<CommissionLink id={commission.id}>{money(commission.amount_cents - commission.deducted_cents, currency)}</CommissionLink>
						{commission.deducted_cents > 0 && <span className="quiet"> of {money(commission.amount_cents, currency)}</span>}
					</span>
					<CommissionBadge status={commission.status} />
				</div>
			)}
			{duplicate_of_sale_id !== null && (
				<div className="quiet">The same payment as sale {duplicate_of_sale_id}, which is counted instead.</div>
			)}
			{!commission && <div className="quiet">No commission{whyOf(no_commission_reason)}.</div>}
		</>
	);
}

function whyOf(reason: string | null): string {
	const text = Object.entries(NO_COMMISSION).find(([known]) => known === reason)?.[1];
	return text === undefined ? ' yet. It is created within minutes' : `: ${text}`;
}

function RefundStep({ step: { amount_cents, currency, deduction_cents, outcome, reason, transaction_id } }: { step: Step }) {
	if (amount_cents === null || currency === null) return null;
	return (
		<>
			<span className="strong">{money(amount_cents, currency)}</span> of {transaction_id}
			<div className="quiet">
				{OUTCOMES[outcome ?? ''] ?? outcome}
				{deduction_cents !== null && deduction_cents !== 0 && `, ${money(deduction_cents, currency)} deducted from the commission`}
				{reason !== null && `. ${reason}`}
			</div>
		</>
	);
}
