import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { money, plural } from '../../format.ts';
import { Card } from '../../ui/page.tsx';
import { inWords } from '../in-words.ts';
import { useMembership } from '../memberships.ts';

type Money = ReturnType<typeof useMembership>['membership']['money'][number];

/** Where the partner's money is, in every currency. Currencies are never added up. */
export function Earnings() {
	const { membership, membershipId } = useMembership();
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
				{membership.money.map((sums) => (
					<InCurrency key={sums.currency} sums={sums} isNamed={membership.money.length > 1} />
				))}
			</div>
		</Card>
	);
}

function InCurrency({ sums, isNamed }: { sums: Money; isNamed: boolean }) {
	const { membership } = useMembership();
	const { currency } = sums;
	const debt = membership.balances[currency]?.debt ?? 0;
	const next = membership.next_payouts.find((one) => one.currency === currency);
	return (
		<section className="stack tight" aria-label={isNamed ? currency : undefined}>
			<dl className="amounts">
				<Amount name="Available" value={money(sums.available_cents, currency)}>
					{inWords(next?.reason ?? 'There are no unpaid earnings', currency)}
				</Amount>
				<Amount name="On hold" value={money(sums.on_hold_cents, currency)}>
					In case of refunds
				</Amount>
				<Amount name="On its way" value={money(sums.on_its_way_cents, currency)}>
					<OnItsWay sums={sums} />
				</Amount>
				<Amount name="Paid so far" value={money(sums.paid_cents, currency)}>
					{sums.paid_payouts === 0 ? 'Nothing was sent yet' : `Sent in ${plural(sums.paid_payouts, 'payout')}`}
				</Amount>
				{debt > 0 && (
					<Amount name="To be deducted" value={money(debt, currency)}>
						From what you earn next, for refunds
					</Amount>
				)}
			</dl>
		</section>
	);
}

function OnItsWay({ sums: { on_its_way_payouts: payouts, on_its_way_payout_id: id } }: { sums: Money }) {
	const { membershipId } = useMembership();
	if (payouts === 0) return 'In no payout now';
	return (
		<>
			In{' '}
			<Link to="/programs/$membershipId/payouts" params={{ membershipId }} search={id === null ? {} : { open: String(id) }}>
				{id === null ? `${payouts} payouts` : `payout ${id}`}
			</Link>
			, not sent yet
		</>
	);
}

function Amount({ name, value, children }: { name: string; value: string; children: ReactNode }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>
				<strong>{value}</strong>
				<span className="quiet small">{children}</span>
			</dd>
		</div>
	);
}
