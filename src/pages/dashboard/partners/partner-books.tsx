import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { dayOf, money } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { CommissionBadge } from '../../labels/commission.tsx';
import { PayoutBadge } from '../../labels/payout.tsx';
import { useProgram } from '../use-program.ts';
import type { Partner } from './queries.ts';

const NEWEST = '5';

const COMMISSIONS = '/programs/$programId/commissions';
const PAYOUTS = '/programs/$programId/payouts/history';

export function Balances({ balances, currency }: { balances: Partner['balances']; currency: string }) {
	const shown = Object.keys(balances).length > 0 ? balances : { [currency]: { available: 0, pending: 0, debt: 0 } };
	return (
		<Card title="Balances">
			<div className="scroll" tabIndex={0} role="region" aria-label="Table of balances">
				<table>
					<thead>
						<tr>
							<th scope="col">Currency</th>
							<th scope="col" className="number">
								Available
							</th>
							<th scope="col" className="number">
								Pending
							</th>
							<th scope="col" className="number">
								Debt
							</th>
						</tr>
					</thead>
					<tbody>
						{Object.entries(shown).map(([code, { available, pending, debt }]) => (
							<tr key={code}>
								<th scope="row">{code}</th>
								<td className="number strong">{money(available, code)}</td>
								<td className="number">{money(pending, code)}</td>
								<td className={`number ${debt > 0 ? 'bad' : ''}`}>{money(debt, code)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
			<p className="quiet small">
				Available can be paid out. Pending waits for its hold to end or for a decision. Debt results from refunds after a payout, and is
				taken off the next ones.
			</p>
		</Card>
	);
}

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
							{ id: 'sale', label: 'Sale', cell: ({ sale }) => <span className="cut code">{sale.transaction_id}</span> },
							{
								id: 'status',
								label: 'Status',
								cell: ({ status }) => <CommissionBadge status={status} />,
							},
							{ id: 'day', label: 'Day', cell: ({ created_at }) => dayOf(created_at, program.time_zone) },
							{ id: 'of', label: 'Of', isNumber: true, cell: ({ sale, currency }) => money(sale.amount_cents, currency) },
							{
								id: 'amount',
								label: 'Commission',
								isNumber: true,
								cell: ({ amount_cents, deducted_cents, currency }) => money(amount_cents - deducted_cents, currency),
							},
						]}
						empty={<Empty title="No commissions yet">Sales of customers whom they bring are listed here.</Empty>}
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
							{ id: 'id', label: 'Payout', cell: ({ id }) => `№ ${id}` },
							{
								id: 'status',
								label: 'Status',
								cell: ({ status }) => <PayoutBadge status={status} />,
							},
							{ id: 'day', label: 'Day', cell: ({ created_at }) => dayOf(created_at, program.time_zone) },
							{
								id: 'recovered',
								label: 'Debt taken off',
								isNumber: true,
								cell: ({ recovered_cents, currency }) => (recovered_cents > 0 ? money(recovered_cents, currency) : '–'),
							},
							{ id: 'amount', label: 'Amount', isNumber: true, cell: ({ amount_cents, currency }) => money(amount_cents, currency) },
						]}
						empty={<Empty title="No payouts yet">What is marked as paid to them is listed here.</Empty>}
					/>
				)}
			</Loaded>
		</Card>
	);
}
