import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf } from '../../api.ts';
import { dayOf, moment, money } from '../../format.ts';
import { SidePanel } from '../../ui/dialogs.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts } from '../../ui/small.tsx';
import { inWords } from '../in-words.ts';
import { OwnCommissionBadge, OwnPayoutBadge } from '../labels.tsx';
import { useMembership } from '../memberships.ts';
import { own } from '../queries.ts';

const SHOWN = '200';

async function readPayout(id: string, payoutId: string, signal: AbortSignal) {
	return (await answerOf(own.payouts[':payoutId'].$get({ param: { id, payoutId }, query: { limit: SHOWN } }, { init: { signal } }))).data;
}

type Read = Awaited<ReturnType<typeof readPayout>>;

export function PayoutPanel({ payoutId, onClose }: { payoutId: string; onClose: () => void }) {
	const { membershipId } = useMembership();
	const query = useQuery({
		queryKey: ['own-payout', membershipId, payoutId],
		queryFn: ({ signal }) => readPayout(membershipId, payoutId, signal),
	});
	return (
		<SidePanel title={`Payout ${payoutId}`} onClose={onClose}>
			<Loaded query={query} lines={12}>
				{(payout) => <Details payout={payout} />}
			</Loaded>
		</SidePanel>
	);
}

function Details({ payout }: { payout: Read }) {
	const { zone } = useMembership();
	const { currency, status } = payout;
	const at = (iso: string | null) => iso && moment(iso, zone);
	return (
		<div className="stack">
			<div className="row">
				<strong className="figure">{money(payout.amount_cents, currency)}</strong>
				<OwnPayoutBadge status={status} />
			</div>
			<p className={status === 'failed' ? 'note bad wrap' : 'wrap'}>{inWords(payout.state_reason, currency)}</p>
			{payout.recovered_cents > 0 && (
				<p className="note">
					{money(payout.recovered_cents, currency)} was deducted. It was in an earlier payout, for sales that were refunded later. You no
					longer owe it.
				</p>
			)}
			<h3>How it was calculated</h3>
			{(payout.recovered_cents > 0 || payout.surplus_cents > 0) && <p className="wrap">{inWords(payout.amount_reason, currency)}</p>}
			<Facts
				facts={[
					['Commissions', money(payout.commission_cents, currency)],
					['Owed from before', payout.surplus_cents > 0 && money(payout.surplus_cents, currency)],
					['Deducted', payout.recovered_cents > 0 && money(-payout.recovered_cents, currency)],
					['Amount', <strong key="amount">{money(payout.amount_cents, currency)}</strong>],
				]}
			/>
			<h3>When</h3>
			<Facts
				facts={[
					['Made', at(payout.created_at)],
					['Sent', at(payout.sent_at)],
					['Reference', payout.reference],
					['Failed', at(payout.failed_at)],
				]}
			/>
			<h3>Its commissions</h3>
			<Paid payout={payout} />
		</div>
	);
}

function Paid({ payout: { commissions, commission_count, currency } }: { payout: Read }) {
	const { membershipId, zone } = useMembership();
	if (commissions.length === 0) return <p className="quiet">None. This payout settles an earlier balance.</p>;
	return (
		<>
			<div className="scroll" tabIndex={0} role="region" aria-label="Commissions of this payout">
				<table>
					<thead>
						<tr>
							<th scope="col">Sold on</th>
							<th scope="col">Now</th>
							<th scope="col" className="number">
								Commission
							</th>
						</tr>
					</thead>
					<tbody>
						{commissions.map(({ id, created_at, status, payout_status, amount_cents }) => (
							<tr key={id}>
								<th scope="row">
									<Link to="/programs/$membershipId/commissions" params={{ membershipId }} search={{ open: String(id) }}>
										{dayOf(created_at, zone)}
									</Link>
								</th>
								<td>
									<OwnCommissionBadge status={status} payout_status={payout_status} />
								</td>
								<td className="number">{money(amount_cents, currency)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
			{commission_count > commissions.length && (
				<p className="quiet">
					These are the newest {commissions.length} of {commission_count}.
				</p>
			)}
		</>
	);
}
