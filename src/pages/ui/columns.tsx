import { Columns3 } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { ColumnOf } from './data-table.tsx';
import { store, useStored } from './stored.ts';

// Each browser keeps its own choice of columns.

type Column = Pick<ColumnOf<never>, 'id' | 'label' | 'isExtra' | 'onPhone'>;

/** The row's heading and what leads it on a phone always stay. */
function isFixed({ onPhone }: Column, place: number): boolean {
	return place === 0 || onPhone === 'lead';
}

const keyOf = (list: string) => `${list}-columns`;

/** The ids of the chosen columns, in the order of the list. */
function useChosenIds(list: string, columns: readonly Column[]): readonly string[] {
	const chosen = useStored(keyOf(list))?.split(',');
	return columns
		.filter((column, place) => !isFixed(column, place))
		.filter(({ id, isExtra = false }) => (chosen === undefined ? !isExtra : chosen.includes(id)))
		.map(({ id }) => id);
}

/** The columns of a list that the reader wants to see. `list` names it in what the browser keeps. */
export function useChosenColumns<Item>(list: string, columns: readonly ColumnOf<Item>[]): readonly ColumnOf<Item>[] {
	const chosen = useChosenIds(list, columns);
	return columns.filter((column, place) => isFixed(column, place) || chosen.includes(column.id));
}

/** Null if the reader has not chosen any. */
export function useStoredColumns(list: string): string | null {
	return useStored(keyOf(list));
}

export function storeColumns(list: string, ids: string | null): void {
	store(keyOf(list), ids);
}

export function ColumnMenu({ list, columns }: { list: string; columns: readonly Column[] }) {
	const chosen = useChosenIds(list, columns);
	const choosable = columns.filter((column, place) => !isFixed(column, place));
	return (
		<MenuTrigger>
			<Button>
				<Columns3 size={14} /> Columns
			</Button>
			<Popover>
				<Menu
					aria-label="Columns"
					selectionMode="multiple"
					selectedKeys={chosen}
					onSelectionChange={(keys) =>
						storeColumns(
							list,
							choosable
								.map(({ id }) => id)
								.filter((id) => keys === 'all' || keys.has(id))
								.join(),
						)
					}
				>
					{choosable.map(({ id, label }) => (
						<MenuItem key={id} id={id} textValue={label}>
							{({ isSelected }) => (
								<span className="with-key">
									{label} <span aria-hidden="true">{isSelected ? '✓' : ''}</span>
								</span>
							)}
						</MenuItem>
					))}
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}
