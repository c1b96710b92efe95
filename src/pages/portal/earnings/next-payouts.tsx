import { Link } from '@tanstack/react-router';
import { money } from '../../format.ts';
import { Card } from '../../ui/page.tsx';
import { currenciesOf } from '../balances.ts';
import { inWords } from '../in-words.ts';
import { useMembership } from '../memberships.ts';

/** One per currency. */
export function NextPayouts() {
	const { membership, program } = useMembership();
	const currencies = currenciesOf(membership.balances, program.currency);
	const next = currencies.flatMap((code) => membership.next_payouts.filter(({ currency }) => currency === code));
	return (
		<Card title="Next payout">
			<div className="stack">
				{next.length === 0 && <p>You have not earned anything yet. Earnings are paid out after their hold.</p>}
				<div className="columns">
					{next.map(({ currency, amount_cents, reason }) => (
						<div key={currency}>
							<strong className="figure">{money(amount_cents, currency)}</strong>
							<p className="wrap">{inWords(reason, currency)}</p>
						</div>
					))}
				</div>
				<Method />
			</div>
		</Card>
	);
}

/** Without a payout method, nothing can be sent. */
function Method() {
	const { membership } = useMembership();
	const details = membership.payout_details;
	if (details === null) {
		return (
			<p className="note warn">
				<strong>The program cannot pay you yet.</strong> It does not know where to send the money.{' '}
				<Link to="/account/payout-details">Add payout details</Link>
			</p>
		);
	}
	return (
		<p className="quiet">
			It goes to {details.summary}. <Link to="/account/payout-details">Change</Link>
		</p>
	);
}
