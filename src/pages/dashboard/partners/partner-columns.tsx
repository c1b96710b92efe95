import { useSyncExternalStore } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { dayOf } from '../../format.ts';
import type { ColumnOf } from '../../ui/data-table.tsx';
import { CopyButton } from '../../ui/small.tsx';
import { useProgram } from '../use-program.ts';
import { shortUrlOf } from './link-addresses.ts';
import type { Partner } from './queries.ts';
import { BalanceLines, StatusBadge } from './words.tsx';

/** Beside the name, in the order of the table. */
const CHOICES = {
	status: 'Status',
	group: 'Group',
	link: 'Link',
	available: 'Available',
	pending: 'Pending',
	debt: 'Debt',
	joined: 'Joined',
} as const;

type ColumnId = keyof typeof CHOICES;
const IDS = ['status', 'group', 'link', 'available', 'pending', 'debt', 'joined'] as const satisfies readonly ColumnId[];
const USUAL: readonly ColumnId[] = ['status', 'group', 'available', 'pending', 'joined'];

/** What this browser chose to see. */
const STORED = 'partner-columns';

function isColumn(id: string): id is ColumnId {
	return id in CHOICES;
}

function useChosen(): readonly ColumnId[] {
	const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(STORED));
	return stored === null ? USUAL : stored.split(',').filter((id) => isColumn(id));
}

const listeners = new Set<() => void>();

function subscribe(changed: () => void): () => void {
	listeners.add(changed);
	return () => listeners.delete(changed);
}

function choose(ids: readonly ColumnId[]): void {
	localStorage.setItem(STORED, ids.join());
	for (const changed of listeners) changed();
}

export function ColumnChooser() {
	const chosen = useChosen();
	return (
		<MenuTrigger>
			<Button>
				Columns <span aria-hidden="true">▾</span>
			</Button>
			<Popover>
				<Menu
					aria-label="Columns"
					selectionMode="multiple"
					selectedKeys={chosen}
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

/** The table's columns: the partner, and those that were chosen. */
export function useColumns(): readonly ColumnOf<Partner>[] {
	const { program } = useProgram();
	const chosen = useChosen();
	const cells: Readonly<Record<ColumnId, Omit<ColumnOf<Partner>, 'id' | 'label'>>> = {
		status: { cell: ({ status, status_reason }) => <StatusBadge status={status} reason={status_reason} /> },
		group: { cell: ({ group }) => (group ? <span className="cut">{group.name}</span> : <span className="quiet">–</span>) },
		link: { cell: (partner) => <FirstLink partner={partner} /> },
		available: { isNumber: true, cell: ({ balances }) => <BalanceLines balances={balances} part="available" /> },
		pending: { isNumber: true, cell: ({ balances }) => <BalanceLines balances={balances} part="pending" /> },
		debt: { isNumber: true, cell: ({ balances }) => <BalanceLines balances={balances} part="debt" /> },
		joined: { isSortable: true, cell: ({ created_at }) => <span className="nowrap">{dayOf(created_at, program.time_zone)}</span> },
	};
	return [
		{
			id: 'name',
			label: 'Partner',
			isSortable: true,
			cell: ({ name, email }) => (
				<>
					<span className="cut strong">{name}</span>
					<span className="cut quiet small">{email}</span>
				</>
			),
		},
		...IDS.filter((id) => chosen.includes(id)).map((id) => ({ id, label: CHOICES[id], ...cells[id] })),
	];
}

function FirstLink({ partner }: { partner: Partner }) {
	const link = partner.links.find(({ archived }) => !archived);
	if (!link) return <span className="quiet">–</span>;
	return (
		<span className="row nowrap">
			<code className="cut">{link.short_link}</code>
			<CopyButton label={`the link of ${partner.name}`} text={shortUrlOf(link.short_link)} className="plain" />
		</span>
	);
}
