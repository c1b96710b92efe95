import type { CommissionStatus } from '../../domain/refunds/reversal.ts';
import { Badge, type Tone } from '../ui/small.tsx';

/** In the order in which a commission goes through them. */
export const COMMISSION_STATES = [
	'pending',
	'approved',
	'paid',
	'refunded',
	'reversed',
	'rejected',
] as const satisfies readonly CommissionStatus[];
export type CommissionState = (typeof COMMISSION_STATES)[number];

const WORDS: Readonly<Record<CommissionState, readonly [label: string, tone: Tone]>> = {
	pending: ['On hold', 'warn'],
	approved: ['Approved', 'accent'],
	paid: ['Paid', 'good'],
	refunded: ['Partly refunded', 'warn'],
	reversed: ['Refunded', 'bad'],
	rejected: ['Rejected', 'bad'],
};

export function commissionLabel(status: CommissionState): string {
	return WORDS[status][0];
}

export function CommissionBadge({ status }: { status: CommissionState }) {
	const [label, tone] = WORDS[status];
	return <Badge tone={tone}>{label}</Badge>;
}
