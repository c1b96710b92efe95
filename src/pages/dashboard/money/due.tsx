import { startOfMonth, today } from '@internationalized/date';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, type Selection } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { count, money, plural } from '../../format.ts';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Confirm } from '../../ui/dialogs.tsx';
import { Filter } from '../../ui/fields.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Badge } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { PartnerLink } from '../links.tsx';
import { useProgram } from '../use-program.ts';
import { LeftOut } from './left-out.tsx';
import { type Planned, type Preview, usePreview } from './payout-queries.ts';
import { PayoutSteps } from './payout-steps.tsx';
import { METHODS } from '../../words/payout.tsx';
import { sumsOf, sumsText, worthOf } from './words.ts';

const route = getRouteApi('/shell/programs/$programId/payouts');

export function Due() {
	const { programId, program } = useProgram();
	const search = route.useSearch();
	const navigate = route.useNavigate();
	const asked = {
		before: search.earned && startOfMonth(today(program.time_zone)).toString(),
		minimum_cents: search.minimum && '0',
	};
	const query = usePreview(programId, asked);
	return (
		<Page title="Payouts">
			<PayoutSteps at="due" />
			<div className="row">
				<Filter
					label="What was earned"
					all="All that is due"
					options={[{ value: 'before-this-month', label: 'Earned before this month' }]}
					value={search.earned}
					onChange={(earned) => void navigate({ search: (before) => ({ ...before, earned }) })}
				/>
				<Filter
					label="Minimum"
					all={program.payout_minimum_cents > 0 ? `From ${money(program.payout_minimum_cents, program.currency)}` : 'No minimum is set'}
					options={[{ value: 'none', label: 'However little' }]}
					value={search.minimum}
					onChange={(minimum) => void navigate({ search: (before) => ({ ...before, minimum }) })}
				/>
			</div>
			<Loaded query={query} lines={10}>
				{(preview) => (
					<>
						<DuePayouts key={JSON.stringify(asked)} preview={preview} asked={asked} isStale={query.isPlaceholderData} />
						<LeftOut preview={preview} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

/** All that one partner is due: a payout for each currency. */
interface DuePartner {
	readonly id: number;
	readonly partner: Planned['partner'];
	readonly payouts: readonly Planned[];
}

function DuePayouts({
	preview,
	asked,
	isStale,
}: {
	preview: Preview;
	asked: { before?: string; minimum_cents?: string };
	isStale: boolean;
}) {
	const { programId, may } = useProgram();
	const rows = partnersOf(preview.payouts);
	// Who is suspended is paid only where somebody says so.
	const [selected, setSelected] = useState<Selection>();
	const usual = rows.filter(({ partner }) => partner.status !== 'suspended');
	const keys: Selection = selected ?? new Set(usual.slice(0, MOST).map(({ id }) => id));
	const chosen = rows.filter(({ id }) => keys === 'all' || keys.has(id));
	const navigate = route.useNavigate();
	const make = useAction({
		send: () =>
			answerOf(
				api.v1.programs[':id'].payouts.$post({
					param: { id: programId },
					json: {
						partner_ids: chosen.map(({ id }) => id),
						before: asked.before,
						minimum_cents: asked.minimum_cents === undefined ? undefined : Number(asked.minimum_cents),
					},
				}),
			),
		said: ({ data }) =>
			data.length === 0
				? 'Nothing was left to pay: these payouts have been made before'
				: `Made: ${plural(data.length, 'payout')} of ${worthOf(data)}`,
		onDone: () => void navigate({ to: '/programs/$programId/payouts/to-send', search: {} }),
	});
	const payouts = chosen.flatMap((row) => row.payouts);
	return (
		<Card isFlush>
			{rows.length > 0 && (
				<div className="bar selection">
					<strong role="status">
						{plural(chosen.length, 'partner')} chosen{payouts.length > 0 && `: ${worthOf(payouts)}`}
					</strong>
					{may('admin') && selected === undefined && usual.length > MOST && (
						<span className="quiet">
							The first {MOST}: make the payouts of the other {count(usual.length - MOST)} afterwards.
						</span>
					)}
					{may('admin') && (
						<MakeButton
							isStale={isStale}
							payouts={payouts}
							partners={chosen.length}
							isPending={make.isPending}
							onConfirm={() => make.mutate()}
						/>
					)}
					{!may('admin') && <span className="quiet">Admins and owners make payouts.</span>}
				</div>
			)}
			<DataTable
				label="What is due"
				columns={COLUMNS}
				rows={rows}
				isStale={isStale}
				empty={
					<Empty title="Nothing is due">
						Approved commissions come here.{' '}
						<Link to="/programs/$programId/commissions" params={{ programId }} search={{ status: 'pending' }}>
							See what is on hold
						</Link>
					</Empty>
				}
				selection={
					// Who comes to be due meanwhile is not chosen unseen.
					may('admin') ? { keys, onChange: (to) => setSelected(to === 'all' ? new Set(rows.map(({ id }) => id)) : to) } : undefined
				}
			/>
		</Card>
	);
}

/** The most partners that one request names. */
const MOST = 500;

interface MakeProps {
	/** Whether these are still the payouts of the terms before. */
	readonly isStale: boolean;
	readonly payouts: readonly Planned[];
	readonly partners: number;
	readonly isPending: boolean;
	readonly onConfirm: () => void;
}

function MakeButton({ isStale, payouts, partners, isPending, onConfirm }: MakeProps) {
	if (partners > MOST) return <span className="warn">At most {MOST} partners are paid at once: choose fewer.</span>;
	const recovered = sumsOf(payouts, ({ currency, recovered_cents }) => ({ currency, cents: recovered_cents })).filter(
		({ cents }) => cents > 0,
	);
	const unknown = payouts.filter(({ partner }) => partner.payout_method === null).length;
	return (
		<Confirm
			trigger={
				<Button className="react-aria-Button primary" isDisabled={isStale || payouts.length === 0} isPending={isPending}>
					Make payouts
				</Button>
			}
			title={`Make ${plural(payouts.length, 'payout')} of ${worthOf(payouts)}?`}
			action="Make payouts"
			isPending={isPending}
			onConfirm={onConfirm}
		>
			<p>The commissions are marked as paid and the partners are told. No money moves yet: the next step has the files to send it with.</p>
			{recovered.length > 0 && <p>{sumsText(recovered)} is kept back for debts: it was paid before, for sales that were refunded later.</p>}
			{unknown > 0 && (
				<p className="warn">{plural(unknown, 'payout')} will be in no file: these partners have not said how they are paid.</p>
			)}
		</Confirm>
	);
}

function partnersOf(payouts: readonly Planned[]): DuePartner[] {
	return [...Map.groupBy(payouts, ({ partner }) => partner.id)].flatMap(([id, own]) =>
		own[0] ? [{ id, partner: own[0].partner, payouts: own }] : [],
	);
}

const COLUMNS: readonly ColumnOf<DuePartner>[] = [
	{ id: 'partner', label: 'Partner', cell: ({ partner }) => <WhoIsPaid partner={partner} /> },
	{ id: 'method', label: 'Paid by', cell: ({ partner }) => <Method method={partner.payout_method} /> },
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
	{ id: 'amount', label: 'To pay', isNumber: true, cell: (row) => <Lines row={row} read={({ amount_cents }) => amount_cents} isStrong /> },
];

function WhoIsPaid({ partner }: { partner: Planned['partner'] }) {
	return (
		<span className="row">
			<span className="cut">
				<PartnerLink id={partner.id}>{partner.name}</PartnerLink>
			</span>
			{partner.status === 'suspended' && (
				<Badge tone="warn" reason="Suspended: earns nothing now. What was earned before is still due: choose the partner to pay it.">
					Suspended
				</Badge>
			)}
			{partner.status === 'ended' && <Badge reason="The membership has ended. What was earned stays due.">Ended</Badge>}
		</span>
	);
}

function Method({ method }: { method: Planned['partner']['payout_method'] }) {
	if (method !== null) return METHODS[method];
	return (
		<Badge tone="warn" reason="The partner has not said how to be paid: the payout can be made, but no file will have it.">
			No payout details
		</Badge>
	);
}

/** One line for each currency. */
function Lines({
	row,
	read,
	isQuietZero,
	isStrong,
}: {
	row: DuePartner;
	read: (payout: Planned) => number;
	isQuietZero?: boolean;
	isStrong?: boolean;
}) {
	return (
		<span className={`lines ${isStrong ? 'strong' : ''}`}>
			{row.payouts.map((payout) => {
				const cents = read(payout);
				return (
					<span key={payout.currency} className={isQuietZero && cents === 0 ? 'quiet' : ''}>
						{isQuietZero && cents === 0 ? '–' : money(cents, payout.currency)}
					</span>
				);
			})}
		</span>
	);
}
