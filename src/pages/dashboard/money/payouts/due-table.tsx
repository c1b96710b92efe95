import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, type Selection } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { count, money, plural } from '../../../format.ts';
import { type ColumnOf, DataTable } from '../../../ui/data-table.tsx';
import { Confirm } from '../../../ui/dialogs.tsx';
import { Empty } from '../../../ui/loaded.tsx';
import { Card } from '../../../ui/page.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { Badge } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { METHODS } from '../../../labels/payout.tsx';
import { PartnerLink } from '../../links.tsx';
import { useProgram } from '../../use-program.ts';
import { type Due, type DueFilter, type DueSums, useDueSums, useLastRun } from './due-queries.ts';
import { sumsOf, sumsText, worthOf } from '../labels.ts';

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
	const [keys, setKeys] = useState<Selection>(new Set());
	const rows = partnersOf(page.data);
	const selected = rows.filter(({ id }) => keys === 'all' || keys.has(id));
	return (
		<Card isFlush>
			{(rows.length > 0 || cursor !== undefined) && (
				<div className="bar selection">
					<SelectionBar selected={selected} sums={sums.data} />
					{can('admin') ? (
						<Pay
							filter={filter}
							selected={selected}
							sums={sums.data}
							isStale={isStale || sums.isPlaceholderData}
							onDone={() => setKeys(new Set())}
						/>
					) : (
						<span className="quiet">Admins and owners make payouts.</span>
					)}
				</div>
			)}
			<DataTable
				label="What is due"
				columns={COLUMNS}
				rows={rows}
				isStale={isStale}
				empty={
					page.meta.next_cursor === null ? (
						<Empty title="Nothing is due">
							Approved commissions come here.{' '}
							<Link to="/programs/$programId/commissions" params={{ programId }} search={{ status: 'pending' }}>
								See what is on hold
							</Link>
						</Empty>
					) : (
						<Empty title="Nothing is due among these partners">Go on to the next page.</Empty>
					)
				}
				selection={can('admin') ? { keys, onChange: setKeys } : undefined}
			/>
			<Paging
				cursor={cursor}
				meta={page.meta}
				shown={page.data.length}
				onChange={(next) => {
					setKeys(new Set());
					void navigate({ search: (before) => ({ ...before, cursor: next }) });
				}}
			/>
			{sums.data && filter.status === undefined && <Others sums={sums.data} />}
		</Card>
	);
}

function SelectionBar({ selected, sums }: { selected: readonly DuePartner[]; sums: DueSums | undefined }) {
	if (selected.length > 0)
		return (
			<strong role="status">
				{plural(selected.length, 'partner')} selected: {worthOf(selected.flatMap(({ accounts }) => accounts))}
			</strong>
		);
	return <strong role="status">{sums ? readyText(sums) : 'Adding up what is due …'}</strong>;
}

function readyText({ payouts, currencies }: DueSums): string {
	return payouts === 0 ? 'No payout is ready' : `${plural(payouts, 'payout')} ready: ${worthOf(currencies)}`;
}

/** Suspended and former partners are paid only on request. */
function Others({ sums }: { sums: DueSums }) {
	const navigate = route.useNavigate();
	const others = [
		{ status: 'suspended', payouts: sums.suspended_payouts, to: 'suspended partners' },
		{ status: 'ended', payouts: sums.ended_payouts, to: 'former partners' },
	] as const;
	return others
		.filter(({ payouts }) => payouts > 0)
		.map(({ status, payouts, to }) => (
			<p key={status} className="note">
				{plural(payouts, 'more payout')} {payouts === 1 ? 'is' : 'are'} due to {to}, whom “Make payouts” leaves out here.{' '}
				<Button
					className="react-aria-Button link"
					onPress={() => void navigate({ search: (before) => ({ ...before, cursor: undefined, status }) })}
				>
					Show {to}
				</Button>
			</p>
		));
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
					Make payouts
				</Button>
			}
			title={`Make ${plural(payouts, 'payout')} of ${worthOf(accounts)}?`}
			action="Make payouts"
			isPending={pay.isPending}
			onConfirm={() => pay.mutate()}
		>
			<p>
				The commissions are marked as paid and the partners are notified. No money moves yet: the next step has the files to send it with.
			</p>
			<Warnings
				accounts={accounts}
				withoutMethod={
					isAll ? sumOf(sums, 'without_payout_method') : selected.filter(({ partner }) => partner.payout_method === null).length
				}
				aboveLimit={isAll ? sumOf(sums, 'above_limit') : 0}
			/>
		</Confirm>
	);
}

function sumOf(sums: DueSums | undefined, name: 'without_payout_method' | 'above_limit'): number {
	return (sums?.currencies ?? []).reduce((sum, currency) => sum + currency[name], 0);
}

interface WarningsProps {
	readonly accounts: readonly { readonly currency: string; readonly recovered_cents: number }[];
	readonly withoutMethod: number;
	readonly aboveLimit: number;
}

function Warnings({ accounts, withoutMethod, aboveLimit }: WarningsProps) {
	const recovered = sumsOf(accounts, ({ currency, recovered_cents }) => ({ currency, cents: recovered_cents })).filter(
		({ cents }) => cents > 0,
	);
	return (
		<>
			{recovered.length > 0 && <p>{sumsText(recovered)} is kept back for debts: it was paid before, for sales that were refunded later.</p>}
			{withoutMethod > 0 && (
				<p className="warn">{plural(withoutMethod, 'payout')} will be in no file: these partners have not said how they are paid.</p>
			)}
			{aboveLimit > 0 && (
				<p className="warn">
					{plural(aboveLimit, 'payout')} will have the oldest {count(10_000)} commissions of a partner. Make payouts again for the rest.
				</p>
			)}
		</>
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
	{ id: 'method', onPhone: 'under', label: 'Paid by', cell: ({ partner }) => <Method method={partner.payout_method} /> },
	{
		id: 'commissions',
		label: 'Commissions',
		isNumber: true,
		cell: (row) => <Lines row={row} read={({ commission_cents }) => commission_cents} />,
	},
	{
		id: 'surplus',
		label: 'Given back',
		isNumber: true,
		cell: (row) => <Lines row={row} read={({ surplus_cents }) => surplus_cents} isQuietZero />,
	},
	{
		id: 'recovered',
		label: 'Kept back',
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
				<Badge tone="warn" reason="Suspended: earns nothing now. What was earned before is still due.">
					Suspended
				</Badge>
			)}
			{partner.status === 'ended' && <Badge reason="The membership has ended. What was earned stays due.">Ended</Badge>}
		</span>
	);
}

function Method({ method }: { method: Due['partner']['payout_method'] }) {
	if (method !== null) return METHODS[method];
	return (
		<Badge tone="warn" reason="The partner has not said how to be paid: the payout can be made, but no file will have it.">
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
