import { useRouterState } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { ActionForm, textOf } from '../ui/action-form.tsx';
import { storeColumns, useStoredColumns } from '../ui/columns.tsx';
import { OpenDialog } from '../ui/dialogs.tsx';
import { Field } from '../ui/field.tsx';
import { store, useStored } from '../ui/stored.ts';
import { toast } from '../ui/toasts.tsx';

// Each browser keeps its own views: the filters, order and columns of a list under a name.

interface View {
	readonly name: string;
	readonly search: string;
	/** Null if they are not chosen. */
	readonly columns: string | null;
}

/** The views of the list at this path, and what it shows now. */
function useViews(list: string) {
	const search = useRouterState({ select: ({ location }) => filtersIn(location.searchStr) });
	const columns = useStoredColumns(list);
	const key = `views ${location.pathname}`;
	const views = viewsIn(useStored(key));
	return {
		views,
		/** The view that the list shows. */
		current: views.find((view) => view.search === search && view.columns === columns),
		keep: (name: string) => {
			const others = views.filter((view) => view.name !== name);
			store(key, JSON.stringify([...others, { name, search, columns }].toSorted((a, b) => a.name.localeCompare(b.name))));
		},
		remove: (name: string) => {
			const others = views.filter((view) => view.name !== name);
			store(key, others.length === 0 ? null : JSON.stringify(others));
		},
	};
}

/** Without the place in the list, so that a view opens at its first page. */
function filtersIn(searchStr: string): string {
	const search = new URLSearchParams(searchStr);
	for (const name of ['cursor', 'open', 'live']) search.delete(name);
	search.sort();
	return search.toString();
}

/** Whatever else the browser holds under the key is ignored. */
function viewsIn(stored: string | null): readonly View[] {
	try {
		const views: unknown = JSON.parse(stored ?? '[]');
		return Array.isArray(views) ? views.filter((view) => isView(view)) : [];
	} catch {
		return [];
	}
}

function isView(view: unknown): view is View {
	if (typeof view !== 'object' || view === null) return false;
	const { name, search, columns }: { name?: unknown; search?: unknown; columns?: unknown } = view;
	return typeof name === 'string' && typeof search === 'string' && (columns === null || typeof columns === 'string');
}

/** `list` names the list in what the browser keeps. */
export function ViewMenu({ list }: { list: string }) {
	const { views, current, keep, remove } = useViews(list);
	const [isSaving, setSaving] = useState(false);
	const forget = ({ name }: View) => {
		remove(name);
		toast({ title: `View “${name}” removed` });
	};
	return (
		<>
			<MenuTrigger>
				<Button>
					<Bookmark size={14} /> {current ? <span className="cut">{current.name}</span> : 'Views'}
				</Button>
				<Popover>
					<Menu aria-label="Views">
						{views.length > 0 && (
							<MenuSection>
								<Header>Saved in this browser</Header>
								{views.map((view) => (
									<MenuItem
										key={view.name}
										id={`view ${view.name}`}
										textValue={view.name}
										href={`${location.pathname}${view.search === '' ? '' : `?${view.search}`}`}
										onAction={() => storeColumns(list, view.columns)}
									>
										<span className="with-key">
											<bdi className="cut">{view.name}</bdi> <span aria-hidden="true">{view === current ? '✓' : ''}</span>
										</span>
									</MenuItem>
								))}
							</MenuSection>
						)}
						{views.length > 0 && <Separator />}
						{/* One item, because a menu whose pressed item vanishes stays open. */}
						<MenuItem id="change" onAction={() => (current ? forget(current) : setSaving(true))}>
							{current ? `Remove “${current.name}”` : 'Save this view…'}
						</MenuItem>
					</Menu>
				</Popover>
			</MenuTrigger>
			{isSaving && (
				<OpenDialog title="Save this view" onClose={() => setSaving(false)}>
					<ActionForm
						action="Save"
						isPending={false}
						error={null}
						onCancel={() => setSaving(false)}
						onSend={(fields) => {
							const name = textOf(fields, 'name');
							if (name === undefined) return;
							keep(name);
							setSaving(false);
							toast({ title: `View “${name}” saved` });
						}}
					>
						<Field
							label="Name"
							name="name"
							isRequired
							autoFocus
							maxLength={60}
							description="The filters, order and columns are saved in this browser. A view with the same name is replaced."
						/>
					</ActionForm>
				</OpenDialog>
			)}
		</>
	);
}
