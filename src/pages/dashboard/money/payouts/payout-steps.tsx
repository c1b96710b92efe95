import { Link } from '@tanstack/react-router';
import { money, plural } from '../../../format.ts';
import { useProgram } from '../../use-program.ts';
import { useDueSums } from './due-queries.ts';
import { useMade } from './payout-queries.ts';
import { sumsOf } from '../labels.ts';

/** The steps of a payout: due, to send, history. */
export function PayoutSteps({ at }: { at: 'due' | 'to-send' | 'history' }) {
	const { programId } = useProgram();
	const due = useDueSums(programId, {}).data;
	const made = useMade(programId).data;
	const params = { programId };
	return (
		<nav className="tabs" aria-label="Steps">
			<Link
				to="/programs/$programId/payouts"
				params={params}
				search={{}}
				activeOptions={{ exact: true }}
				aria-current={at === 'due' ? 'step' : undefined}
			>
				1. What is due
				<small>{due ? sumText(due.currencies, due.payouts) : '…'}</small>
			</Link>
			<Link
				to="/programs/$programId/payouts/to-send"
				params={params}
				search={{}}
				activeOptions={{ exact: true }}
				aria-current={at === 'to-send' ? 'step' : undefined}
			>
				2. To send
				<small>{made ? `${sumText(made.data, made.data.length)}${made.meta.next_cursor === null ? '' : ' and more'}` : '…'}</small>
			</Link>
			<Link
				to="/programs/$programId/payouts/history"
				params={params}
				search={{}}
				activeOptions={{ exact: true }}
				aria-current={at === 'history' ? 'step' : undefined}
			>
				History
				<small>All payouts</small>
			</Link>
		</nav>
	);
}

function sumText(rows: readonly { readonly currency: string; readonly amount_cents: number }[], payouts: number): string {
	if (payouts === 0) return 'Nothing';
	const sums = sumsOf(rows, ({ currency, amount_cents }) => ({ currency, cents: amount_cents }));
	return [plural(payouts, 'payout'), ...sums.map(({ cents, currency }) => money(cents, currency))].join(' · ');
}
