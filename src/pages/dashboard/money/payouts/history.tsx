import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../../api.ts';
import { CsvButton } from '../../../ui/csv-button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Filter } from '../../../ui/fields.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
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
	const query = usePayouts(programId, { ...filter, cursor });
	const change = (changes: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, cursor: undefined, ...changes }) });
	const show = (id: number | undefined) => void navigate({ search: (before) => ({ ...before, open: id?.toString() }) });
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
					label="Paid by"
					all="Paid by any way"
					options={METHOD_OPTIONS}
					value={search.method}
					onChange={(method) => change({ method })}
				/>
			</div>
			<Card isFlush>
				<Loaded query={query} lines={10}>
					{({ data }) => (
						<DataTable
							label="Payouts"
							columns={payoutColumns(program.time_zone)}
							rows={data}
							isStale={query.isPlaceholderData}
							empty={
								Object.values(filter).some((value) => value !== undefined) ? (
									<Empty title="No payouts match">Take a filter away to see more.</Empty>
								) : (
									<Empty title="No payouts yet">Every payout stands here, with what it paid and what became of it.</Empty>
								)
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
