import { getRouteApi } from '@tanstack/react-router';
import { dayOf, money } from '../../format.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Paging } from '../../ui/paging.tsx';
import { inWords } from '../in-words.ts';
import { OwnPayoutBadge } from '../labels.tsx';
import { useMembership } from '../memberships.ts';
import { own } from '../queries.ts';
import { useNarrow } from '../use-narrow.ts';
import { NextPayouts } from './next-payouts.tsx';
import { PayoutPanel } from './payout-panel.tsx';
import { type Payout, usePayouts } from './queries.ts';

const route = getRouteApi('/shell/programs/$membershipId/payouts');

export function Payouts() {
	const { membershipId, zone } = useMembership();
	const { cursor, open } = route.useSearch();
	const navigate = route.useNavigate();
	const isNarrow = useNarrow();
	const query = usePayouts(membershipId, { cursor });
	const show = (id: number | undefined) => void navigate({ search: (before) => ({ ...before, open: id?.toString() }) });
	return (
		<Page title="Payouts" actions={<CsvButton ask={(options) => own.payouts.$get({ param: { id: membershipId }, query: {} }, options)} />}>
			<NextPayouts />
			<Card title="All payouts" isFlush>
				<Loaded query={query} lines={8}>
					{({ data }) => (
						<DataTable
							label="Payouts"
							columns={columnsOf(zone, isNarrow)}
							rows={data}
							isStale={query.isPlaceholderData}
							empty={
								<Empty title="No payouts yet">
									The program decides when it pays. Each payout appears here: on its way at first, and paid once it is sent.
								</Empty>
							}
							onOpen={({ id }) => show(id)}
						/>
					)}
				</Loaded>
			</Card>
			<Paging
				cursor={cursor}
				meta={query.data?.meta}
				shown={query.data?.data.length ?? 0}
				onChange={(next) => void navigate({ search: (before) => ({ ...before, cursor: next }) })}
			/>
			{open !== undefined && <PayoutPanel payoutId={open} onClose={() => show(undefined)} />}
		</Page>
	);
}

function what({ amount_reason, currency }: Payout): string {
	return inWords(amount_reason, currency);
}

function became({ state_reason, currency }: Payout): string {
	return inWords(state_reason, currency);
}

function columnsOf(zone: string, isNarrow: boolean): readonly ColumnOf<Payout>[] {
	const date = ({ created_at }: Payout) => <span className="nowrap">{dayOf(created_at, zone)}</span>;
	const paid = {
		id: 'amount',
		label: 'Amount',
		isNumber: true,
		cell: ({ amount_cents, currency }: Payout) => money(amount_cents, currency),
	} as const;
	if (isNarrow) {
		const cell = (row: Payout) => (
			<span className="stack tight">
				<span className="row">
					{date(row)} <OwnPayoutBadge status={row.status} />
				</span>
				<span className="quiet small wrap">{became(row)}</span>
			</span>
		);
		return [{ id: 'what', label: 'Payout', cell }, paid];
	}
	return [
		{ id: 'date', label: 'Made on', cell: date },
		{ id: 'state', label: 'State', cell: ({ status }) => <OwnPayoutBadge status={status} /> },
		{ id: 'became', label: 'Outcome', cell: (row) => <span className="wrap normal">{became(row)}</span> },
		{ id: 'why', label: 'How it was calculated', cell: (row) => <span className="wrap normal">{what(row)}</span> },
		paid,
	];
}
