import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { count } from '../../../format.ts';
import { useProgram } from '../../use-program.ts';
import { APPLICATION_STATUSES } from './application.tsx';
import { applicationCountsQuery } from '../queries.ts';
import type { ApplicationSearch } from '../routes.ts';

/** Pending is the default. */
export function ApplicationTabs({ filters }: { filters: ApplicationSearch }) {
	const { programId } = useProgram();
	const { data: counts } = useQuery(applicationCountsQuery(programId));
	return (
		<nav className="tabs" aria-label="States of applications">
			{APPLICATION_STATUSES.map(({ value, label }) => (
				<Link
					key={value}
					to="/programs/$programId/applications"
					params={{ programId }}
					search={{ search: filters.search, status: value }}
					aria-current={(filters.status ?? 'open') === value ? 'page' : undefined}
				>
					<span>
						{label} <small>{counts && count(counts[value])}</small>
					</span>
				</Link>
			))}
		</nav>
	);
}
