import { count, day, dayOf, money } from '../../format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import type { ColumnOf } from '../../ui/data-table.tsx';
import { useProgram } from '../use-program.ts';
import type { RankedPartner } from './ranking.ts';
import { MembershipBadge } from '../../labels/membership.tsx';
import { BalanceLines, None } from './labels.tsx';

const LABELS = {
	status: 'Status',
	group: 'Group',
	clicks: 'Clicks',
	leads: 'Leads',
	conversions: 'Customers',
	sales: 'Sales',
	revenue: 'Revenue',
	net_revenue: 'Net revenue',
	commission: 'Commission',
	net_commission: 'Net commission',
	earnings_per_click: 'Earnings per click',
	available: 'Available',
	pending: 'Pending',
	debt: 'Debt',
	last_active: 'Last active',
	joined: 'Joined',
} as const;

type ColumnId = keyof typeof LABELS;
const COLUMN_IDS = Object.keys(LABELS).filter((id): id is ColumnId => id in LABELS);
const USUAL: readonly ColumnId[] = ['status', 'clicks', 'conversions', 'net_revenue', 'net_commission', 'earnings_per_click', 'available'];

type Cells = Readonly<Record<ColumnId, Omit<ColumnOf<RankedPartner>, 'id' | 'label'>>>;

/** Chosen or not. */
export function usePartnerColumns(): readonly ColumnOf<RankedPartner>[] {
	const { program } = useProgram();
	const cells = cellsOf(program.currency, program.time_zone);
	return [
		{
			id: 'name',
			onPhone: 'lead',
			label: 'Partner',
			isSortable: true,
			cell: ({ name, email }) => (
				<span className="who">
					<Avatar name={name} />
					<span className="lines">
						<span className="cut brief strong">{name}</span>
						<span className="cut brief quiet small">{email}</span>
					</span>
				</span>
			),
		},
		...COLUMN_IDS.map((id) => ({ id, label: LABELS[id], isExtra: !USUAL.includes(id), ...cells[id] })),
	];
}

/** A phone shows the column that the list is sorted by, or the first figure. */
export function placedOnPhone(columns: readonly ColumnOf<RankedPartner>[], sort: string): readonly ColumnOf<RankedPartner>[] {
	const figures = columns.filter(({ onPhone }) => onPhone !== 'lead');
	const atEnd = figures.find(({ id }) => id === sort) ?? figures.find(({ isNumber }) => isNumber);
	return columns.map((column) => (column === atEnd ? { ...column, onPhone: 'end' } : column));
}

function cellsOf(currency: string, zone: string): Cells {
	const ofAmount = (name: AmountName) =>
		({
			isNumber: true,
			isSortable: true,
			cell: (partner: RankedPartner) => <AmountLines partner={partner} name={name} currency={currency} />,
		}) as const;
	return {
		status: { onPhone: 'under-end', cell: ({ status }) => <MembershipBadge status={status} /> },
		group: { cell: ({ group }) => (group ? <span className="cut brief">{group.name}</span> : <None />) },
		clicks: ofCount('clicks'),
		leads: ofCount('leads'),
		conversions: ofCount('conversions'),
		sales: ofCount('sales'),
		revenue: ofAmount('revenue_cents'),
		net_revenue: ofAmount('net_revenue_cents'),
		commission: ofAmount('commission_cents'),
		net_commission: ofAmount('net_commission_cents'),
		earnings_per_click: {
			isNumber: true,
			isSortable: true,
			cell: ({ earnings_per_click_cents: cents }) => (cents === null ? <None /> : money(cents, currency)),
		},
		available: ofBalance('available'),
		pending: ofBalance('pending'),
		debt: ofBalance('debt'),
		last_active: {
			isSortable: true,
			cell: ({ last_active_on: on }) => (on === null ? <None /> : <span className="nowrap">{day(on)}</span>),
		},
		joined: { isSortable: true, cell: ({ joined_at }) => <span className="nowrap">{dayOf(joined_at, zone)}</span> },
	};
}

function ofCount(name: 'clicks' | 'leads' | 'conversions' | 'sales') {
	return { isNumber: true, isSortable: true, cell: (partner: RankedPartner) => countOf(partner[name]) } as const;
}

function ofBalance(part: 'available' | 'pending' | 'debt') {
	return { isNumber: true, cell: ({ balances }: RankedPartner) => <BalanceLines balances={balances} part={part} /> } as const;
}

function countOf(number: number) {
	return number === 0 ? <span className="quiet">0</span> : count(number);
}

type AmountName = 'revenue_cents' | 'net_revenue_cents' | 'commission_cents' | 'net_commission_cents';

/** Other currencies are below the program's. */
function AmountLines({ partner, name, currency }: { partner: RankedPartner; name: AmountName; currency: string }) {
	const own = partner[name];
	const others = Object.entries(partner.currencies).filter(([, amounts]) => amounts[name] !== 0);
	return (
		<>
			{(own !== 0 || others.length === 0) && <div className={own === 0 ? 'quiet' : undefined}>{money(own, currency)}</div>}
			{others.map(([code, amounts]) => (
				<div key={code} className="quiet small">
					{money(amounts[name], code)}
				</div>
			))}
		</>
	);
}
