import { CheckCheck, Clock, type LucideIcon, Minus, TriangleAlert } from 'lucide-react';
import type { PayoutMethod } from '../../domain/payouts/payout-details.ts';
import type { PayoutStatus } from '../../domain/payouts/payout-state.ts';
import { Badge, type Tone } from '../ui/small.tsx';

const WORDS: Readonly<Record<PayoutStatus, readonly [label: string, tone: Tone | undefined, icon: LucideIcon]>> = {
	made: ['To be sent', 'accent', Clock],
	sent: ['Sent', 'good', CheckCheck],
	failed: ['Failed', 'bad', TriangleAlert],
	settled: ['Nothing to send', undefined, Minus],
};

export function payoutLabel(status: PayoutStatus): string {
	return WORDS[status][0];
}

export function PayoutBadge({ status }: { status: PayoutStatus }) {
	const [label, tone, icon] = WORDS[status];
	return (
		<Badge tone={tone} icon={icon}>
			{label}
		</Badge>
	);
}

export const METHODS: Readonly<Record<PayoutMethod, string>> = { paypal: 'PayPal', wise: 'Wise', bank: 'Bank transfer' };
