import { Link } from '@tanstack/react-router';
import { useProgram } from '../use-program.ts';
import { APPLICATION_STATUSES } from './application.tsx';
import type { ApplicationSearch } from './routes.ts';

/** Which applications are listed: those that wait, where nothing else was asked for. */
export function ApplicationTabs({ asked }: { asked: ApplicationSearch }) {
	const { programId } = useProgram();
	return (
		<nav className="tabs" aria-label="Applications">
			{APPLICATION_STATUSES.map(({ value, label }) => (
				<Link
					key={value}
					to="/programs/$programId/applications"
					params={{ programId }}
					search={{ search: asked.search, status: value }}
					aria-current={(asked.status ?? 'open') === value ? 'page' : undefined}
				>
					{label}
				</Link>
			))}
		</nav>
	);
}
