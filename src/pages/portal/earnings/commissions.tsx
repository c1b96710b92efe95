import { getRouteApi, Link } from '@tanstack/react-router';
import { dayOf, money } from '../../format.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Filter } from '../../ui/fields.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Paging } from '../../ui/paging.tsx';
import { RangePicker } from '../../ui/range-picker.tsx';
import { listRange } from '../../ui/range.ts';
import type { CommissionState } from '../../labels/commission.tsx';
import { rateOf } from '../../labels/rate.ts';
import { inWords } from '../in-words.ts';
import { OwnCommissionBadge, ownCommissionLabel } from '../labels.tsx';
import { useMembership } from '../memberships.ts';
import { own } from '../queries.ts';
import { useNarrow } from '../use-narrow.ts';
import { CommissionPanel } from './commission-panel.tsx';
import { CommissionTabs } from './commission-tabs.tsx';
import { type Commission, type Filter as CommissionFilter, filterOf, useCommissions, useSums } from './queries.ts';

const route = getRouteApi('/shell/programs/$membershipId/commissions');

export function Commissions() {
	const { membershipId, zone } = useMembership();
	const { status, cursor, open, ...search } = route.useSearch();
	const navigate = route.useNavigate();
	const isNarrow = useNarrow();
	const filter = filterOf(search, zone);
	const query = useCommissions(membershipId, { ...filter, status, cursor });
	const change = (changes: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, cursor: undefined, ...changes }) });
	const show = (id: number | undefined) => void navigate({ search: (before) => ({ ...before, open: id?.toString() }) });
	const isFiltered = Object.values(filter).some((value) => value !== undefined);
	return (
		<Page
			title="Commissions"
			actions={
				<CsvButton ask={(options) => own.commissions.$get({ param: { id: membershipId }, query: { ...filter, status } }, options)} />
			}
		>
			<div className="row">
				<RangePicker
					range={listRange(search)}
					zone={zone}
					onChange={({ period, from, to }) => change({ period: period === 'all' ? undefined : period, from, to })}
				/>
				<Currencies filter={filter} onChange={(currency) => change({ currency })} />
			</div>
			<Card isFlush>
				<CommissionTabs filter={filter} at={status ?? 'all'} />
				<Loaded query={query} lines={10}>
					{({ data }) => (
						<DataTable
							label="Commissions"
							columns={columnsOf(zone, isNarrow)}
							rows={data}
							isStale={query.isPlaceholderData}
							empty={<Nothing status={status} isFiltered={isFiltered} />}
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
			{open !== undefined && <CommissionPanel commissionId={open} onClose={() => show(undefined)} />}
		</Page>
	);
}

function Currencies({ filter, onChange }: { filter: CommissionFilter; onChange: (currency: string | undefined) => void }) {
	const { membershipId, program } = useMembership();
	const { data } = useSums(membershipId, { ...filter, currency: undefined });
	const codes = new Set([program.currency, ...(data ?? []).map(({ currency }) => currency), ...(filter.currency ? [filter.currency] : [])]);
	if (codes.size === 1) return null;
	const options = [...codes].toSorted().map((code) => ({ value: code, label: code }));
	return <Filter label="Currency" all="All currencies" options={options} value={filter.currency} onChange={onChange} />;
}

function why({ state_reason, currency }: Commission): string {
	return inWords(state_reason, currency);
}

function columnsOf(zone: string, isNarrow: boolean): readonly ColumnOf<Commission>[] {
	const date = ({ created_at }: Commission) => <span className="nowrap">{dayOf(created_at, zone)}</span>;
	if (isNarrow) {
		return [
			{
				id: 'what',
				label: 'Commission',
				cell: (row) => (
					<span className="stack tight">
						<span className="row">
							{date(row)} <OwnCommissionBadge {...row} />
						</span>
						<span className="quiet small wrap">{why(row)}</span>
					</span>
				),
			},
			{ id: 'amount', label: 'Earned', isNumber: true, cell: (row) => <Amount commission={row} /> },
		];
	}
	return [
		{ id: 'date', label: 'Sold on', cell: date },
		{ id: 'state', label: 'State', cell: (row) => <OwnCommissionBadge {...row} /> },
		{ id: 'why', label: 'Why', cell: (row) => <span className="wrap normal">{why(row)}</span> },
		{ id: 'product', label: 'Product', cell: ({ sale }) => <span className="cut short">{sale.product_id ?? '–'}</span> },
		{ id: 'sold', label: 'Sale', isNumber: true, cell: ({ sale, currency }) => money(sale.amount_cents, currency) },
		{ id: 'rate', label: 'Your rate', isNumber: true, cell: ({ rate, currency }) => rateOf(rate, currency) },
		{ id: 'amount', label: 'Commission', isNumber: true, cell: (row) => <Amount commission={row} /> },
	];
}

/** The remaining amount, and the original. */
export function Amount({ commission: { amount_cents, remaining_cents, currency } }: { commission: Commission }) {
	if (remaining_cents === amount_cents) return money(amount_cents, currency);
	return (
		<span className="lines">
			<span>{money(remaining_cents, currency)}</span>
			<span className="quiet small">of {money(amount_cents, currency)}</span>
		</span>
	);
}

function Nothing({ status, isFiltered }: { status: CommissionState | undefined; isFiltered: boolean }) {
	const { membershipId, isActive } = useMembership();
	const what = status ? `commissions that are ${ownCommissionLabel(status).toLowerCase()}` : 'commissions';
	if (isFiltered) return <Empty title={`No ${what} in this period`}>Choose a longer period or all currencies.</Empty>;
	if (status) return <Empty title={`There are no ${what}`} />;
	return (
		<Empty title="No commissions yet">
			<span>Share your link. Each sale from it earns a commission, which appears here with its status.</span>
			{isActive && (
				<Link className="button primary" to="/programs/$membershipId/links" params={{ membershipId }} search={{}}>
					See your links
				</Link>
			)}
		</Empty>
	);
}
