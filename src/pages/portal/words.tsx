import { Badge, type Tone } from '../ui/small.tsx';
import type { Membership } from './memberships.ts';

// What the portal calls things.

/** What a membership is called. */
export const STATUS_WORDS = { active: 'Active', suspended: 'Suspended', ended: 'Ended' } as const satisfies Record<
	Membership['status'],
	string
>;

export const COMMISSION_STATES = ['pending', 'approved', 'paid', 'refunded', 'reversed', 'rejected'] as const;
export type CommissionState = (typeof COMMISSION_STATES)[number];

interface Words {
	readonly label: string;
	readonly tone: Tone | undefined;
	/** What the state means, to whom the money is coming. */
	readonly meaning: string;
}

export const COMMISSION_WORDS: Readonly<Record<CommissionState, Words>> = {
	pending: { label: 'On hold', tone: 'warn', meaning: 'Waits for some days, in case the sale is refunded. Then it is approved by itself.' },
	approved: { label: 'Approved', tone: 'accent', meaning: 'Yours: it goes out with a next payout.' },
	paid: { label: 'Paid', tone: 'good', meaning: 'Was part of a payout.' },
	refunded: { label: 'Partly refunded', tone: 'warn', meaning: 'A part of the sale was refunded: the rest of the commission stays yours.' },
	reversed: { label: 'Refunded', tone: 'bad', meaning: 'The whole sale was refunded: nothing is left of the commission.' },
	rejected: { label: 'Rejected', tone: 'bad', meaning: 'The program rejected it.' },
};

export function CommissionBadge({ status }: { status: CommissionState }) {
	const { label, tone } = COMMISSION_WORDS[status];
	return <Badge tone={tone}>{label}</Badge>;
}
