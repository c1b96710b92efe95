import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { ChevronsUpDown, Settings } from 'lucide-react';
import { useEffect } from 'react';
import { AccountButton } from '../layout/account-button.tsx';
import { Bell } from '../layout/bell.tsx';
import { Layout } from '../layout/layout.tsx';
import { meQuery } from '../layout/me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Late } from '../ui/late.tsx';
import { firstMembership, membershipsOf, cacheMembership } from './memberships.ts';
import { Navigation } from './navigation.tsx';

const loadProgramMenu = async () => (await import('./program-menu.tsx')).ProgramMenu;

/** Pages outside a program keep the navigation of the last program. */
export function Shell() {
	const { membershipId } = useParams({ strict: false });
	const { data: me } = useSuspenseQuery(meQuery);
	useEffect(() => {
		if (membershipId !== undefined) cacheMembership(membershipId);
	}, [membershipId]);
	const memberships = membershipsOf(me.partner_accounts);
	const shown = memberships.find(({ id }) => String(id) === membershipId) ?? firstMembership(me.partner_accounts);
	return (
		<Layout
			label="Programs"
			side={
				<>
					{shown && (
						<>
							<ProgramButton shownId={shown.id} />
							<Navigation membershipId={String(shown.id)} hasEnded={shown.status === 'ended'} />
							<nav className="navigation apart" aria-label="Your settings">
								<Link to="/account/payout-details">
									<Settings size={16} /> Settings
								</Link>
							</nav>
						</>
					)}
				</>
			}
			tools={<Bell />}
			account={<AccountButton links={me.workspaces.length > 0 ? [{ href: '/dashboard', name: 'Dashboard' }] : []} />}
		>
			<Outlet />
		</Layout>
	);
}

function ProgramButton({ shownId }: { shownId: number }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const name = membershipsOf(me.partner_accounts).find(({ id }) => id === shownId)?.program.name ?? '';
	const content = (
		<>
			<Avatar name={name} size="mini" isSquare />
			<span className="cut">{name}</span>
			<ChevronsUpDown size={14} />
		</>
	);
	return (
		<Late
			button={{ className: 'react-aria-Button program', 'aria-label': `Program: ${name}`, children: content }}
			load={loadProgramMenu}
			props={{}}
		/>
	);
}
