import type { ReactNode } from 'react';
import {
	Cell,
	Checkbox,
	Column,
	type Key,
	Row,
	type Selection,
	type SortDescriptor,
	Table,
	TableBody,
	TableHeader,
} from 'react-aria-components';
import { TickBox } from './fields.tsx';

export interface ColumnOf<Item> {
	/** The column's name in the URL, if the list can be sorted by it. */
	readonly id: string;
	readonly label: string;
	/** Numbers are right-aligned. */
	readonly isNumber?: boolean;
	readonly isSortable?: boolean;
	/** Hidden until the reader chooses it, in a list with chosen columns. */
	readonly isExtra?: boolean;
	/** Its place in the row of two lines on a phone. A table without places stays a table there; without its own, a column is for screen readers. */
	readonly onPhone?: 'lead' | 'end' | 'under' | 'under-end';
	readonly cell: (item: Item) => ReactNode;
}

interface DataTableProps<Item extends { readonly id: number | string }> {
	readonly label: string;
	/** The first column is the row's heading. */
	readonly columns: readonly ColumnOf<Item>[];
	readonly rows: readonly Item[];
	readonly empty: ReactNode;
	/** Whether these rows still show the previous filters. */
	readonly isStale?: boolean;
	readonly onOpen?: (item: Item) => void;
	readonly sort?: SortDescriptor;
	readonly onSort?: (sort: SortDescriptor) => void;
	readonly selection?: {
		readonly keys: 'all' | Iterable<Key>;
		readonly onChange: (keys: Selection) => void;
		readonly disabled?: readonly (number | string)[];
	};
}

/** Rows can be opened, sorted and selected by keyboard and screen reader too. */
export function DataTable<Item extends { readonly id: number | string }>({
	label,
	columns,
	rows,
	empty,
	isStale = false,
	onOpen,
	sort,
	onSort,
	selection,
}: DataTableProps<Item>) {
	const hasPlaces = columns.some(({ onPhone }) => onPhone !== undefined);
	return (
		<div className={`scroll ${hasPlaces ? 'two-lines' : ''}`}>
			<Table
				aria-label={label}
				data-busy={isStale}
				selectionMode={selection ? 'multiple' : 'none'}
				selectedKeys={selection?.keys}
				onSelectionChange={selection?.onChange}
				disabledKeys={selection?.disabled}
				disabledBehavior="selection"
				sortDescriptor={sort}
				onSortChange={onSort}
				onRowAction={onOpen && ((key) => open(rows, key, onOpen))}
			>
				<TableHeader>
					{selection && (
						<Column className="react-aria-Column tick-of-row">
							<SelectionBox />
						</Column>
					)}
					{columns.map((column, index) => (
						<Column
							key={column.id}
							id={column.id}
							isRowHeader={index === 0}
							allowsSorting={column.isSortable}
							className={`react-aria-Column ${placeOf(column)}`}
						>
							{({ sortDirection }) => (
								<>
									{column.label}
									{sortDirection && <span aria-hidden="true"> {sortDirection === 'ascending' ? '↑' : '↓'}</span>}
								</>
							)}
						</Column>
					))}
				</TableHeader>
				<TableBody renderEmptyState={() => empty}>
					{rows.map((row) => (
						<Row key={row.id} id={row.id}>
							{selection && (
								<Cell className="react-aria-Cell tick-of-row">
									<SelectionBox />
								</Cell>
							)}
							{columns.map((column) => (
								<Cell key={column.id} className={`react-aria-Cell ${placeOf(column)}`}>
									{column.cell(row)}
								</Cell>
							))}
						</Row>
					))}
				</TableBody>
			</Table>
		</div>
	);
}

function placeOf({ isNumber = false, onPhone }: Pick<ColumnOf<never>, 'isNumber' | 'onPhone'>): string {
	return `on-phone-${onPhone ?? 'aside'} ${isNumber ? 'number' : ''}`;
}

function SelectionBox() {
	return (
		<Checkbox slot="selection">
			<TickBox />
		</Checkbox>
	);
}

function open<Item extends { readonly id: number | string }>(
	rows: readonly Item[],
	key: number | string,
	onOpen: (item: Item) => void,
): void {
	const row = rows.find(({ id }) => id === key);
	if (row) onOpen(row);
}
