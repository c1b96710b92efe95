import { headlinesOf, type OfferedRate, rowsOf } from '../../../domain/commissions/offer.ts';
import { plural } from '../../format.ts';
import { renewalsOf } from '../../labels/rate.ts';
import { useMembership } from '../memberships.ts';

/** What sales earn, as on the program's public page: a sentence, and each rate if there are several. */
export function Terms() {
	const { membership, program } = useMembership();
	const rates = membership.rates.map(ratedOf);
	const [first] = rates;
	if (!first) return null;
	const { headline, exceptions } = headlinesOf({ rates });
	return (
		<div className="stack tight">
			<p>
				You earn <strong>{headline}</strong>
				{exceptions.map((exception) => `; ${exception}`).join('')}. A sale counts within {plural(program.cookie_window_days, 'day')} of the
				click.
				{rates.length === 1 && ` ${renewalsOf(first.recurringMonths)}`}
				{rates.length === 1 && first.holdDays > 0 && (
					<span className="quiet"> Commissions are on hold for {plural(first.holdDays, 'day')}, in case of refunds.</span>
				)}
			</p>
			{rates.length > 1 && <Rates rates={rates} />}
		</div>
	);
}

function Rates({ rates }: { rates: readonly OfferedRate[] }) {
	return (
		<details>
			<summary>All {plural(rates.length, 'rate')}</summary>
			<p className="quiet small">The first row that fits a sale counts.</p>
			<div className="scroll" tabIndex={0} role="region" aria-label="All rates">
				<table>
					<thead>
						<tr>
							<th scope="col">Sale</th>
							<th scope="col">You earn</th>
							<th scope="col">In a subscription</th>
							<th scope="col">Paid</th>
						</tr>
					</thead>
					<tbody>
						{rowsOf({ rates }).map(({ sales, earned, renewals, hold }) => (
							<tr key={sales}>
								<th scope="row">
									<span className="cut">{sales}</span>
								</th>
								<td>{earned}</td>
								<td>{renewals}</td>
								<td>{hold}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</details>
	);
}

function ratedOf(rate: ReturnType<typeof useMembership>['membership']['rates'][number]): OfferedRate {
	const shared = { productId: rate.product_id, recurringMonths: rate.recurring_months, holdDays: rate.hold_days };
	return rate.type === 'percent'
		? { type: rate.type, basisPoints: Math.round(rate.percent * 100), amountCents: null, currency: null, ...shared }
		: { type: rate.type, basisPoints: null, amountCents: rate.amount_cents, currency: rate.currency ?? '', ...shared };
}
