import { money } from '../../format.ts';
import { Badge, type Tone } from '../../ui/small.tsx';
import type { MembershipStatus, Partner } from './queries.ts';

const STATUSES: Readonly<Record<MembershipStatus, readonly [label: string, tone: Tone | undefined]>> = {
	active: ['Active', 'good'],
	suspended: ['Suspended', 'warn'],
	ended: ['Ended', undefined],
};

export const STATUS_OPTIONS = (['active', 'suspended', 'ended'] as const).map((value) => ({ value, label: STATUSES[value][0] }));

/** Of a membership, with the reason that the partner was told. */
export function StatusBadge({ status, reason }: { status: MembershipStatus; reason?: string | null }) {
	const [label, tone] = STATUSES[status];
	return (
		<Badge tone={tone} reason={reason}>
			{label}
		</Badge>
	);
}

/** Of what there is none. */
export function None() {
	return <span className="quiet">–</span>;
}

/** One part of the balances, each currency on a line of its own. */
export function BalanceLines({ balances, part }: { balances: Partner['balances']; part: 'available' | 'pending' | 'debt' }) {
	const lines = Object.entries(balances).filter(([, balance]) => balance[part] !== 0);
	if (lines.length === 0) return <None />;
	return (
		<>
			{lines.map(([currency, balance]) => (
				<div key={currency} className={part === 'debt' ? 'bad' : undefined}>
					{money(balance[part], currency)}
				</div>
			))}
		</>
	);
}
