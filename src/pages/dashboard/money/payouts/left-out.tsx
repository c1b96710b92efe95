import { useState } from 'react';
import { Card } from '../../../ui/page.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { Badge } from '../../../ui/small.tsx';
import { useProgram } from '../../use-program.ts';
import { type Due, type DueFilter, useDue, useDueSums } from './due-queries.ts';
import { PartnerTable } from './partner-table.tsx';

const REASONS: Readonly<Record<NonNullable<Due['left_out']>, { readonly label: string; readonly tone: 'warn' | 'bad' | undefined }>> = {
	below_minimum: { label: 'Below the minimum', tone: undefined },
	in_debt: { label: 'In debt', tone: 'bad' },
	nothing_approved: { label: 'On hold', tone: 'warn' },
};

/** Partners who have a balance but get no payout now, and why. Explains debt if any partner has it. */
export function LeftOut({ filter }: { filter: DueFilter }) {
	const { programId } = useProgram();
	const [cursor, setCursor] = useState<string>();
	const sums = useDueSums(programId, filter).data;
	const { data: page } = useDue(programId, { ...filter, show: 'left_out', cursor, limit: '50' });
	const countOf = (reason: NonNullable<Due['left_out']>) => sums?.left_out.find((each) => each.reason === reason)?.accounts ?? 0;
	const isDebt = countOf('in_debt') > 0 || (sums?.currencies ?? []).some(({ recovered_cents }) => recovered_cents > 0);
	const total = (sums?.left_out ?? []).reduce((sum, { accounts }) => sum + accounts, 0);
	const rows = page?.data ?? [];
	return (
		<>
			{isDebt && (
				<p className="note">
					<strong>Debts.</strong> If a sale is refunded after its commission was paid, the partner owes you the overpaid amount. They do not
					need to send it back: the next payouts deduct it, with a separate ledger entry.
				</p>
			)}
			{(rows.length > 0 || cursor !== undefined) && (
				<Card title={`Not paid now: ${total}`} isFlush>
					<PartnerTable
						label="Partners not paid now"
						headings={['Reason', 'Would be paid']}
						rows={rows}
						cell={(row) => <Why row={row} />}
					/>
					<Paging cursor={cursor} meta={page?.meta} shown={rows.length} onChange={setCursor} />
				</Card>
			)}
		</>
	);
}

function Why({ row: { left_out, reason_text } }: { row: Due }) {
	const { label, tone } = REASONS[left_out ?? 'nothing_approved'];
	return (
		<div className="stack tight">
			<span>
				<Badge tone={tone}>{label}</Badge>
			</span>
			<span className="quiet small">{reason_text}</span>
		</div>
	);
}
