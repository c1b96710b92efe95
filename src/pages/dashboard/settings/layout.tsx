import { Link, Outlet } from '@tanstack/react-router';
import { useProgram } from '../use-program.ts';
import { useIsOperator } from './use-is-operator.ts';
import { Tabs } from '../../layout/tabs.tsx';

/** Only the pages that the member may see. */
export function Settings() {
	const { programId, can } = useProgram();
	const isOperator = useIsOperator();
	const params = { programId };
	return (
		<>
			<Tabs label="Settings">
				<Link to="/programs/$programId/settings" params={params} activeOptions={{ exact: true }}>
					Program
				</Link>
				<Link to="/programs/$programId/settings/keys" params={params}>
					Keys
				</Link>
				<Link to="/programs/$programId/settings/payments" params={params}>
					Payments
				</Link>
				<Link to="/programs/$programId/settings/payment-events" params={params} search={{}} activeOptions={{ includeSearch: false }}>
					Payment events
				</Link>
				{can('admin') && (
					<Link to="/programs/$programId/settings/webhooks" params={params}>
						Webhooks
					</Link>
				)}
				<Link to="/programs/$programId/settings/team" params={params} search={{}} activeOptions={{ includeSearch: false }}>
					Team
				</Link>
				{can('admin') && (
					<Link to="/programs/$programId/settings/data" params={params}>
						Data
					</Link>
				)}
				{can('owner') && (
					<>
						<Link to="/programs/$programId/settings/audit-log" params={params} search={{}} activeOptions={{ includeSearch: false }}>
							Audit log
						</Link>
						<Link to="/programs/$programId/settings/undelivered" params={params} search={{}} activeOptions={{ includeSearch: false }}>
							Undelivered work
						</Link>
					</>
				)}
				{isOperator && (
					<Link to="/programs/$programId/settings/service" params={params}>
						Service
					</Link>
				)}
			</Tabs>
			<Outlet />
		</>
	);
}
