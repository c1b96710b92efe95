import { Ban, Check, CheckCheck, Hourglass, type LucideIcon, Undo2 } from 'lucide-react';
import type { CommissionStatus } from '../../domain/refunds/reversal.ts';
import { Badge, type Tone } from '../ui/small.tsx';

/** In the order of a commission's life. */
export const COMMISSION_STATES = [
	'pending',
	'approved',
	'paid',
	'refunded',
	'reversed',
	'rejected',
] as const satisfies readonly CommissionStatus[];
export type CommissionState = (typeof COMMISSION_STATES)[number];

const WORDS: Readonly<Record<CommissionState, readonly [label: string, tone: Tone | undefined, icon: LucideIcon]>> = {
	pending: ['On hold', 'warn', Hourglass],
	approved: ['Approved', 'accent', Check],
	paid: ['Paid', 'good', CheckCheck],
	refunded: ['Partly refunded', 'warn', Undo2],
	reversed: ['Refunded', undefined, Undo2],
	rejected: ['Rejected', 'bad', Ban],
};

export function commissionLabel(status: CommissionState): string {
	return WORDS[status][0];
}

export function CommissionBadge({ status }: { status: CommissionState }) {
	const [label, tone, icon] = WORDS[status];
	return (
		<Badge tone={tone} icon={icon}>
			{label}
		</Badge>
	);
}
