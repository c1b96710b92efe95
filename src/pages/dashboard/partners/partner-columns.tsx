import { Columns3 } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { count, day, dayOf, money } from '../../format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import type { ColumnOf } from '../../ui/data-table.tsx';
import { useProgram } from '../use-program.ts';
import type { RankedPartner } from './ranking.ts';
import { MembershipBadge } from '../../labels/membership.tsx';
import { BalanceLines, None } from './labels.tsx';

// Each browser keeps its own choice of columns.

const CHOICES = {
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

type ColumnId = keyof typeof CHOICES;
const IDS = Object.keys(CHOICES).filter((id) => isColumn(id));
const USUAL: readonly ColumnId[] = ['status', 'clicks', 'conversions', 'net_revenue', 'net_commission', 'earnings_per_click', 'available'];

const STORED = 'partner-columns';
const listeners = new Set<() => void>();

function isColumn(id: string): id is ColumnId {
	return id in CHOICES;
}

function useSelected(): readonly ColumnId[] {
	const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(STORED));
	return stored === null ? USUAL : stored.split(',').filter((id) => isColumn(id));
}

function subscribe(changed: () => void): () => void {
	listeners.add(changed);
	return () => listeners.delete(changed);
}

function choose(ids: readonly ColumnId[]): void {
	localStorage.setItem(STORED, ids.join());
	for (const changed of listeners) changed();
}

export function ColumnChooser() {
	const selected = useSelected();
	return (
		<MenuTrigger>
			<Button>
				<Columns3 size={14} /> Columns
			</Button>
			<Popover>
				<Menu
					aria-label="Columns"
					selectionMode="multiple"
					selectedKeys={selected}
					onSelectionChange={(keys) => choose(IDS.filter((id) => keys === 'all' || keys.has(id)))}
				>
					{IDS.map((id) => (
						<MenuItem key={id} id={id} textValue={CHOICES[id]}>
							{({ isSelected }) => (
								<span className="with-key">
									{CHOICES[id]} <span aria-hidden="true">{isSelected ? '✓' : ''}</span>
								</span>
							)}
						</MenuItem>
					))}
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}

type Cells = Readonly<Record<ColumnId, Omit<ColumnOf<RankedPartner>, 'id' | 'label'>>>;

/** The partner column comes first. A phone shows the column that the list is sorted by, or the first figure. */
export function useColumns(sort: string): readonly ColumnOf<RankedPartner>[] {
	const { program } = useProgram();
	const selected = useSelected();
	const cells = cellsOf(program.currency, program.time_zone);
	const chosen = IDS.filter((id) => selected.includes(id)).map((id) => ({
		id,
		label: id === 'earnings_per_click' ? 'Per click' : CHOICES[id],
		...cells[id],
	}));
	const atEnd = chosen.find(({ id }) => id === sort) ?? chosen.find(({ isNumber }) => isNumber);
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
		...chosen.map((column) => ({ ...column, ...(column === atEnd && { onPhone: 'end' as const }) })),
	];
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
