import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../../api.ts';
import { count, dayOf, moment, money } from '../../../format.ts';
import { SidePanel } from '../../../ui/dialogs.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Facts } from '../../../ui/small.tsx';
import { CommissionLink, PartnerLink } from '../../links.tsx';
import { useProgram } from '../../use-program.ts';
import { LedgerTable } from '../ledger-table.tsx';
import { MarkFailed, MarkSent } from './mark.tsx';
import { CommissionBadge } from '../../../labels/commission.tsx';
import { PayoutBadge } from '../../../labels/payout.tsx';

async function readPayout(id: string, payoutId: string, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id'].payouts[':payoutId'].$get({ param: { id, payoutId } }, { init: { signal } }))).data;
}

type Read = Awaited<ReturnType<typeof readPayout>>;

/** One payout: how its amount was calculated, its history and its commissions. */
export function PayoutPanel({ payoutId, onClose }: { payoutId: string; onClose: () => void }) {
	const { programId } = useProgram();
	const query = useQuery({
		queryKey: ['payout', programId, payoutId],
		queryFn: ({ signal }) => readPayout(programId, payoutId, signal),
	});
	return (
		<SidePanel title={`Payout ${payoutId}`} onClose={onClose}>
			<Loaded query={query} lines={14}>
				{(payout) => <Details payout={payout} />}
			</Loaded>
		</SidePanel>
	);
}

function Details({ payout }: { payout: Read }) {
	const { program, can } = useProgram();
	const { id, status, currency, partner } = payout;
	const worth = money(payout.amount_cents, currency);
	const at = (iso: string | null) => iso && moment(iso, program.time_zone);
	return (
		<div className="stack">
			<div className="row">
				<strong className="figure">{worth}</strong>
				<PayoutBadge status={status} />
			</div>
			<p className="wrap">{payout.amount_reason}.</p>
			{payout.recovered_cents > 0 && (
				<p className="note">
					{money(payout.recovered_cents, currency)} was deducted to recover a debt. It had been paid for sales that were refunded later. The
					ledger entries below show the deduction.
				</p>
			)}
			{payout.failure_reason !== null && (
				<p className="note bad">
					<strong>Failed: {payout.failure_reason}.</strong> Its amount is back in the balance, and the next payout pays it.
				</p>
			)}
			{can('admin') && (status === 'made' || status === 'sent') && (
				<div className="actions">
					{status === 'made' && <MarkSent payouts={[payout]} isPrimary />}
					<MarkFailed payoutId={id} worth={worth} />
				</div>
			)}
			<Facts
				facts={[
					[
						'Partner',
						<PartnerLink key="partner" id={partner.id}>
							{partner.name}
						</PartnerLink>,
					],
					['Commissions', money(payout.commission_cents, currency)],
					['Reinstated', payout.surplus_cents > 0 ? money(payout.surplus_cents, currency) : undefined],
					['Debt recovered', payout.recovered_cents > 0 ? money(-payout.recovered_cents, currency) : undefined],
					['Created', at(payout.created_at)],
					['Sent', at(payout.sent_at)],
					['Reference', payout.reference],
					['Failed', at(payout.failed_at)],
				]}
			/>
			<h3>Commissions</h3>
			<Commissions payout={payout} />
			<h3>Ledger entries</h3>
			<LedgerTable entries={payout.ledger_entries} currency={currency} />
		</div>
	);
}

function Commissions({ payout: { commissions, commission_count, currency } }: { payout: Read }) {
	const { program } = useProgram();
	if (commissions.length === 0) return <p className="quiet">None. This payout pays reinstated amounts.</p>;
	return (
		<>
			<div className="scroll" tabIndex={0} role="region" aria-label="Commissions of this payout">
				<table>
					<thead>
						<tr>
							<th scope="col">Transaction</th>
							<th scope="col">Earned on</th>
							<th scope="col">State now</th>
							<th scope="col" className="number">
								Paid
							</th>
						</tr>
					</thead>
					<tbody>
						{commissions.map((row) => (
							<tr key={row.id}>
								<th scope="row">
									<span className="cut">
										<CommissionLink id={row.id}>{row.transaction_id}</CommissionLink>
									</span>
								</th>
								<td>{dayOf(row.created_at, program.time_zone)}</td>
								<td>
									<CommissionBadge status={row.status} />
								</td>
								<td className="number">{money(row.paid_cents, currency)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
			{commission_count > commissions.length && (
				<p className="quiet">
					Showing {commissions.length} of {count(commission_count)}.
				</p>
			)}
		</>
	);
}
