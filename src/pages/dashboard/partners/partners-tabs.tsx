import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { count } from '../../format.ts';
import { useProgram } from '../use-program.ts';

const COUNTED = 100;

/** The lists of people, beside each other; with how many applications wait for somebody to decide them. */
export function PartnersTabs() {
	const { programId } = useProgram();
	const { data: waiting } = useQuery({
		queryKey: ['applications', programId, 'waiting'],
		queryFn: async ({ signal }) => {
			const query = { status: 'open', limit: String(COUNTED) } as const;
			const { data, meta } = await answerOf(
				api.v1.programs[':id'].applications.$get({ param: { id: programId }, query }, { init: { signal } }),
			);
			return meta.next_cursor === null ? count(data.length) : `${COUNTED}+`;
		},
	});
	const params = { programId };
	return (
		<nav className="tabs" aria-label="Partners">
			<Link to="/programs/$programId/partners" params={params} search={{}} activeOptions={{ exact: true, includeSearch: false }}>
				Partners
			</Link>
			<Link to="/programs/$programId/applications" params={params} search={{}} activeOptions={{ includeSearch: false }}>
				<span>Applications {waiting !== undefined && waiting !== '0' && <span className="badge accent">{waiting}</span>}</span>
			</Link>
			<Link to="/programs/$programId/groups" params={params}>
				Groups
			</Link>
		</nav>
	);
}
