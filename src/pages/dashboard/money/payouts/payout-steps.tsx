import { Link } from '@tanstack/react-router';
import { useProgram } from '../../use-program.ts';

const STEPS = [
	{ name: 'due', label: '1. What is due', to: '/programs/$programId/payouts' },
	{ name: 'to-send', label: '2. To send', to: '/programs/$programId/payouts/to-send' },
	{ name: 'history', label: 'History', to: '/programs/$programId/payouts/history' },
] as const;

/** The steps of a payout: due, to send, history. */
export function PayoutSteps({ at }: { at: (typeof STEPS)[number]['name'] }) {
	const { programId } = useProgram();
	return (
		<nav className="tabs" aria-label="Steps">
			{STEPS.map(({ name, label, to }) => (
				<Link
					key={name}
					to={to}
					params={{ programId }}
					search={{}}
					activeOptions={{ exact: true }}
					aria-current={at === name ? 'step' : undefined}
				>
					{label}
				</Link>
			))}
		</nav>
	);
}
