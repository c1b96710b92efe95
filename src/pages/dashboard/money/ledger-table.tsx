import { dayOf, moment, money } from '../../format.ts';
import { useProgram } from '../use-program.ts';
import { ENTRY_WORDS } from './labels.ts';

interface Entry {
	readonly id: number;
	readonly kind: keyof typeof ENTRY_WORDS;
	readonly commission_id?: number | null;
	readonly amount_cents: number;
	readonly balance_after_cents: number;
	readonly created_at: string;
}

/** Ledger entries of the partner, oldest first. Corrections are separate entries. */
export function LedgerTable({ entries, currency }: { entries: readonly Entry[]; currency: string }) {
	const { program } = useProgram();
	return (
		<div className="scroll" tabIndex={0} role="region" aria-label="Ledger entries">
			<table>
				<thead>
					<tr>
						<th scope="col">Entry</th>
						<th scope="col">When</th>
						<th scope="col" className="number">
							Change
						</th>
						<th scope="col" className="number">
							Balance after
						</th>
					</tr>
				</thead>
				<tbody>
					{entries.map((entry) => (
						<tr key={entry.id}>
							<th scope="row">
								{ENTRY_WORDS[entry.kind]}
								{entry.commission_id && <span className="quiet"> · commission {entry.commission_id}</span>}
							</th>
							<td title={moment(entry.created_at, program.time_zone)}>
								<span className="number">{dayOf(entry.created_at, program.time_zone)}</span>
							</td>
							<td className="number">{money(entry.amount_cents, currency)}</td>
							<td className="number">{money(entry.balance_after_cents, currency)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
