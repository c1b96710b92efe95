import { Link } from '@tanstack/react-router';
import { Banknote, ChartColumn, Coins, House, Link2, Webhook } from 'lucide-react';

/** After a membership ends, only earnings remain readable. */
const PAGES = [
	{ name: 'Home', icon: House, to: '/programs/$membershipId', isReadAfterEnd: true },
	{ name: 'Links', icon: Link2, to: '/programs/$membershipId/links', isReadAfterEnd: false },
	{ name: 'Commissions', icon: Coins, to: '/programs/$membershipId/commissions', isReadAfterEnd: true },
	{ name: 'Payouts', icon: Banknote, to: '/programs/$membershipId/payouts', isReadAfterEnd: true },
	{ name: 'Performance', icon: ChartColumn, to: '/programs/$membershipId/performance', isReadAfterEnd: false },
	{ name: 'Postback', icon: Webhook, to: '/programs/$membershipId/postback', isReadAfterEnd: false },
] as const;

export function Navigation({ membershipId, hasEnded }: { membershipId: string; hasEnded: boolean }) {
	return (
		<nav className="navigation" aria-label="Program">
			{PAGES.filter(({ isReadAfterEnd }) => isReadAfterEnd || !hasEnded).map(({ name, to, icon: Icon }) => (
				// Filters do not change which page is highlighted.
				<Link key={to} to={to} params={{ membershipId }} search={{}} activeOptions={{ includeSearch: false, exact: name === 'Home' }}>
					<Icon size={16} />
					{name}
				</Link>
			))}
		</nav>
	);
}
