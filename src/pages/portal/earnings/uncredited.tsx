import { getRouteApi } from '@tanstack/react-router';
import { dayOf, money } from '../../format.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Paging } from '../../ui/paging.tsx';
import { RangePicker } from '../../ui/range-picker.tsx';
import { listDays, listRange } from '../../ui/range.ts';
import { inWords } from '../in-words.ts';
import { useMembership } from '../memberships.ts';
import { own } from '../queries.ts';
import { useNarrow } from '../use-narrow.ts';
import { CommissionTabs } from './commission-tabs.tsx';
import { type UncreditedSale, useUncredited } from './queries.ts';

const route = getRouteApi('/shell/programs/$membershipId/commissions/none');

/** Sales that the partner brought but that earned nothing, and why. */
export function Uncredited() {
	const { membershipId, zone } = useMembership();
	const { cursor, ...search } = route.useSearch();
	const navigate = route.useNavigate();
	const isNarrow = useNarrow();
	const days = listDays(listRange(search), zone);
	const query = useUncredited(membershipId, { ...days, cursor });
	return (
		<Page
			title="Commissions"
			actions={<CsvButton ask={(options) => own['unearned-sales'].$get({ param: { id: membershipId }, query: days }, options)} />}
		>
			<RangePicker
				range={listRange(search)}
				zone={zone}
				onChange={({ period, from, to }) => void navigate({ search: { period: period === 'all' ? undefined : period, from, to } })}
			/>
			<Card isFlush>
				<CommissionTabs filter={days} at="none" />
				<p className="note">Sales from your links that earned no commission, each with the reason.</p>
				<Loaded query={query} lines={10}>
					{({ data, meta }) => (
						<DataTable
							label="Sales that earned nothing"
							columns={columnsOf(zone, isNarrow)}
							rows={data}
							isStale={query.isPlaceholderData}
							empty={
								meta.next_cursor === null ? (
									<Empty title="No such sales">If a sale from your links earns nothing, it appears here with the reason.</Empty>
								) : (
									<Empty title="None among the newest">Go to the next page to look further back.</Empty>
								)
							}
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
		</Page>
	);
}

function why({ reason, currency }: UncreditedSale): string {
	return inWords(reason, currency);
}

function columnsOf(zone: string, isNarrow: boolean): readonly ColumnOf<UncreditedSale>[] {
	const date = ({ created_at }: UncreditedSale) => <span className="nowrap">{dayOf(created_at, zone)}</span>;
	const sold = { id: 'sold', label: 'Sale', isNumber: true, cell: (row: UncreditedSale) => money(row.amount_cents, row.currency) } as const;
	if (isNarrow) {
		const cell = (row: UncreditedSale) => (
			<span className="stack tight">
				{date(row)}
				<span className="quiet small wrap">{why(row)}</span>
			</span>
		);
		return [{ id: 'what', label: 'Sold on', cell }, sold];
	}
	return [
		{ id: 'date', label: 'Sold on', cell: date },
		{ id: 'why', label: 'Why it earned nothing', cell: (row) => <span className="wrap normal">{why(row)}</span> },
		{ id: 'product', label: 'Product', cell: ({ product_id }) => <span className="cut short">{product_id ?? '–'}</span> },
		sold,
	];
}
