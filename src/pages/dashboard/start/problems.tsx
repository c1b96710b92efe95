import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useProgram } from '../use-program.ts';
import { AllowOrigin } from './setup-site.tsx';
import type { Check, Status } from './status.ts';

/** What keeps events from being recorded, and what to do. It is above the steps, so that no folded step hides it. */
export function Problems({ status }: { status: Status }) {
	const { can } = useProgram();
	const failing = [...status.checks.filter(({ name, ok }) => !ok && !hasStep(name)), ...processorProblems(status)];
	if (failing.length === 0 && status.refused_origins.length === 0) return null;
	return (
		<ul className="stack tight plain setup-problems" aria-label="Needs attention">
			{status.refused_origins.map((origin) => (
				<li key={origin} className="note warn">
					<TriangleAlert size={16} />
					<span className="wrap">
						A page on <code>{origin}</code> was refused in the last 24 hours. If it is yours, allow it.
					</span>
					{can('admin') && origin !== 'null' && <AllowOrigin origin={origin}>{`Allow ${origin}`}</AllowOrigin>}
				</li>
			))}
			{failing.map((check) => (
				<li key={check.name} className="note warn">
					<TriangleAlert size={16} />
					<span className="wrap">
						<Advice check={check} />
					</span>
				</li>
			))}
		</ul>
	);
}

/** The page where the problem can be solved, if there is one; otherwise the service's own advice. */
function Advice({ check: { name, next_action } }: { check: Check }) {
	const { programId, can } = useProgram();
	const params = { programId };
	const advice = next_action?.replace(/\.?$/, '.');
	if (name === 'dead_letters') {
		return (
			<>
				Some messages could not be delivered.{' '}
				<Link to="/programs/$programId/settings/undelivered" params={params}>
					See why and send them again
				</Link>
			</>
		);
	}
	if (name === 'last_sale_accepted') {
		return (
			<>
				{advice}{' '}
				<Link to="/programs/$programId/explain/refusals" params={params} search={{}}>
					See refused calls
				</Link>
			</>
		);
	}
	if (name === 'cron_running') {
		return (
			<>
				The service&rsquo;s scheduled jobs do not run, so commissions stay on hold and emails wait.{' '}
				{can('owner') && (
					<Link to="/programs/$programId/settings/service" params={params}>
						See the state of the service
					</Link>
				)}
			</>
		);
	}
	return advice;
}

const ARRIVAL = /_(?:events_received|signatures_match|timestamps_match)$/;

/**
 * Why no event of a connected processor is accepted. Failing signatures already explain why no event was received, so only they are shown.
 */
export function processorProblems({ checks }: Status): Check[] {
	const failing = checks.filter(({ name, ok }) => !ok && ARRIVAL.test(name));
	const reasons = failing.filter(({ name }) => name.endsWith('_match'));
	const isExplained = (name: string) => reasons.some((reason) => reason.name.startsWith(name.replace('events_received', '')));
	return failing.filter(({ name }) => !name.endsWith('_received') || !isExplained(name));
}

/** Whether one of the steps shows this check. */
function hasStep(name: string): boolean {
	return STEPS.has(name) || ARRIVAL.test(name);
}

const STEPS = new Set([
	'partner_link',
	'commission_rule',
	'allowed_origins',
	'origins_accepted',
	'click_received',
	'lead_received',
	'sale_received',
	'stripe_connected',
]);
