import { Link } from '@tanstack/react-router';

/** The pages of a program. After a membership ends, only earnings remain readable. */
const PAGES = [
	{ name: 'Home', to: '/programs/$membershipId', isReadAfterEnd: true },
	{ name: 'Links', to: '/programs/$membershipId/links', isReadAfterEnd: false },
	{ name: 'Commissions', to: '/programs/$membershipId/commissions', isReadAfterEnd: true },
	{ name: 'Payouts', to: '/programs/$membershipId/payouts', isReadAfterEnd: true },
	{ name: 'Performance', to: '/programs/$membershipId/performance', isReadAfterEnd: false },
	{ name: 'Postback', to: '/programs/$membershipId/postback', isReadAfterEnd: false },
] as const;

export function Navigation({ membershipId, hasEnded }: { membershipId: string; hasEnded: boolean }) {
	return (
		<nav className="navigation" aria-label="Program">
			{PAGES.filter(({ isReadAfterEnd }) => isReadAfterEnd || !hasEnded).map(({ name, to }) => (
				// Filters do not change which page is highlighted.
				<Link key={to} to={to} params={{ membershipId }} search={{}} activeOptions={{ includeSearch: false, exact: name === 'Home' }}>
					{name}
				</Link>
			))}
		</nav>
	);
}
