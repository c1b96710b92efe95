import { Link } from '@tanstack/react-router';
import { Card, Page } from '../../ui/page.tsx';
import { useProgram } from '../use-program.ts';
import { Archive } from './archive.tsx';
import { OwnersOnly } from './owners-only.tsx';

export function ProgramData() {
	const { programId, can } = useProgram();
	const params = { programId };
	return (
		<OwnersOnly title="Data" what="Only owners and admins of the workspace can see erasures, and only owners can download the archive.">
			{can('admin') && (
				<Page title="Data">
					{can('owner') && <Archive />}
					<Card title="Customer data">
						<div className="stack">
							<p>If a customer asks what data you store about them, or asks you to erase it, open that customer under Customers.</p>
							<div className="actions">
								<Link className="button" to="/programs/$programId/customers" params={params} search={{}}>
									Customers
								</Link>
								<Link className="button" to="/programs/$programId/customers/erasures" params={params} search={{}}>
									Erasures
								</Link>
							</div>
						</div>
					</Card>
				</Page>
			)}
		</OwnersOnly>
	);
}
