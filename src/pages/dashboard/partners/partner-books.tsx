import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api.ts';
import { dayOf, money } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { CommissionBadge } from '../../labels/commission.tsx';
import { PayoutBadge } from '../../labels/payout.tsx';
import { useProgram } from '../use-program.ts';

const NEWEST = '5';

const COMMISSIONS = '/programs/$programId/commissions';
const PAYOUTS = '/programs/$programId/payouts/history';

export function Commissions({ partnerId }: { partnerId: string }) {
	const { programId, program } = useProgram();
	const navigate = useNavigate();
	const commissions = useQuery({
		queryKey: ['commissions', programId, 'newest', partnerId],
		queryFn: async ({ signal }) => {
			const query = { partner_id: partnerId, limit: NEWEST };
			const answer = api.v1.programs[':id'].commissions.$get({ param: { id: programId }, query }, { init: { signal } });
			return (await answerOf(answer)).data;
		},
	});
	return (
		<Card
			title="Newest commissions"
			isFlush
			actions={
				<Link to={COMMISSIONS} params={{ programId }} search={{ partner: partnerId }}>
					All commissions
				</Link>
			}
		>
			<Loaded query={commissions}>
				{(rows) => (
					<DataTable
						label="Newest commissions"
						rows={rows}
						onOpen={({ id }) => void navigate({ to: COMMISSIONS, params: { programId }, search: { partner: partnerId, open: String(id) } })}
						columns={[
							{
								id: 'sale',
								label: 'Sale',
								cell: ({ sale, created_at }) => <Dated day={dayOf(created_at, program.time_zone)}>{sale.transaction_id}</Dated>,
							},
							{ id: 'status', label: 'State', cell: ({ status }) => <CommissionBadge status={status} /> },
							{
								id: 'amount',
								label: 'Commission',
								isNumber: true,
								cell: ({ sale, amount_cents, deducted_cents, currency }) => (
									<span className="lines">
										<span className="strong">{money(amount_cents - deducted_cents, currency)}</span>
										<span className="quiet small">of {money(sale.amount_cents, currency)}</span>
									</span>
								),
							},
						]}
						empty={<Empty title="No commissions yet">Commissions for sales of customers that they bring are listed here.</Empty>}
					/>
				)}
			</Loaded>
		</Card>
	);
}

export function Payouts({ partnerId }: { partnerId: string }) {
	const { programId, program } = useProgram();
	const navigate = useNavigate();
	const payouts = useQuery({
		queryKey: ['payouts', programId, 'newest', partnerId],
		queryFn: async ({ signal }) => {
			const query = { partner_id: partnerId, limit: NEWEST };
			const answer = api.v1.programs[':id'].payouts.$get({ param: { id: programId }, query }, { init: { signal } });
			return (await answerOf(answer)).data;
		},
	});
	return (
		<Card
			title="Newest payouts"
			isFlush
			actions={
				<Link to={PAYOUTS} params={{ programId }} search={{ partner: partnerId }}>
					All payouts
				</Link>
			}
		>
			<Loaded query={payouts}>
				{(rows) => (
					<DataTable
						label="Newest payouts"
						rows={rows}
						onOpen={({ id }) => void navigate({ to: PAYOUTS, params: { programId }, search: { partner: partnerId, open: String(id) } })}
						columns={[
							{
								id: 'id',
								label: 'Payout',
								cell: ({ id, created_at }) => <Dated day={dayOf(created_at, program.time_zone)}>Payout {id}</Dated>,
							},
							{ id: 'status', label: 'State', cell: ({ status }) => <PayoutBadge status={status} /> },
							{
								id: 'amount',
								label: 'Amount',
								isNumber: true,
								cell: ({ amount_cents, recovered_cents, currency }) => (
									<span className="lines">
										<span className="strong">{money(amount_cents, currency)}</span>
										{recovered_cents > 0 && <span className="quiet small">less a debt of {money(recovered_cents, currency)}</span>}
									</span>
								),
							},
						]}
						empty={<Empty title="No payouts yet">Payouts to this partner are listed here.</Empty>}
					/>
				)}
			</Loaded>
		</Card>
	);
}

/** What happened, with its day under it. */
function Dated({ day, children }: { day: string; children: ReactNode }) {
	return (
		<span className="lines">
			<span className="cut short">{children}</span>
			<span className="quiet small">{day}</span>
		</span>
	);
}
