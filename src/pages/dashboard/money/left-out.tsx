import { money } from '../../format.ts';
import { Card } from '../../ui/page.tsx';
import { Badge } from '../../ui/small.tsx';
import { PartnerLink } from '../links.tsx';
import type { Preview } from './payout-queries.ts';

type LeftOutPayout = Preview['left_out'][number];

const REASONS: Readonly<
	Record<NonNullable<LeftOutPayout['reason']>, { readonly label: string; readonly tone: 'warn' | 'bad' | undefined }>
> = {
	below_minimum: { label: 'Below the minimum', tone: undefined },
	in_debt: { label: 'In debt', tone: 'bad' },
	nothing_approved: { label: 'On hold', tone: 'warn' },
};

/** Who has something, but gets no payout now, and why. What a debt is is said where somebody has one. */
export function LeftOut({ preview: { left_out: rows, left_out_count, payouts } }: { preview: Preview }) {
	const isDebt = rows.some(({ reason }) => reason === 'in_debt') || payouts.some(({ recovered_cents }) => recovered_cents > 0);
	return (
		<>
			{isDebt && (
				<p className="note">
					<strong>Debts.</strong> When a sale is refunded after its commission was paid, the partner owes what they were paid too much.
					Nobody has to send it back: the next payouts keep it back until it is even, and write an entry for it in the ledger.
				</p>
			)}
			{rows.length > 0 && (
				<Card title={`Not paid now: ${left_out_count}`} isFlush>
					<div className="scroll" tabIndex={0} role="region" aria-label="Who is left out">
						<table>
							<thead>
								<tr>
									<th scope="col">Partner</th>
									<th scope="col">Why</th>
									<th scope="col" className="number">
										Would be paid
									</th>
								</tr>
							</thead>
							<tbody>
								{rows.map((row) => (
									<tr key={`${row.partner.id} ${row.currency}`}>
										<th scope="row">
											<span className="cut">
												<PartnerLink id={row.partner.id}>{row.partner.name}</PartnerLink>
											</span>
										</th>
										<td>
											<Why row={row} />
										</td>
										<td className="number">{money(row.amount_cents, row.currency)}</td>
									</tr>
								))}
							</tbody>
						</table>
					</div>
					{left_out_count > rows.length && <p className="quiet note">These are the first {rows.length}.</p>}
				</Card>
			)}
		</>
	);
}

function Why({ row: { reason, reason_text } }: { row: LeftOutPayout }) {
	const { label, tone } = REASONS[reason ?? 'nothing_approved'];
	return (
		<div className="stack tight">
			<span>
				<Badge tone={tone}>{label}</Badge>
			</span>
			<span className="quiet small">{reason_text}</span>
		</div>
	);
}
