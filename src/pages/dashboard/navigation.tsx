import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';

/** The pages of a program, in the order of daily use. The command palette lists them too. */
export const SECTIONS = [
	{
		title: undefined,
		pages: [
			['Overview', '/programs/$programId'],
			['Events', '/programs/$programId/events'],
			['Customers', '/programs/$programId/customers'],
			['Explain', '/programs/$programId/explain'],
		],
	},
	{
		title: 'Partners',
		pages: [
			['Partners', '/programs/$programId/partners'],
			['Applications', '/programs/$programId/applications'],
			['Groups', '/programs/$programId/groups'],
			['Links', '/programs/$programId/links'],
			['Coupons', '/programs/$programId/coupons'],
		],
	},
	{
		title: 'Money',
		pages: [
			['Commissions', '/programs/$programId/commissions'],
			['Payouts', '/programs/$programId/payouts'],
			['Rules', '/programs/$programId/rules'],
		],
	},
	{
		title: 'Program',
		pages: [
			['Set-up', '/programs/$programId/setup'],
			['Settings', '/programs/$programId/settings'],
		],
	},
] as const;

export function Navigation({ programId }: { programId: string }) {
	return (
		<nav className="navigation" aria-label="Program">
			{SECTIONS.map(({ title, pages }) => (
				<Fragment key={title ?? ''}>
					{title && <h2>{title}</h2>}
					{pages.map(([name, to]) => (
						// Filters do not change which page is highlighted.
						<Link key={to} to={to} params={{ programId }} search={{}} activeOptions={{ includeSearch: false, exact: name === 'Overview' }}>
							{name}
						</Link>
					))}
				</Fragment>
			))}
		</nav>
	);
}
