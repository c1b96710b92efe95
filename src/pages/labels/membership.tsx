import { Badge, type Tone } from '../ui/small.tsx';

export const MEMBERSHIP_STATES = ['active', 'suspended', 'ended'] as const;
export type MembershipStatus = (typeof MEMBERSHIP_STATES)[number];

const WORDS: Readonly<Record<MembershipStatus, readonly [label: string, tone: Tone | undefined]>> = {
	active: ['Active', 'good'],
	suspended: ['Suspended', 'warn'],
	ended: ['Ended', undefined],
};

export function membershipLabel(status: MembershipStatus): string {
	return WORDS[status][0];
}

/** The reason is the one that the partner sees. */
export function MembershipBadge({ status, reason }: { status: MembershipStatus; reason?: string | null }) {
	const [label, tone] = WORDS[status];
	return (
		<Badge tone={tone} reason={reason}>
			{label}
		</Badge>
	);
}
