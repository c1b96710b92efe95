import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../../api.ts';
import { count, dayOf, money } from '../../../format.ts';
import { useChosenColumns } from '../../../ui/columns.tsx';
import { CurrenciesChip } from '../../../ui/currencies-chip.tsx';
import { CsvButton } from '../../../ui/csv-button.tsx';
import { type ColumnOf, DataTable } from '../../../ui/data-table.tsx';
import { Filter, Search } from '../../../ui/fields.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { ListMenus } from '../../../layout/list-menus.tsx';
import { usePageLimit } from '../../../ui/page-size.ts';
import { Paging } from '../../../ui/paging.tsx';
import { listRange } from '../../../ui/range.ts';
import { RangePicker } from '../../../ui/range-picker.tsx';
import { PartnerPicker } from '../../partner-picker.tsx';
import { COMMISSION_STATES, CommissionBadge, commissionLabel, type CommissionState } from '../../../labels/commission.tsx';
import { rateOf } from '../../../labels/rate.ts';
import { useSelection } from '../../use-selection.ts';
import { useProgram } from '../../use-program.ts';
import { CommissionPanel } from './commission-panel.tsx';
import { centsOf, type Commission, type CommissionSum, filterOf, useCommissions, useSums } from './commission-queries.ts';
import { Decide } from './decide.tsx';
import { DecisionRuns } from './decision-runs.tsx';
import { MEANINGS, sumsOf } from '../labels.ts';

const route = getRouteApi('/shell/programs/$programId/commissions');

export function Commissions() {
	const { programId, program, can } = useProgram();
	const { status, cursor, open, ...search } = route.useSearch();
	const navigate = route.useNavigate();
	const filter = filterOf(search, program.time_zone);
	const shown = { ...filter, status, cursor, limit: usePageLimit() };
	const query = useCommissions(programId, shown);
	const decidable = (query.data?.data ?? []).filter(canBeDecided);
	const { keys, rows: selected, onChange, clear } = useSelection(shown, decidable);
	const change = (changes: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, cursor: undefined, ...changes }) });
	const show = (id: number | undefined) => void navigate({ search: (before) => ({ ...before, open: id?.toString() }) });
	const columns = columnsOf(program.time_zone);
	const chosen = useChosenColumns('commission', columns);
	const isDecidable = can('admin') && (status === 'pending' || status === 'approved' || status === 'refunded');
	return (
		<Page title="Commissions" actions={<CsvButton ask={(options) => askCsv(programId, { ...filter, status }, options)} />}>
			<div className="row">
				<Search label="Transaction, partner or product" value={search.search} onSearch={(text) => change({ search: text })} />
				<PartnerPicker label="Partner" placeholder="All partners" id={search.partner} onChange={(partner) => change({ partner })} />
				<Currencies filter={filter} onChange={(currency) => change({ currency })} />
				<RangePicker
					range={listRange(search)}
					zone={program.time_zone}
					onChange={({ period, from, to }) => change({ period: period === 'all' ? undefined : period, from, to })}
				/>
				<ListMenus list="commission" columns={columns} />
			</div>
			<DecisionRuns />
			<Card isFlush>
				<States filter={filter} status={status} />
				{status && (
					<p className="note">
						{MEANINGS[status]}{' '}
						{status === 'approved' && (
							<Link to="/programs/$programId/payouts" params={{ programId }} search={{}}>
								See what is due
							</Link>
						)}
					</p>
				)}
				<Loaded query={query} lines={10}>
					{({ data }) => (
						<>
							{isDecidable && (
								<Decide
									key={JSON.stringify({ filter, status })}
									status={status}
									filter={filter}
									selected={selected}
									isWhole={data.every((row) => keys.has(row.id) || !canBeDecided(row))}
									onDone={clear}
								/>
							)}
							<DataTable
								label="Commissions"
								columns={chosen}
								rows={data}
								isStale={query.isPlaceholderData}
								empty={<Nothing status={status} isFiltered={Object.values(filter).some((value) => value !== undefined)} />}
								onOpen={({ id }) => show(id)}
								selection={
									isDecidable ? { keys, onChange, disabled: data.filter((row) => !canBeDecided(row)).map(({ id }) => id) } : undefined
								}
							/>
						</>
					)}
				</Loaded>
			</Card>
			<Paging
				isSizable
				cursor={cursor}
				meta={query.data?.meta}
				shown={query.data?.data.length ?? 0}
				onChange={(next) => void navigate({ search: (before) => ({ ...before, cursor: next }) })}
			/>
			{open !== undefined && <CommissionPanel commissionId={open} onClose={() => show(undefined)} />}
		</Page>
	);
}

/** The rest of a partly refunded commission can be rejected until it is paid. */
function canBeDecided({ status, paid_at, amount_cents, deducted_cents }: Commission): boolean {
	return status !== 'refunded' || (paid_at === null && amount_cents > deducted_cents);
}

function askCsv(
	id: string,
	query: ReturnType<typeof filterOf> & { status: CommissionState | undefined },
	options: { headers: { Accept: string } },
) {
	return api.v1.programs[':id'].commissions.$get({ param: { id }, query }, options);
}

