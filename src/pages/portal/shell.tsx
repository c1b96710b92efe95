import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { AccountMenu } from '../layout/account-menu.tsx';
import { Bell } from '../layout/bell.tsx';
import { Layout } from '../layout/layout.tsx';
import { Logo } from '../layout/logo.tsx';
import { meQuery } from '../layout/me.ts';
import { firstMembership, membershipsOf, cacheMembership } from './memberships.ts';
import { Navigation } from './navigation.tsx';
import { membershipLabel } from '../labels/membership.tsx';

const BASE = '/portal';

/** The navigation around each page for signed-in people. Pages outside a program keep the navigation of the last program. */
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
					<Logo />
					{shown && (
						<>
							<ProgramMenu shownId={shown.id} />
							<Navigation membershipId={String(shown.id)} hasEnded={shown.status === 'ended'} />
							<nav className="navigation apart" aria-label="Your settings">
								<Link to="/account/payout-details">Settings</Link>
							</nav>
						</>
					)}
				</>
			}
			tools={
				<>
					<Bell />
					<AccountMenu>{me.workspaces.length > 0 && <MenuItem href="/dashboard">Dashboard</MenuItem>}</AccountMenu>
				</>
			}
		>
			<Outlet />
		</Layout>
	);
}

function ProgramMenu({ shownId }: { shownId: number }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const shown = membershipsOf(me.partner_accounts).find(({ id }) => id === shownId);
	return (
		<MenuTrigger>
			<Button className="react-aria-Button program" aria-label={`Program: ${shown?.program.name ?? ''}`}>
				<span className="cut">{shown?.program.name}</span>
				<span aria-hidden="true">▾</span>
			</Button>
			<Popover>
				<Menu aria-label="Programs">
					{me.partner_accounts.map((account) => (
						<MenuSection key={account.partner_id}>
							<Header>{account.workspace_name}</Header>
							{account.partner_programs.map(({ id, program, status }) => (
								<MenuItem key={id} id={id} href={`${BASE}/programs/${id}`} textValue={program.name}>
									<span className="cut">{program.name}</span>
									{status !== 'active' && <span className="quiet small">{membershipLabel(status)}</span>}
								</MenuItem>
							))}
						</MenuSection>
					))}
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}
