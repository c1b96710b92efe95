import type { ReactNode } from 'react';
import { money } from '../../../format.ts';
import { PartnerLink } from '../../links.tsx';

interface PartnerRow {
	readonly partner: { readonly id: number; readonly name: string };
	readonly currency: string;
	readonly amount_cents: number;
}

interface PartnerTableProps<Row> {
	readonly label: string;
	/** The headings of the `cell` column and of the amount. */
	readonly headings: readonly [cell: string, amount: string];
	readonly rows: readonly Row[];
	readonly cell: (row: Row) => ReactNode;
}

/** One row per partner and currency, with an amount. */
export function PartnerTable<Row extends PartnerRow>({ label, headings, rows, cell }: PartnerTableProps<Row>) {
	return (
		<div className="scroll" tabIndex={0} role="region" aria-label={label}>
			<table>
				<thead>
					<tr>
						<th scope="col">Partner</th>
						<th scope="col">{headings[0]}</th>
						<th scope="col" className="number">
							{headings[1]}
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
							<td className="wrap">{cell(row)}</td>
							<td className="number">{money(row.amount_cents, row.currency)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
