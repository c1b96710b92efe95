import { getRouteApi, Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { money, plural } from '../../../format.ts';
import { ClearSelection } from '../../../ui/clear-selection.tsx';
import { type ColumnOf, DataTable } from '../../../ui/data-table.tsx';
import { Confirm } from '../../../ui/dialogs.tsx';
import { Empty } from '../../../ui/loaded.tsx';
import { Card } from '../../../ui/page.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { Badge } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { METHODS } from '../../../labels/payout.tsx';
import { PartnerLink } from '../../links.tsx';
import { useSelection } from '../../use-selection.ts';
import { useProgram } from '../../use-program.ts';
import { type Due, type DueFilter, type DueSums, useDueSums, useLastRun } from './due-queries.ts';
import { worthOf } from '../labels.ts';
import { Others, sumOf, Warnings, WithoutDetails } from './due-warnings.tsx';

const route = getRouteApi('/shell/programs/$programId/payouts');

/** The amounts due to one partner on this page: a row with a line per currency. */
interface DuePartner {
	readonly id: number;
	readonly partner: Due['partner'];
	readonly accounts: readonly Due[];
}

interface DueTableProps {
	readonly page: { readonly data: readonly Due[]; readonly meta: { readonly next_cursor: string | null } };
	readonly filter: DueFilter;
	readonly isStale: boolean;
}

export function DueTable({ page, filter, isStale }: DueTableProps) {
	const { programId, can } = useProgram();
	const { cursor } = route.useSearch();
	const navigate = route.useNavigate();
	const sums = useDueSums(programId, filter);
	const rows = partnersOf(page.data);
	const { keys, rows: selected, onChange, clear } = useSelection({ ...filter, cursor }, rows);
	return (
		<Card isFlush>
			{(rows.length > 0 || cursor !== undefined) && (
				<div className="bar selection">
					<SelectionBar selected={selected} sums={sums.data} onClear={clear} />
					{can('admin') ? (
						<Pay filter={filter} selected={selected} sums={sums.data} isStale={isStale || sums.isPlaceholderData} onDone={clear} />
					) : (
						<span className="quiet">Only admins and owners can create payouts.</span>
					)}
				</div>
			)}
			{sums.data && filter.method === undefined && <WithoutDetails payouts={sumOf(sums.data, 'without_payout_method')} />}
			<DataTable
				label="What is due"
				columns={COLUMNS}
				rows={rows}
				isStale={isStale}
				empty={
					page.meta.next_cursor === null ? (
						<Empty title="Nothing is due">
							Approved commissions are listed here.{' '}
							<Link to="/programs/$programId/commissions" params={{ programId }} search={{ status: 'pending' }}>
								See what is on hold
							</Link>
						</Empty>
					) : (
						<Empty title="Nothing is due to these partners">Go to the next page.</Empty>
					)
				}
				selection={can('admin') ? { keys, onChange } : undefined}
			/>
			<Paging
				isSizable
				cursor={cursor}
				meta={page.meta}
				shown={page.data.length}
				onChange={(next) => void navigate({ search: (before) => ({ ...before, cursor: next }) })}
			/>
			{sums.data && filter.status === undefined && <Others sums={sums.data} />}
		</Card>
	);
}

interface SelectionBarProps {
	readonly selected: readonly DuePartner[];
	readonly sums: DueSums | undefined;
	readonly onClear: () => void;
}

function SelectionBar({ selected, sums, onClear }: SelectionBarProps) {
	if (selected.length > 0)
		return (
			<span className="row">
				<strong role="status">
					{plural(selected.length, 'partner')} selected: {worthOf(selected.flatMap(({ accounts }) => accounts))}
				</strong>
				<ClearSelection onPress={onClear} />
			</span>
		);
	return <strong role="status">{sums ? readyText(sums) : 'Adding up what is due …'}</strong>;
}

function readyText({ payouts, currencies }: DueSums): string {
	return payouts === 0 ? 'No payouts are ready' : `${plural(payouts, 'payout')} ready: ${worthOf(currencies)}`;
}

interface PayProps {
	readonly filter: DueFilter;
	/** If empty, all partners who match the filter are paid. */
	readonly selected: readonly DuePartner[];
	readonly sums: DueSums | undefined;
	readonly isStale: boolean;
	readonly onDone: () => void;
}

/** Starts the run; the server continues it after this page is closed. */
function Pay({ filter, selected, sums, isStale, onDone }: PayProps) {
	const { programId } = useProgram();
	const run = useLastRun(programId);
	const isAll = selected.length === 0;
	const accounts = isAll ? (sums?.currencies ?? []) : selected.flatMap((row) => row.accounts);
	const payouts = isAll ? (sums?.payouts ?? 0) : accounts.length;
	const pay = useAction({
		send: () => answerOf(api.v1.programs[':id'].payouts.runs.$post({ param: { id: programId }, json: askedOf(filter, selected) })),
		onDone,
	});
	const isRunning = run.data?.state === 'running';
	return (
		<Confirm
			trigger={
				<Button className="react-aria-Button primary" isDisabled={isStale || isRunning || payouts === 0} isPending={pay.isPending}>
					Create payouts
				</Button>
			}
			title={`Create ${plural(payouts, 'payout')} of ${worthOf(accounts)}?`}
			action="Create payouts"
			isPending={pay.isPending}
			onConfirm={() => pay.mutate()}
		>
			<p>This marks the commissions as paid and notifies the partners. No money moves yet: you send it in the next step.</p>
			<Warnings
				accounts={accounts}
				withoutMethod={
					isAll
						? sumOf(sums, 'without_payout_method')
						: selected.flatMap((row) => (row.partner.payout_method === null ? row.accounts : [])).length
				}
				aboveLimit={isAll ? sumOf(sums, 'above_limit') : 0}
			/>
		</Confirm>
	);
}

function askedOf({ minimum_cents: minimum, group_id: group, ...filter }: DueFilter, selected: readonly DuePartner[]) {
	const minimumCents = minimum === undefined ? undefined : Number(minimum);
	if (selected.length > 0) return { partner_ids: selected.map(({ id }) => id), before: filter.before, minimum_cents: minimumCents };
	return { ...filter, group_id: group === undefined ? undefined : Number(group), minimum_cents: minimumCents };
}

function partnersOf(accounts: readonly Due[]): DuePartner[] {
	return [...Map.groupBy(accounts, ({ partner }) => partner.id)].flatMap(([id, own]) =>
		own[0] ? [{ id, partner: own[0].partner, accounts: own }] : [],
	);
}

const COLUMNS: readonly ColumnOf<DuePartner>[] = [
	{ id: 'partner', onPhone: 'lead', label: 'Partner', cell: ({ partner }) => <WhoIsPaid partner={partner} /> },
	{ id: 'method', onPhone: 'under', label: 'Payout method', cell: ({ partner }) => <Method method={partner.payout_method} /> },
	{
		id: 'commissions',
		label: 'Commissions',
		isNumber: true,
		cell: (row) => <Lines row={row} read={({ commission_cents }) => commission_cents} />,
	},
	{
		id: 'surplus',
		label: 'Reinstated',
		isNumber: true,
		cell: (row) => <Lines row={row} read={({ surplus_cents }) => surplus_cents} isQuietZero />,
	},
	{
		id: 'recovered',
		label: 'Debt recovered',
		isNumber: true,
		cell: (row) => <Lines row={row} read={({ recovered_cents }) => -recovered_cents} isQuietZero />,
	},
	{
		id: 'amount',
		onPhone: 'end',
		label: 'To pay',
		isNumber: true,
		cell: (row) => <Lines row={row} read={({ amount_cents }) => amount_cents} isStrong />,
	},
];

function WhoIsPaid({ partner }: { partner: Due['partner'] }) {
	return (
		<span className="row">
			<span className="cut">
				<PartnerLink id={partner.id}>{partner.name}</PartnerLink>
			</span>
			{partner.status === 'suspended' && (
				<Badge tone="warn" reason="The partner is suspended and earns nothing now. Earlier earnings are still due.">
					Suspended
				</Badge>
			)}
			{partner.status === 'ended' && <Badge reason="The membership has ended. Earlier earnings are still due.">Ended</Badge>}
		</span>
	);
}

function Method({ method }: { method: Due['partner']['payout_method'] }) {
	if (method !== null) return METHODS[method];
	return (
		<Badge tone="warn" reason="The partner has not entered payout details. You can create the payout, but it will not be in any file.">
			No payout details
		</Badge>
	);
}

/** One line per currency. */
function Lines({
	row,
	read,
	isQuietZero,
	isStrong,
}: {
	row: DuePartner;
	read: (account: Due) => number;
	isQuietZero?: boolean;
	isStrong?: boolean;
}) {
	return (
		<span className={`lines ${isStrong ? 'strong' : ''}`}>
			{row.accounts.map((account) => {
				const cents = read(account);
				return (
					<span key={account.currency} className={isQuietZero && cents === 0 ? 'quiet' : ''}>
						{isQuietZero && cents === 0 ? '–' : money(cents, account.currency)}
					</span>
				);
			})}
		</span>
	);
}