function Currencies({ filter, onChange }: { filter: ReturnType<typeof filterOf>; onChange: (currency: string | undefined) => void }) {
	const { programId, program } = useProgram();
	const { data } = useSums(programId, { ...filter, currency: undefined });
	const codes = new Set([program.currency, ...(data ?? []).map(({ currency }) => currency), ...(filter.currency ? [filter.currency] : [])]);
	if (codes.size === 1) return null;
	const options = [...codes].toSorted().map((code) => ({ value: code, label: code }));
	return <Filter label="Currency" all="All currencies" options={options} value={filter.currency} onChange={onChange} />;
}

/** Count and sum of each state. The program's currency leads. */
function States({ filter, status }: { filter: ReturnType<typeof filterOf>; status: CommissionState | undefined }) {
	const { programId } = useProgram();
	const { data, error } = useSums(programId, filter);
	return (
		<>
			<nav className="states" aria-label="States">
				{[undefined, ...COMMISSION_STATES].map((state) => (
					<State
						key={state ?? ''}
						state={state}
						isCurrent={state === status}
						sums={data?.filter((sum) => state === undefined || sum.status === state)}
					/>
				))}
			</nav>
			{error && <p className="note bad">The sums could not be loaded: {error.message}</p>}
		</>
	);
}

interface StateProps {
	/** Undefined for all of them. */
	readonly state: CommissionState | undefined;
	readonly isCurrent: boolean;
	/** Undefined until they have loaded. */
	readonly sums: readonly CommissionSum[] | undefined;
}

function State({ state, isCurrent, sums }: StateProps) {
	const { programId, program } = useProgram();
	const label = state ? commissionLabel(state) : 'All';
	const number = (sums ?? []).reduce((all, sum) => all + sum.count, 0);
	// A sum over all states would be meaningless.
	const amounts = state ? sumsOf(sums ?? [], (sum) => ({ currency: sum.currency, cents: centsOf(sum) })) : [];
	const lead = amounts.find(({ currency }) => currency === program.currency) ?? amounts[0] ?? { currency: program.currency, cents: 0 };
	const others = amounts.filter(({ currency, cents }) => currency !== lead.currency && cents !== 0);
	return (
		<div>
			<Link
				to="/programs/$programId/commissions"
				params={{ programId }}
				search={(before) => ({ ...before, status: state, cursor: undefined, open: undefined })}
				activeOptions={{ exact: true }}
				aria-current={isCurrent ? 'page' : undefined}
			>
				{label}
				<strong>{sums === undefined ? '…' : state ? money(lead.cents, lead.currency) : count(number)}</strong>
				<small>{sums === undefined ? '…' : state ? count(number) : number === 1 ? 'commission' : 'commissions'}</small>
			</Link>
			<CurrenciesChip label={label} others={others.map(({ cents, currency }) => money(cents, currency))} />
		</div>
	);
}

function columnsOf(zone: string): readonly ColumnOf<Commission>[] {
	return [
		{ id: 'sale', onPhone: 'under', label: 'Transaction', cell: ({ sale }) => <span className="cut short">{sale.transaction_id}</span> },
		{ id: 'partner', onPhone: 'lead', label: 'Partner', cell: ({ partner }) => <span className="cut short">{partner.name}</span> },
		{ id: 'state', onPhone: 'under-end', label: 'State', cell: ({ status }) => <CommissionBadge status={status} /> },
		{ id: 'date', label: 'Earned on', cell: ({ created_at }) => <span className="nowrap">{dayOf(created_at, zone)}</span> },
		{ id: 'sold', label: 'Sale', isNumber: true, cell: ({ sale, currency }) => money(sale.amount_cents, currency) },
		{
			id: 'hold',
			label: 'On hold until',
			isExtra: true,
			cell: ({ hold_until }) => <span className="nowrap">{hold_until === null ? '–' : dayOf(hold_until, zone)}</span>,
		},
		{
			id: 'paid',
			label: 'Paid on',
			isExtra: true,
			cell: ({ paid_at }) => <span className="nowrap">{paid_at === null ? '–' : dayOf(paid_at, zone)}</span>,
		},
		{ id: 'rule', label: 'Rule', isNumber: true, cell: (row) => rateOf(row.rule, row.currency) },
		{ id: 'amount', onPhone: 'end', label: 'Commission', isNumber: true, cell: (row) => <Amount commission={row} /> },
	];
}

function Amount({ commission: { amount_cents, deducted_cents, currency } }: { commission: Commission }) {
	if (deducted_cents === 0) return money(amount_cents, currency);
	return (
		<span className="lines">
			<span>{money(amount_cents - deducted_cents, currency)}</span>
			<span className="quiet small">of {money(amount_cents, currency)}</span>
		</span>
	);
}

function Nothing({ status, isFiltered }: { status: CommissionState | undefined; isFiltered: boolean }) {
	const what = status ? `commissions that are ${commissionLabel(status).toLowerCase()}` : 'commissions';
	if (isFiltered) return <Empty title={`No ${what} match`}>Remove a filter to see more.</Empty>;
	if (status) return <Empty title={`There are no ${what}`} />;
	return (
		<Empty title="No commissions yet">
			A sale that a partner brought earns a commission. Each one is listed here, with the reason for its amount.
		</Empty>
	);
}
