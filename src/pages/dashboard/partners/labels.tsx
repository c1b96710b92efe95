import { money } from '../../format.ts';
import { MEMBERSHIP_STATES, membershipLabel } from '../../labels/membership.tsx';
import type { Partner } from './queries.ts';

export const STATUS_OPTIONS = MEMBERSHIP_STATES.map((value) => ({ value, label: membershipLabel(value) }));

export function None() {
	return <span className="quiet">–</span>;
}

/** One line per currency. */
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
