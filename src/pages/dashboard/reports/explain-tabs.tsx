import { Link } from '@tanstack/react-router';
import { useProgram } from '../use-program.ts';

export function ExplainTabs() {
	const params = { programId: useProgram().programId };
	return (
		<nav className="tabs" aria-label="Explanations">
			<Link to="/programs/$programId/explain" params={params} activeOptions={{ exact: true, includeSearch: false }}>
				By id
			</Link>
			<Link to="/programs/$programId/explain/refusals" params={params} activeOptions={{ includeSearch: false }}>
				Refused calls
			</Link>
		</nav>
	);
}
