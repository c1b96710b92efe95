import { Link } from '@tanstack/react-router';
import { Card, Page } from '../../ui/page.tsx';
import { useProgram } from '../use-program.ts';
import { Archive } from './archive.tsx';
import { OwnersOnly } from './owners-only.tsx';

export function ProgramData() {
	const { programId, can } = useProgram();
	const params = { programId };
	return (
		<OwnersOnly title="Data" what="Owners and admins of the workspace see what was erased; owners download the archive.">
			{can('admin') && (
				<Page title="Data">
					{can('owner') && <Archive />}
					<Card title="Data of a customer">
						<div className="stack">
							<p>Who asks what you have stored of them, or asks you to erase it, is found among the customers.</p>
							<div className="actions">
								<Link className="button" to="/programs/$programId/customers" params={params} search={{}}>
									Customers
								</Link>
								<Link className="button" to="/programs/$programId/customers/erasures" params={params} search={{}}>
									What was erased
								</Link>
							</div>
						</div>
					</Card>
				</Page>
			)}
		</OwnersOnly>
	);
}
