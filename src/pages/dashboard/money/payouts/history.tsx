import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../../api.ts';
import { useChosenColumns } from '../../../ui/columns.tsx';
import { CsvButton } from '../../../ui/csv-button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Filter } from '../../../ui/fields.tsx';
import { ListMenus } from '../../../layout/list-menus.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { usePageLimit } from '../../../ui/page-size.ts';
import { Paging } from '../../../ui/paging.tsx';
import { PartnerPicker } from '../../partner-picker.tsx';
import { useProgram } from '../../use-program.ts';
import { payoutColumns } from './payout-columns.tsx';
import { PayoutPanel } from './payout-panel.tsx';
import { usePayouts } from './payout-queries.ts';
import { MoneyHead } from './money-head.tsx';
import { PayoutSteps } from './payout-steps.tsx';
import { METHOD_OPTIONS, PAYOUT_OPTIONS } from '../labels.ts';

const route = getRouteApi('/shell/programs/$programId/payouts/history');

export function History() {
	const { programId, program } = useProgram();
	const { cursor, open, ...search } = route.useSearch();
	const navigate = route.useNavigate();
	const { partner, ...only } = search;
	const filter = { ...only, partner_id: partner };
	const query = usePayouts(programId, { ...filter, cursor, limit: usePageLimit() });
	const change = (changes: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, cursor: undefined, ...changes }) });
	const show = (id: number | undefined) => void navigate({ search: (before) => ({ ...before, open: id?.toString() }) });
	const columns = payoutColumns(program.time_zone);
	const chosen = useChosenColumns('payout', columns);
	const currencies = [
		...new Set([program.currency, ...(query.data?.data ?? []).map(({ currency }) => currency), ...(only.currency ? [only.currency] : [])]),
	];
	return (
		<Page
			title="Payouts"
			actions={<CsvButton ask={(options) => api.v1.programs[':id'].payouts.$get({ param: { id: programId }, query: filter }, options)} />}
		>
			<MoneyHead />
			<PayoutSteps at="history" />
			<div className="row">
				<Filter label="State" all="All states" options={PAYOUT_OPTIONS} value={search.status} onChange={(status) => change({ status })} />
				<PartnerPicker label="Partner" placeholder="All partners" id={partner} onChange={(id) => change({ partner: id })} />
				{currencies.length > 1 && (
					<Filter
						label="Currency"
						all="All currencies"
						options={currencies.map((value) => ({ value, label: value }))}
						value={search.currency}
						onChange={(currency) => change({ currency })}
					/>
				)}
				<Filter
					label="Payout method"
					all="All payout methods"
					options={METHOD_OPTIONS}
					value={search.method}
					onChange={(method) => change({ method })}
				/>
				<ListMenus list="payout" columns={columns} />
			</div>
			<Card isFlush>
				<Loaded query={query} lines={10}>
					{({ data }) => (
						<DataTable
							label="Payouts"
							columns={chosen}
							rows={data}
							isStale={query.isPlaceholderData}
							empty={
								Object.values(filter).some((value) => value !== undefined) ? (
									<Empty title="No payouts match">Remove a filter to see more.</Empty>
								) : (
									<Empty title="No payouts yet">Every payout is listed here, with its commissions and its state.</Empty>
								)
							}
							onOpen={({ id }) => show(id)}
						/>
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
			{open !== undefined && <PayoutPanel payoutId={open} onClose={() => show(undefined)} />}
		</Page>
	);
}
