import { Link } from '@tanstack/react-router';
import { money } from '../../format.ts';
import { Card } from '../../ui/page.tsx';
import { currenciesOf, NOTHING } from '../balances.ts';
import { inWords } from '../in-words.ts';
import { useMembership } from '../memberships.ts';

/** Currencies are never added up. */
export function Earnings() {
	const { membership, program, membershipId } = useMembership();
	const currencies = currenciesOf(membership.balances, program.currency);
	return (
		<Card
			title="Earnings"
			isBoxed
			actions={
				<Link to="/programs/$membershipId/payouts" params={{ membershipId }} search={{}}>
					Payouts
				</Link>
			}
		>
			<div className="stack">
				{currencies.map((currency) => (
					<InCurrency key={currency} currency={currency} isNamed={currencies.length > 1} />
				))}
			</div>
		</Card>
	);
}

function InCurrency({ currency, isNamed }: { currency: string; isNamed: boolean }) {
	const { membership } = useMembership();
	const { available, pending, debt } = membership.balances[currency] ?? NOTHING;
	const next = membership.next_payouts.find((one) => one.currency === currency);
	return (
		<section className="stack tight" aria-label={isNamed ? currency : undefined}>
			<dl className="amounts">
				<Amount name="Available" value={money(available, currency)} note="Can be paid out" />
				<Amount name="Pending" value={money(pending, currency)} note="On hold, in case of refunds" />
				{debt > 0 && <Amount name="Kept back" value={money(debt, currency)} note="Of what you earn next, for refunds" />}
			</dl>
			<p className="quiet">
				<strong className="next-payout">Next payout:</strong> {inWords(next?.reason ?? 'There are no unpaid earnings', currency)}
			</p>
		</section>
	);
}

function Amount({ name, value, note }: { name: string; value: string; note: string }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>
				<strong>{value}</strong>
				<span className="quiet small">{note}</span>
			</dd>
		</div>
	);
}
