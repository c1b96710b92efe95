import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { dayOf } from '../format.ts';
import { AccountMenu } from '../layout/account-menu.tsx';
import { Bell } from '../layout/bell.tsx';
import { Layout } from '../layout/layout.tsx';
import { Logo } from '../layout/logo.tsx';
import { meQuery } from '../layout/me.ts';
import { Navigation } from './navigation.tsx';
import { programQuery, programsQuery } from './queries.ts';

const BASE = '/dashboard';

const Palette = lazy(async () => ({ default: (await import('./start/palette.tsx')).Palette }));

/** The navigation around each page for signed-in people. */
export function Shell() {
	const { programId } = useParams({ strict: false });
	const { data: me } = useSuspenseQuery(meQuery);
	useEffect(() => {
		if (programId !== undefined) localStorage.setItem('program', programId);
	}, [programId]);
	return (
		<Layout
			label="Programs"
			side={
				<>
					<Logo />
					<ProgramMenu programId={programId} />
					{programId !== undefined && <Navigation programId={programId} />}
				</>
			}
			tools={
				<>
					{programId !== undefined && <SearchButton programId={programId} />}
					<Bell />
					<AccountMenu>
						{me.partner_accounts.length > 0 && <MenuItem href="/portal">Partner portal</MenuItem>}
						<MenuItem href="/docs/" target="_blank">
							Documentation
						</MenuItem>
					</AccountMenu>
				</>
			}
		>
			{programId !== undefined && <ArchivedNote programId={programId} />}
			<Outlet />
		</Layout>
	);
}

/** Shown on every page of an archived program, which records nothing new. */
function ArchivedNote({ programId }: { programId: string }) {
	const { data: program } = useQuery(programQuery(programId));
	if (!program || program.archived_at === null) return null;
	return (
		<p className="note warn">
			<strong>This program is archived.</strong> It has recorded no clicks, leads and sales since{' '}
			{dayOf(program.archived_at, program.time_zone)}. Refunds still count, and partners can still be paid.
		</p>
	);
}

function ProgramMenu({ programId }: { programId: string | undefined }) {
	const { data: programs } = useSuspenseQuery(programsQuery);
	const { data: me } = useSuspenseQuery(meQuery);
	const shown = programs.find(({ id }) => String(id) === programId);
	return (
		<MenuTrigger>
			<Button className="react-aria-Button program">
				<span className="cut">{shown?.name ?? 'Programs'}</span>
				<span aria-hidden="true">▾</span>
			</Button>
			<Popover>
				<Menu aria-label="Programs">
					{me.workspaces.map((workspace) => (
						<MenuSection key={workspace.id}>
							<Header>{workspace.name}</Header>
							{programs.every(({ workspace_id }) => workspace_id !== workspace.id) && (
								<MenuItem href={`${BASE}/workspaces/${workspace.id}`}>No program yet: its people</MenuItem>
							)}
							{programs
								.filter(({ workspace_id }) => workspace_id === workspace.id)
								.map(({ id, name }) => (
									<MenuItem key={id} id={id} href={`${BASE}/programs/${id}`}>
										{name}
									</MenuItem>
								))}
						</MenuSection>
					))}
					<Separator />
					<MenuItem href={`${BASE}/programs/new`}>New program</MenuItem>
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}

function SearchButton({ programId }: { programId: string }) {
	const [isOpen, setOpen] = useState(false);
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
			event.preventDefault();
			setOpen(true);
		};
		document.addEventListener('keydown', press);
		return () => document.removeEventListener('keydown', press);
	}, []);
	return (
		<>
			<Button onPress={() => setOpen(true)}>
				Search <kbd aria-hidden="true">Ctrl K</kbd>
			</Button>
			<Suspense>{isOpen && <Palette programId={programId} onClose={() => setOpen(false)} />}</Suspense>
		</>
	);
}
