import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { count } from '../../format.ts';
import { useProgram } from '../use-program.ts';
import { applicationCountsQuery } from './queries.ts';

/** The lists of people, beside each other; with how many applications wait for somebody to decide them. */
export function PartnersTabs() {
	const { programId } = useProgram();
	const { data: { open } = { open: 0 } } = useQuery(applicationCountsQuery(programId));
	const params = { programId };
	return (
		<nav className="tabs" aria-label="Partners">
			<Link to="/programs/$programId/partners" params={params} search={{}} activeOptions={{ exact: true, includeSearch: false }}>
				Partners
			</Link>
			<Link to="/programs/$programId/applications" params={params} search={{}} activeOptions={{ includeSearch: false }}>
				<span>
					Applications{' '}
					{open > 0 && (
						<span className="badge accent">
							{count(open)} <span className="visually-hidden">waiting</span>
						</span>
					)}
				</span>
			</Link>
			<Link to="/programs/$programId/groups" params={params}>
				Groups
			</Link>
		</nav>
	);
}
