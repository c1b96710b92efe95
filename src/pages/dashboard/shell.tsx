import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { dayOf } from '../format.ts';
import { AccountButton } from '../layout/account-button.tsx';
import { Bell } from '../layout/bell.tsx';
import { Layout } from '../layout/layout.tsx';
import { Logo } from '../layout/logo.tsx';
import { meQuery } from '../layout/me.ts';
import { Late } from '../ui/late.tsx';
import { Navigation } from './navigation.tsx';
import { programQuery, programsQuery } from './queries.ts';

const loadProgramMenu = async () => (await import('./program-menu.tsx')).ProgramMenu;
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
					<ProgramButton programId={programId} />
					{programId !== undefined && <Navigation programId={programId} />}
				</>
			}
			tools={
				<>
					{programId !== undefined && <SearchButton programId={programId} />}
					<Bell />
					<AccountButton
						links={[
							...(me.partner_accounts.length > 0 ? [{ href: '/portal', name: 'Partner portal' }] : []),
							{ href: '/docs/', name: 'Documentation', isApart: true },
						]}
					/>
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

function ProgramButton({ programId }: { programId: string | undefined }) {
	const { data: programs } = useSuspenseQuery(programsQuery);
	const shown = programs.find(({ id }) => String(id) === programId);
	const content = (
		<>
			<span className="cut">{shown?.name ?? 'Programs'}</span>
			<span aria-hidden="true">▾</span>
		</>
	);
	return <Late button={{ className: 'react-aria-Button program', children: content }} load={loadProgramMenu} props={{}} />;
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
