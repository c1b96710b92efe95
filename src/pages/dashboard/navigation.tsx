import { Link } from '@tanstack/react-router';
import {
	Activity,
	Banknote,
	Boxes,
	ChartColumn,
	Coins,
	Inbox,
	Link2,
	Rocket,
	ScanSearch,
	Settings,
	SlidersHorizontal,
	TicketPercent,
	UserRound,
	UsersRound,
} from 'lucide-react';
import { Fragment } from 'react';

/** In the order of daily use. The command palette lists them too. */
export const SECTIONS = [
	{
		title: undefined,
		pages: [
			['Overview', '/programs/$programId', ChartColumn],
			['Events', '/programs/$programId/events', Activity],
			['Customers', '/programs/$programId/customers', UserRound],
			['Explain', '/programs/$programId/explain', ScanSearch],
		],
	},
	{
		title: 'Partners',
		pages: [
			['Partners', '/programs/$programId/partners', UsersRound],
			['Applications', '/programs/$programId/applications', Inbox],
			['Groups', '/programs/$programId/groups', Boxes],
			['Links', '/programs/$programId/links', Link2],
			['Coupons', '/programs/$programId/coupons', TicketPercent],
		],
	},
	{
		title: 'Money',
		pages: [
			['Commissions', '/programs/$programId/commissions', Coins],
			['Payouts', '/programs/$programId/payouts', Banknote],
			['Rules', '/programs/$programId/rules', SlidersHorizontal],
		],
	},
	{
		title: 'Program',
		pages: [
			['Set-up', '/programs/$programId/setup', Rocket],
			['Settings', '/programs/$programId/settings', Settings],
		],
	},
] as const;

export function Navigation({ programId }: { programId: string }) {
	return (
		<nav className="navigation" aria-label="Program">
			{SECTIONS.map(({ title, pages }) => (
				<Fragment key={title ?? ''}>
					{title && <h2>{title}</h2>}
					{pages.map(([name, to, Icon]) => (
						// Filters do not change which page is highlighted.
						<Link key={to} to={to} params={{ programId }} search={{}} activeOptions={{ includeSearch: false, exact: name === 'Overview' }}>
							<Icon size={16} />
							{name}
						</Link>
					))}
				</Fragment>
			))}
		</nav>
	);
}
