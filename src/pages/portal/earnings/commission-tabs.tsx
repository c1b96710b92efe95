import { Link } from '@tanstack/react-router';
import { count, money } from '../../format.ts';
import { Tabs } from '../../layout/tabs.tsx';
import { COMMISSION_STATES, type CommissionState } from '../../labels/commission.tsx';
import { ownCommissionLabel } from '../labels.tsx';
import { useMembership } from '../memberships.ts';
import { type CommissionSum, type Filter, useSums } from './queries.ts';
import { MEANINGS } from './labels.ts';

export function CommissionTabs({ filter, at }: { filter: Filter; at: CommissionState | 'all' | 'none' }) {
	const { membershipId, program } = useMembership();
	const { data, error } = useSums(membershipId, filter);
	return (
		<>
			<Tabs label="States">
				{(['all', ...COMMISSION_STATES] as const).map((state) => (
					<Link
						key={state}
						to="/programs/$membershipId/commissions"
						params={{ membershipId }}
						search={({ period, from, to, ...before }) => ({
							period,
							from,
							to,
							currency: 'currency' in before ? before.currency : undefined,
							status: state === 'all' ? undefined : state,
						})}
						activeOptions={{ exact: true }}
						aria-current={state === at ? 'page' : undefined}
					>
						{state === 'all' ? 'All' : ownCommissionLabel(state)}
						<small>{data ? sumText(data, state, program.currency) : '…'}</small>
					</Link>
				))}
				<Link
					to="/programs/$membershipId/commissions/none"
					params={{ membershipId }}
					search={({ period, from, to }) => ({ period, from, to })}
					activeOptions={{ exact: true }}
					aria-current={at === 'none' ? 'page' : undefined}
				>
					Earned nothing
					<small>and why</small>
				</Link>
			</Tabs>
			{at !== 'all' && at !== 'none' && <p className="note">{[MEANINGS[at], data && inAllText(data, at)].join(' ')}</p>}
			{error && <p className="note bad">The sums could not be loaded: {error.message}</p>}
		</>
	);
}

/** "All" has no sum, because it would mix states. Currencies are never added up, and there is only room for one. */
function sumText(sums: readonly CommissionSum[], state: CommissionState | 'all', own: string): string {
	const those = sums.filter(({ status }) => state === 'all' || status === state);
	const number = those.reduce((all, sum) => all + sum.count, 0);
	const first = those.find(({ currency }) => currency === own) ?? those[0];
	if (state === 'all' || !first) return count(number);
	return `${count(number)} · ${money(centsOf(first), first.currency)}${those.length > 1 ? ' and more' : ''}`;
}

function inAllText(sums: readonly CommissionSum[], state: CommissionState): string {
	const those = sums.filter(({ status }) => status === state).map((sum) => money(centsOf(sum), sum.currency));
	return those.length > 1 ? `In all: ${listFormat.format(those)}.` : '';
}

const listFormat = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** What remains after partial refunds. */
function centsOf({ status, amount_cents, remaining_cents }: CommissionSum): number {
	return status === 'refunded' ? remaining_cents : amount_cents;
}
