import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ADVICE } from '../../../domain/commissions/explanation-of-id.ts';
import { answerOf, api } from '../../api.ts';
import { count, moment, money, plural } from '../../format.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { SidePanel } from '../../ui/dialogs.tsx';
import { Filter, Search } from '../../ui/fields.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { usePageLimit } from '../../ui/page-size.ts';
import { Paging } from '../../ui/paging.tsx';
import { Badge, Facts } from '../../ui/small.tsx';
import { useProgram } from '../use-program.ts';
import { ExplainTabs } from './explain-tabs.tsx';

const route = getRouteApi('/shell/programs/$programId/explain/refusals');

const OPERATIONS = [
	{ value: 'lead', label: 'Leads' },
	{ value: 'sale', label: 'Sales' },
	{ value: 'refund', label: 'Refunds' },
] as const;

const ROUTINE = [
	{ value: 'false', label: 'Needs attention' },
	{ value: 'true', label: 'Routine' },
] as const;

const SENDERS = { backend: 'Your backend', page: 'A page', webhook: 'Your webhook' } as const;

type Options = { headers: { Accept: string } } | { init: { signal: AbortSignal } };

function useRefusals() {
	const { programId } = useProgram();
	const { cursor, operation, routine, transaction_id } = route.useSearch();
	const ask = (options: Options, page?: { cursor: string | undefined; limit: string | undefined; total: 'true' }) =>
		api.v1.programs[':id'].refusals.$get(
			{
				param: { id: programId },
				query: {
					operation: OPERATIONS.find(({ value }) => value === operation)?.value,
					routine: ROUTINE.find(({ value }) => value === routine)?.value,
					transaction_id,
					...page,
				},
			},
			options,
		);
	const limit = usePageLimit();
	const query = useQuery({
		queryKey: ['refusals', programId, operation, routine, transaction_id, cursor, limit],
		queryFn: async ({ signal }) => answerOf(ask({ init: { signal } }, { cursor, limit, total: 'true' })),
		placeholderData: keepPreviousData,
	});
	return { ask, query };
}

type Refusal = NonNullable<ReturnType<typeof useRefusals>['query']['data']>['data'][number];

/** The service keeps refusals for 30 days. */
export function Refusals() {
	const { cursor, operation, routine, transaction_id, open } = route.useSearch();
	const navigate = route.useNavigate();
	const { program } = useProgram();
	const { ask, query } = useRefusals();
	const choose = (selected: { operation?: string; routine?: string; transaction_id?: string }) =>
		void navigate({ search: (before) => ({ ...before, cursor: undefined, open: undefined, ...selected }) });
	const isFiltered = (operation ?? routine ?? transaction_id) !== undefined;
	return (
		<Page title="Refused calls" actions={<CsvButton ask={ask} />}>
			<ExplainTabs />
			<p className="quiet">Leads, sales and refunds that the service refused, with the answers it sent. They are kept for 30 days.</p>
			<div className="filters">
				<Filter
					label="Operation"
					all="All operations"
					options={OPERATIONS}
					value={OPERATIONS.find(({ value }) => value === operation)?.value}
					onChange={(value) => choose({ operation: value })}
				/>
				<Filter
					label="Kind"
					all="All kinds"
					options={ROUTINE}
					value={ROUTINE.find(({ value }) => value === routine)?.value}
					onChange={(value) => choose({ routine: value })}
				/>
				<Search label="Transaction id" value={transaction_id} onSearch={(text) => choose({ transaction_id: text })} />
			</div>
			<Loaded query={query} lines={10}>
				{({ data, meta }) => (
					<>
						<Card isFlush>
							<DataTable
								label="Refused calls"
								columns={columnsIn(program.time_zone)}
								rows={data}
								isStale={query.isPlaceholderData}
								empty={<NothingRefused isFiltered={isFiltered} />}
								onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, open: String(id) }) })}
							/>
						</Card>
						<Paging
							isSizable
							cursor={cursor}
							meta={meta}
							shown={data.length}
							onChange={(next) => void navigate({ search: (before) => ({ ...before, cursor: next }) })}
						/>
						<Opened
							refusal={data.find(({ id }) => String(id) === open)}
							onClose={() => void navigate({ search: (before) => ({ ...before, open: undefined }) })}
						/>
					</>
				)}
			</Loaded>
		</Page>
	);
}

