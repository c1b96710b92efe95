import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../../api.ts';
import { moment, money, plural } from '../../../format.ts';
import { SidePanel } from '../../../ui/dialogs.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Facts } from '../../../ui/small.tsx';
import { inWords, SaleExplanation } from '../../explanation.tsx';
import { PayoutLink } from '../../links.tsx';
import { useProgram } from '../../use-program.ts';
import { DecisionButtons } from './decide.tsx';
import { LedgerTable } from '../ledger-table.tsx';
import { CommissionBadge } from '../../../labels/commission.tsx';
import { rateOf } from '../../../labels/rate.ts';

async function readCommission(id: string, commissionId: string, signal: AbortSignal) {
	const call = api.v1.programs[':id'].commissions[':commissionId'];
	const param = { id, commissionId };
	const [commission, explained] = await Promise.all([
		answerOf(call.$get({ param }, { init: { signal } })),
		answerOf(call.explanation.$get({ param }, { init: { signal } })),
	]);
	return { commission: commission.data, explained: explained.data };
}

type Read = Awaited<ReturnType<typeof readCommission>>;

/** One commission: its state and reason, deductions, ledger entries, and the timeline from click to payout. */
export function CommissionPanel({ commissionId, onClose }: { commissionId: string; onClose: () => void }) {
	const { programId } = useProgram();
	const query = useQuery({
		queryKey: ['commission', programId, commissionId],
		queryFn: ({ signal }) => readCommission(programId, commissionId, signal),
	});
	return (
		<SidePanel title={`Commission ${commissionId}`} onClose={onClose}>
			<Loaded query={query} lines={14}>
				{(read) => <Details {...read} />}
			</Loaded>
		</SidePanel>
	);
}

function Details({ commission, explained }: Read) {
	const { program, can } = useProgram();
	const { id, status, state_reason, amount_cents, deducted_cents, currency, paid_at } = commission;
	const left = amount_cents - deducted_cents;
	const at = (iso: string | null) => iso && moment(iso, program.time_zone);
	const isOpen = paid_at === null && (status === 'pending' || status === 'approved' || (status === 'refunded' && left > 0));
	return (
		<div className="stack">
			<div className="row">
				<strong className="figure">{money(left, currency)}</strong>
				<CommissionBadge status={status} />
			</div>
			<p className="wrap">{inWords(state_reason, program.time_zone)}.</p>
			{isOpen && can('admin') && (
				<DecisionButtons
					choice={{ commission_ids: [id] }}
					what={`commission ${id}, ${money(left, currency)}`}
					canApprove={status === 'pending'}
				/>
			)}
			<Facts
				facts={[
					['Earned', deducted_cents > 0 ? money(amount_cents, currency) : undefined],
					['Deducted for refunds', deducted_cents > 0 ? money(deducted_cents, currency) : undefined],
					['Terms', termsText(explained, currency)],
					['Hold until', status === 'pending' ? at(commission.hold_until) : undefined],
					['Paid', at(paid_at)],
					[
						'Payout',
						commission.payout_id === null ? undefined : (
							<PayoutLink key="payout" id={commission.payout_id}>{`Payout ${commission.payout_id}`}</PayoutLink>
						),
					],
				]}
			/>
			<Refunds commission={commission} />
			<h3>Ledger entries</h3>
			<LedgerTable entries={explained.ledger.map((entry) => ({ ...entry, amount_cents: entry.applied_cents }))} currency={currency} />
			<h3>Explain this commission</h3>
			<SaleExplanation explained={explained} />
		</div>
	);
}

function termsText({ rule }: Read['explained'], currency: string): string | undefined {
	if (!rule) return undefined;
	return `${rateOf(rule, currency)}, ${rule.hold_days === 0 ? 'no hold' : `on hold for ${plural(rule.hold_days, 'day')}`}`;
}

function Refunds({ commission: { refunds, currency } }: Pick<Read, 'commission'>) {
	const { program } = useProgram();
	if (refunds.length === 0) return null;
	return (
		<>
			<h3>Refunds</h3>
			<ol className="timeline">
				{refunds.map((refund) => (
					<li key={refund.id} className={refund.amount_cents < 0 ? 'good' : 'warn'}>
						<div className="row">
							<strong>
								{refund.amount_cents < 0 ? `${money(-refund.amount_cents, currency)} reinstated` : money(refund.amount_cents, currency)}
							</strong>
							<time className="quiet small" dateTime={refund.created_at}>
								{moment(refund.created_at, program.time_zone)}
							</time>
						</div>
						<div className="wrap">
							{refund.deduction_cents !== null && `Commission: ${money(-refund.deduction_cents, currency)}. `}
							{refund.withheld_cents > 0 &&
								`Withheld for an earlier refund that the balance could not cover: ${money(refund.withheld_cents, currency)}. `}
							{refund.reason}
						</div>
					</li>
				))}
			</ol>
		</>
	);
}
