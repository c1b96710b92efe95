import type { PayoutMethod } from '../../domain/payouts/payout-details.ts';
import type { PayoutStatus } from '../../domain/payouts/payout-state.ts';
import { Badge, type Tone } from '../ui/small.tsx';

const WORDS: Readonly<Record<PayoutStatus, readonly [label: string, tone: Tone | undefined]>> = {
	made: ['To be sent', 'accent'],
	sent: ['Sent', 'good'],
	failed: ['Failed', 'bad'],
	settled: ['Nothing to send', undefined],
};

export function payoutLabel(status: PayoutStatus): string {
	return WORDS[status][0];
}

export function PayoutBadge({ status }: { status: PayoutStatus }) {
	const [label, tone] = WORDS[status];
	return <Badge tone={tone}>{label}</Badge>;
}

export const METHODS: Readonly<Record<PayoutMethod, string>> = { paypal: 'PayPal', wise: 'Wise', bank: 'Bank transfer' };