function NothingRefused({ isFiltered }: { isFiltered: boolean }) {
	if (isFiltered) return <Empty title="No refused calls match the filters" />;
	return (
		<Empty title="No refused calls in the last 30 days">
			<span>If the service refuses a lead, sale or refund, it appears here with the answer that was sent.</span>
		</Empty>
	);
}

function columnsIn(timeZone: string): ColumnOf<Refusal>[] {
	return [
		{
			id: 'last_at',
			onPhone: 'under-end',
			label: 'When',
			cell: ({ last_at }) => <span className="nowrap">{moment(last_at, timeZone)}</span>,
		},
		{
			id: 'operation',
			onPhone: 'lead',
			label: 'Call',
			cell: ({ operation, source }) => `${operation}${source === 'backend' ? '' : `, from ${SENDERS[source].toLowerCase()}`}`,
		},
		{ id: 'answer', onPhone: 'under', label: 'Answer', cell: (refusal) => <AnswerTo refusal={refusal} /> },
		{ id: 'of', label: 'Id', cell: (refusal) => <span className="cut">{idOf(refusal)?.value ?? '–'}</span> },
		{ id: 'count', onPhone: 'end', label: 'Count', isNumber: true, cell: ({ count: times }) => count(times) },
	];
}

function AnswerTo({ refusal }: { refusal: Refusal }) {
	return (
		<span className="row">
			<Badge tone={refusal.routine ? undefined : 'bad'}>{refusal.status}</Badge>
			<span className="cut">{refusal.message}</span>
		</span>
	);
}

/** The id that the explanation looks up. */
function idOf({ transaction_id, customer_key, click_id }: Refusal) {
	if (transaction_id !== null) return { kind: 'transaction_id', value: transaction_id };
	if (customer_key !== null) return { kind: 'customer_key', value: customer_key };
	return click_id === null ? undefined : { kind: 'click_id', value: click_id };
}

function Opened({ refusal, onClose }: { refusal: Refusal | undefined; onClose: () => void }) {
	const { program, programId } = useProgram();
	if (!refusal) return null;
	const { operation, amount_cents, currency, first_at, last_at, count: times } = refusal;
	const id = idOf(refusal);
	const advice = Object.entries(ADVICE).find(([code]) => code === refusal.code)?.[1];
	return (
		<SidePanel title={`A ${operation} was refused`} onClose={onClose}>
			<p className={`note ${refusal.routine ? '' : 'bad'}`}>{refusal.message}</p>
			{advice && <p>{advice}.</p>}
			<Facts
				facts={[
					['Answered', `${refusal.status}, ${refusal.code}`],
					['Sent by', SENDERS[refusal.source]],
					['Transaction id', idText(refusal.transaction_id)],
					['Customer key', idText(refusal.customer_key)],
					['Click id', idText(refusal.click_id)],
					['Amount', amount_cents !== null && money(amount_cents, currency ?? program.currency)],
					['First', moment(first_at, program.time_zone)],
					['Last', times > 1 && `${moment(last_at, program.time_zone)}, ${plural(times, 'time')} in total`],
					['Routine', refusal.routine && 'Refusals like this are common. Usually nothing is wrong'],
				]}
			/>
			{id && (
				<Link className="button" to="/programs/$programId/explain" params={{ programId }} search={{ [id.kind]: id.value }}>
					Explain
				</Link>
			)}
		</SidePanel>
	);
}

function idText(id: string | null) {
	return id && <code>{id}</code>;
}
