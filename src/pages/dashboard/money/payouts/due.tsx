import { startOfMonth, today } from '@internationalized/date';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { money } from '../../../format.ts';
import { Filter, Search } from '../../../ui/fields.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { usePageLimit } from '../../../ui/page-size.ts';
import { groupsQuery } from '../../partners/queries.ts';
import { useProgram } from '../../use-program.ts';
import { type DueFilter, useDue } from './due-queries.ts';
import { DueTable } from './due-table.tsx';
import { LeftOut } from './left-out.tsx';
import { LastRun } from './pay-run.tsx';
import { MoneyHead } from './money-head.tsx';
import { PayoutSteps } from './payout-steps.tsx';
import { METHOD_OPTIONS } from '../labels.ts';

const route = getRouteApi('/shell/programs/$programId/payouts');

export function Due() {
	const { programId, program } = useProgram();
	const search = route.useSearch();
	const filter: DueFilter = {
		before: search.earned && startOfMonth(today(program.time_zone)).toString(),
		minimum_cents: search.minimum && '0',
		search: search.search,
		group_id: search.group,
		method: search.method,
		status: search.status,
	};
	const query = useDue(programId, { ...filter, cursor: search.cursor, limit: usePageLimit() });
	return (
		<Page title="Payouts">
			<MoneyHead />
			<PayoutSteps at="due" />
			<LastRun />
			<Filters />
			<Loaded query={query} lines={10}>
				{(page) => <DueTable key={JSON.stringify(filter)} page={page} filter={filter} isStale={query.isPlaceholderData} />}
			</Loaded>
			<LeftOut key={JSON.stringify(filter)} filter={filter} />
		</Page>
	);
}

const STATUS_OPTIONS = [
	{ value: 'suspended', label: 'Suspended partners' },
	{ value: 'ended', label: 'Former partners' },
] as const;

function Filters() {
	const { programId, program } = useProgram();
	const search = route.useSearch();
	const navigate = route.useNavigate();
	const { data: groups = [] } = useQuery(groupsQuery(programId));
	const change = (changes: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, cursor: undefined, ...changes }) });
	return (
		<div className="row">
			<Search label="Name or email address" value={search.search} onSearch={(text) => change({ search: text })} />
			<Filter
				label="Earned"
				all="Earned at any time"
				options={[{ value: 'before-this-month', label: 'Earned before this month' }]}
				value={search.earned}
				onChange={(earned) => change({ earned })}
			/>
			<Filter
				label="Minimum"
				all={program.payout_minimum_cents > 0 ? `At least ${money(program.payout_minimum_cents, program.currency)}` : 'No minimum'}
				options={[{ value: 'none', label: 'Any amount' }]}
				value={search.minimum}
				onChange={(minimum) => change({ minimum })}
			/>
			<Filter
				label="Payout method"
				all="All payout methods"
				options={METHOD_OPTIONS}
				value={search.method}
				onChange={(method) => change({ method })}
			/>
			<Filter
				label="Partners"
				all="Active partners"
				options={STATUS_OPTIONS}
				value={search.status}
				onChange={(status) => change({ status })}
			/>
			{groups.length > 0 && (
				<Filter
					label="Group"
					all="All groups"
					options={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
					value={search.group}
					onChange={(group) => change({ group })}
				/>
			)}
		</div>
	);
}
