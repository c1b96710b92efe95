import { count, dayOf, money } from '../../../format.ts';
import type { ColumnOf } from '../../../ui/data-table.tsx';
import type { Payout } from './payout-queries.ts';
import { PayoutBadge } from '../../../labels/payout.tsx';

export function payoutColumns(zone: string): readonly ColumnOf<Payout>[] {
	return [
		{ id: 'id', label: 'Payout', cell: ({ id }) => id },
		{ id: 'partner', onPhone: 'lead', label: 'Partner', cell: ({ partner }) => <span className="cut">{partner.name}</span> },
		{ id: 'state', onPhone: 'under-end', label: 'State', cell: ({ status }) => <PayoutBadge status={status} /> },
		{ id: 'made', onPhone: 'under', label: 'Created on', cell: ({ created_at }) => dayOf(created_at, zone) },
		{ id: 'sent', label: 'Sent on', cell: ({ sent_at }) => (sent_at === null ? <span className="quiet">–</span> : dayOf(sent_at, zone)) },
		{ id: 'reference', label: 'Reference', cell: ({ reference }) => <span className="cut">{reference ?? ''}</span> },
		{ id: 'commissions', label: 'Commissions', isNumber: true, isExtra: true, cell: ({ commission_count }) => count(commission_count) },
		{
			id: 'recovered',
			label: 'Debt recovered',
			isNumber: true,
			cell: ({ recovered_cents, currency }) => keptText(recovered_cents, currency),
		},
		{ id: 'amount', onPhone: 'end', label: 'Amount', isNumber: true, cell: ({ amount_cents, currency }) => money(amount_cents, currency) },
	];
}

function keptText(recoveredCents: number, currency: string) {
	return recoveredCents === 0 ? <span className="quiet">–</span> : money(-recoveredCents, currency);
}
