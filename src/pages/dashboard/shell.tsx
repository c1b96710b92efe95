import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { useEffect } from 'react';
import { dayOf } from '../format.ts';
import { AccountButton } from '../layout/account-button.tsx';
import { Bell } from '../layout/bell.tsx';
import { Layout } from '../layout/layout.tsx';
import { meQuery } from '../layout/me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Late } from '../ui/late.tsx';
import { Navigation } from './navigation.tsx';
import { programQuery, programsQuery } from './queries.ts';
import { SearchButton } from './search-button.tsx';

const loadProgramMenu = async () => (await import('./program-menu.tsx')).ProgramMenu;

/** Pages outside a program keep the navigation of the last program. */
export function Shell() {
	const { programId } = useParams({ strict: false });
	const lastId = useLastProgram();
	const shownId = programId ?? lastId;
	const { data: me } = useSuspenseQuery(meQuery);
	useEffect(() => {
		if (programId !== undefined) localStorage.setItem('program', programId);
	}, [programId]);
	return (
		<Layout
			label="Programs"
			side={
				<>
					<ProgramButton programId={shownId} />
					{shownId !== undefined && <Navigation programId={shownId} />}
				</>
			}
			tools={
				<>
					<Bell />
					{programId !== undefined && <SearchButton programId={programId} />}
				</>
			}
			account={
				<AccountButton
					links={[
						...(me.partner_accounts.length > 0 ? [{ href: '/portal', name: 'Partner portal' }] : []),
						{ href: '/docs/', name: 'Documentation', isApart: true },
					]}
				/>
			}
		>
			{programId !== undefined && <ArchivedNote programId={programId} />}
			<Outlet />
		</Layout>
	);
}

/** The program that this browser showed last, if the member may still read it. */
function useLastProgram(): string | undefined {
	const { data: programs } = useSuspenseQuery(programsQuery);
	const last = localStorage.getItem('program');
	return programs.some(({ id }) => String(id) === last) ? (last ?? undefined) : undefined;
}

/** On every page of an archived program, which records nothing new. */
function ArchivedNote({ programId }: { programId: string }) {
	const { data: program } = useQuery(programQuery(programId));
	if (!program || program.archived_at === null) return null;
	return (
		<p className="note warn">
			<strong>This program is archived.</strong> It has recorded no clicks, leads or sales since{' '}
			{dayOf(program.archived_at, program.time_zone)}. Refunds still count, and partners can still be paid.
		</p>
	);
}

function ProgramButton({ programId }: { programId: string | undefined }) {
	const { data: programs } = useSuspenseQuery(programsQuery);
	const shown = programs.find(({ id }) => String(id) === programId);
	const content = (
		<>
			{shown && <Avatar name={shown.name} size="mini" isSquare />}
			<span className="cut">{shown?.name ?? 'Programs'}</span>
			<ChevronsUpDown size={14} />
		</>
	);
	return <Late button={{ className: 'react-aria-Button program', children: content }} load={loadProgramMenu} props={{}} />;
}
