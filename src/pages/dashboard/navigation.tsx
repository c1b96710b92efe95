import { Link } from '@tanstack/react-router';

/** What there is of a program, in the order of a day's work. Filters do not make another page of one. */
export function Navigation({ programId }: { programId: string }) {
	const to = { params: { programId }, search: {}, activeOptions: { includeSearch: false } };
	return (
		<nav className="navigation" aria-label="Program">
			<Link to="/programs/$programId" {...to} activeOptions={{ exact: true, includeSearch: false }}>
				Overview
			</Link>
			<Link to="/programs/$programId/events" {...to}>
				Events
			</Link>
			<Link to="/programs/$programId/customers" {...to}>
				Customers
			</Link>
			<Link to="/programs/$programId/explain" {...to}>
				Explain
			</Link>
			<h2>Partners</h2>
			<Link to="/programs/$programId/partners" {...to}>
				Partners
			</Link>
			<Link to="/programs/$programId/applications" {...to}>
				Applications
			</Link>
			<Link to="/programs/$programId/groups" {...to}>
				Groups
			</Link>
			<Link to="/programs/$programId/links" {...to}>
				Links
			</Link>
			<h2>Money</h2>
			<Link to="/programs/$programId/commissions" {...to}>
				Commissions
			</Link>
			<Link to="/programs/$programId/payouts" {...to}>
				Payouts
			</Link>
			<Link to="/programs/$programId/rules" {...to}>
				Rules
			</Link>
			<h2>Program</h2>
			<Link to="/programs/$programId/setup" {...to}>
				Set-up
			</Link>
			<Link to="/programs/$programId/settings" {...to}>
				Settings
			</Link>
		</nav>
	);
}
