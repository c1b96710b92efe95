import { ColumnMenu } from '../ui/columns.tsx';
import type { ColumnOf } from '../ui/data-table.tsx';
import { ViewMenu } from './views.tsx';

interface ListMenusProps {
	/** Names the list in what the browser keeps. */
	readonly list: string;
	/** Chosen or not. */
	readonly columns: readonly Pick<ColumnOf<never>, 'id' | 'label' | 'isExtra' | 'onPhone'>[];
}

export function ListMenus({ list, columns }: ListMenusProps) {
	return (
		<div className="list-menus">
			<ViewMenu list={list} />
			<ColumnMenu list={list} columns={columns} />
		</div>
	);
}
