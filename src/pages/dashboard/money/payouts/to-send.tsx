import { getRouteApi, Link } from '@tanstack/react-router';
import { ClearSelection } from '../../../ui/clear-selection.tsx';
import { plural } from '../../../format.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { Filter } from '../../../ui/fields.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { useSelection } from '../../use-selection.ts';
import { useProgram } from '../../use-program.ts';
import { BatchFiles } from './batch-files.tsx';
import { MarkSent } from './mark.tsx';
import { payoutColumns } from './payout-columns.tsx';
import { PayoutPanel } from './payout-panel.tsx';
import { PAGE, type Payout, useMade, usePayouts } from './payout-queries.ts';
import { MoneyHead } from './money-head.tsx';
import { PayoutSteps } from './payout-steps.tsx';
import { worthOf } from '../labels.ts';

const route = getRouteApi('/shell/programs/$programId/payouts/to-send');

export function ToSend() {
	const { programId, program, can } = useProgram();
	const { currency, cursor, open } = route.useSearch();
	const navigate = route.useNavigate();
	const query = usePayouts(programId, { status: 'made', currency, cursor, limit: PAGE });
	const made = useMade(programId).data?.data ?? [];
	const currencies = [...new Set([...made.map((payout) => payout.currency), ...(currency ? [currency] : [])])].toSorted();
	const show = (id: number | undefined) => void navigate({ search: (before) => ({ ...before, open: id?.toString() }) });
	return (
		<Page title="Payouts">
			<MoneyHead />
			<PayoutSteps at="to-send" />
			{currencies.length > 1 && (
				<div className="row">
					<Filter
						label="Currency"
						all="All currencies"
						options={currencies.map((value) => ({ value, label: value }))}
						value={currency}
						onChange={(value) => void navigate({ search: { currency: value } })}
					/>
				</div>
			)}
			{can('admin') && currencies.length > 0 && <p className="quiet">Download a file, pay with it, and then mark its payouts as sent.</p>}
			{can('admin') && (currency ? [currency] : currencies).map((code) => <BatchFiles key={code} currency={code} />)}
			<Loaded query={query} lines={8}>
				{({ data }) =>
					data.length === 0 ? (
						<Nothing />
					) : (
						<Made shown={{ currency, cursor }} rows={data} isStale={query.isPlaceholderData} zone={program.time_zone} onOpen={show} />
					)
				}
			</Loaded>
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

interface MadeProps {
	/** The selection is only valid for these rows. */
	readonly shown: object;
	readonly rows: readonly Payout[];
	readonly isStale: boolean;
	readonly zone: string;
	readonly onOpen: (id: number) => void;
}

/** The payouts to send, marked one by one or together. */
function Made({ shown, rows, isStale, zone, onOpen }: MadeProps) {
	const { can } = useProgram();
	const { keys, rows: selected, onChange, clear } = useSelection(shown, rows);
	return (
		<Card isFlush>
			{can('admin') && (
				<div className="bar selection">
					<span role="status">
						{selected.length === 0 ? (
							<span className="quiet">Paid some of them in another way? Select them to mark them as sent.</span>
						) : (
							<span className="row">
								<strong>
									{plural(selected.length, 'payout')}, {worthOf(selected)}
								</strong>
								<ClearSelection onPress={clear} />
							</span>
						)}
					</span>
					{selected.length > 0 && <MarkSent payouts={selected} onDone={clear} />}
				</div>
			)}
			<DataTable
				label="Payouts to send"
				columns={payoutColumns(zone).filter(({ id }) => id !== 'sent' && id !== 'reference')}
				rows={rows}
				isStale={isStale}
				empty={null}
				onOpen={({ id }) => onOpen(id)}
				selection={can('admin') ? { keys, onChange } : undefined}
			/>
		</Card>
	);
}

function Nothing() {
	const { programId } = useProgram();
	return (
		<Card>
			<Empty title="No payouts to send">
				<span>New payouts are listed here until you mark them as sent.</span>
				<Link to="/programs/$programId/payouts" params={{ programId }} search={{}}>
					See what is due
				</Link>
			</Empty>
		</Card>
	);
}
