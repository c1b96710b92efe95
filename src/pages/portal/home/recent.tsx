import { Link } from '@tanstack/react-router';
import { dayOf, money } from '../../format.ts';
import { Empty } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { inWords } from '../in-words.ts';
import { OwnCommissionBadge } from '../labels.tsx';
import { useMembership } from '../memberships.ts';
import type { RecentCommission } from './recent-commissions.ts';

/** Each commission has its next step. */
export function Recent({ commissions }: { commissions: readonly RecentCommission[] }) {
	const { membershipId, zone } = useMembership();
	return (
		<Card
			title="Recent commissions"
			isFlush
			actions={
				<Link to="/programs/$membershipId/commissions" params={{ membershipId }} search={{}}>
					All commissions
				</Link>
			}
		>
			{commissions.length === 0 && <Empty title="There are none" />}
			<ul className="plain recent">
				{commissions.map(({ id, status, payout_status, state_reason, remaining_cents, currency, created_at }) => (
					<li key={id}>
						<Link to="/programs/$membershipId/commissions" params={{ membershipId }} search={{ open: String(id) }}>
							<span className="row">
								<strong>{money(remaining_cents, currency)}</strong>
								<OwnCommissionBadge status={status} payout_status={payout_status} />
							</span>
							<time dateTime={created_at} className="quiet small when">
								{dayOf(created_at, zone)}
							</time>
							<span className="quiet small wrap reason-line">{inWords(state_reason, currency)}</span>
						</Link>
					</li>
				))}
			</ul>
		</Card>
	);
}
