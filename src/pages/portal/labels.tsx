import { Check, CheckCheck, Clock, type LucideIcon, Minus, TriangleAlert } from 'lucide-react';
import type { PayoutStatus } from '../../domain/payouts/payout-state.ts';
import { CommissionBadge, commissionLabel, type CommissionState } from '../labels/commission.tsx';
import { Badge, type Tone } from '../ui/small.tsx';

// What partners read. A payout pays nobody before it is sent (decision 71).

type Label = readonly [label: string, tone: Tone | undefined, icon: LucideIcon];

const PAYOUTS: Readonly<Record<PayoutStatus, Label>> = {
	made: ['On its way', 'accent', Clock],
	sent: ['Paid', 'good', CheckCheck],
	failed: ['Failed', 'bad', TriangleAlert],
	settled: ['Nothing to send', undefined, Minus],
};

const IN_PAYOUTS: Readonly<Record<PayoutStatus, Label>> = {
	...PAYOUTS,
	failed: ['Payout failed', 'warn', TriangleAlert],
	settled: ['Deducted', undefined, Minus],
};

export function OwnPayoutBadge({ status }: { status: PayoutStatus }) {
	return <Labelled label={PAYOUTS[status]} />;
}

export function OwnCommissionBadge({ status, payout_status }: { status: CommissionState; payout_status: PayoutStatus | null }) {
	if (status === 'approved') return <Labelled label={['Available', 'accent', Check]} />;
	return status === 'paid' && payout_status !== null ? <Labelled label={IN_PAYOUTS[payout_status]} /> : <CommissionBadge status={status} />;
}

/** Of a list of commissions, some of which may be on their way and others paid. */
export function ownCommissionLabel(status: CommissionState): string {
	if (status === 'approved') return 'Available';
	return status === 'paid' ? 'In payouts' : commissionLabel(status);
}

function Labelled({ label: [label, tone, icon] }: { label: Label }) {
	return (
		<Badge tone={tone} icon={icon}>
			{label}
		</Badge>
	);
}
