import { Link } from '@tanstack/react-router';

/** What there is of a program, in the order of a day's work. */
export function Navigation({ programId }: { programId: string }) {
	const params = { programId };
	return (
		<nav className="navigation" aria-label="Program">
			<Link to="/programs/$programId" params={params} search={{}} activeOptions={{ exact: true, includeSearch: false }}>
				Overview
			</Link>
			<Link to="/programs/$programId/events" params={params} search={{}} activeOptions={{ includeSearch: false }}>
				Events
			</Link>
			<Link to="/programs/$programId/customers" params={params} search={{}} activeOptions={{ includeSearch: false }}>
				Customers
			</Link>
			<Link to="/programs/$programId/commissions" params={params} search={{}} activeOptions={{ includeSearch: false }}>
				Commissions
			</Link>
			<Link to="/programs/$programId/payouts" params={params} search={{}} activeOptions={{ includeSearch: false }}>
				Payouts
			</Link>
			<Link to="/programs/$programId/partners" params={params} search={{}} activeOptions={{ includeSearch: false }}>
				Partners
			</Link>
			<Link to="/programs/$programId/links" params={params} search={{}} activeOptions={{ includeSearch: false }}>
				Links
			</Link>
			<Link to="/programs/$programId/rules" params={params}>
				Rules
			</Link>
			<Link to="/programs/$programId/explain" params={params} search={{}} activeOptions={{ includeSearch: false }}>
				Explain
			</Link>
			<Link to="/programs/$programId/settings" params={params} activeOptions={{ includeSearch: false }}>
				Settings
			</Link>
		</nav>
	);
}
