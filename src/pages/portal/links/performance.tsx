import { today } from '@internationalized/date';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { trendOf } from '../../../domain/reporting/performance.ts';
import { count } from '../../format.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { DayChart } from '../../ui/day-chart.tsx';
import { Toggle } from '../../ui/fields.tsx';
import { Tiles } from '../../ui/figures.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { isAllTime } from '../../ui/range.ts';
import { RangePicker } from '../../ui/range-picker.tsx';
import { writer } from '../in-words.ts';
import { useMembership } from '../memberships.ts';
import { Amounts } from './amounts.tsx';
import { askPerformance, type Performance as Answer, performanceQuery } from '../queries.ts';
import { SERIES, SERIES_NAMES, type SeriesName } from './series.ts';

type Report = Answer['data'];

const route = getRouteApi('/shell/programs/$membershipId/performance');

export function Performance() {
	const { membershipId, program, zone } = useMembership();
	const { period = '30d', from, to, series = 'clicks', compare } = route.useSearch();
	const navigate = route.useNavigate();
	// There are no days before all time.
	const isCompared = compare !== 'off' && !isAllTime({ period, from, to });
	const request = { membershipId, zone, range: { period, from, to }, isCompared };
	const report = useQuery({ ...performanceQuery(request), placeholderData: keepPreviousData });
	const show = (change: object) => void navigate({ search: (old) => ({ ...old, ...change }), resetScroll: false });
	return (
		<Page
			title="Performance"
			actions={
				<>
					<RangePicker range={request.range} zone={zone} onChange={(range) => show({ from: undefined, to: undefined, ...range })} />
					<CsvButton ask={(options) => askPerformance(request, options)} />
				</>
			}
		>
			{!isAllTime(request.range) && (
				<Toggle isSelected={isCompared} onChange={(isOn) => show({ compare: isOn ? undefined : 'off' })}>
					Compare with the period before
				</Toggle>
			)}
			<section className="card flush figures" aria-label="Figures" aria-busy={report.isPlaceholderData}>
				<Loaded query={report} lines={10}>
					{({ data: shown }) => (
						<>
							<Tiles tiles={tilesOf(shown, program.currency, isCompared)} shown={series} onShow={(name) => show({ series: name })} />
							<Chart report={shown} currency={program.currency} series={series} today={today(zone).toString()} />
						</>
					)}
				</Loaded>
			</section>
			<Card title="By link" isFlush>
				<Loaded query={report} lines={4}>
					{({ data: { links } }) => <ByLink links={links} isStale={report.isPlaceholderData} />}
				</Loaded>
			</Card>
		</Page>
	);
}

function tilesOf({ totals, previous_totals: before }: Report, currency: string, isCompared: boolean) {
	return SERIES_NAMES.map((name) => {
		const series = SERIES[name];
		const { label, of, more, others } = series;
		const { exact, short } = writer(series, currency);
		const [value, earlier] = [of(totals), before ? of(before) : 0];
		return {
			name,
			label,
			value: { short: short(value), exact: exact(value) },
			trend: isCompared && before ? { ...trendOf(value, earlier), isNew: value > 0 && earlier === 0 } : null,
			notes: more?.(totals, currency) ?? [],
			others: others?.(totals) ?? [],
		};
	});
}

interface ChartProps {
	readonly report: Report;
	readonly currency: string;
	readonly series: SeriesName;
	readonly today: string;
}

function Chart({ report, currency, series, today: shownToday }: ChartProps) {
	const { label, of } = SERIES[series];
	const { exact, rough } = writer(SERIES[series], currency);
	const days = report.days.map((row, index) => {
		const before = report.previous_days?.[index];
		return { date: row.date, value: of(row), before: before && { date: before.date, value: of(before) } };
	});
	return <DayChart title={`${label} by day`} days={days} write={exact} writeRoughly={rough} today={shownToday} />;
}

type Row = Report['links'][number] & { readonly id: number };

function ByLink({ links, isStale }: { links: Report['links']; isStale: boolean }) {
	const { membershipId } = useMembership();
	const rows = links
		.map((row): Row => ({ ...row, id: row.link.id }))
		.toSorted((a, b) => b.commission_cents - a.commission_cents || b.clicks - a.clicks);
	const columns: readonly ColumnOf<Row>[] = [
		{ id: 'link', label: 'Link', cell: ({ link }) => <span className="cut short code">{link.short_link}</span> },
		{ id: 'clicks', label: 'Clicks', isNumber: true, cell: ({ clicks }) => count(clicks) },
		{ id: 'signups', label: 'Sign-ups', isNumber: true, cell: ({ leads }) => count(leads) },
		{ id: 'sales', label: 'Sales', isNumber: true, cell: ({ sales }) => count(sales) },
		{ id: 'revenue', label: 'Revenue', isNumber: true, cell: (row) => <Amounts figures={row} of="net_revenue_cents" /> },
		{ id: 'earned', label: 'You earned', isNumber: true, cell: (row) => <Amounts figures={row} of="net_commission_cents" /> },
	];
	return (
		<DataTable
			label="By link"
			columns={columns}
			rows={rows}
			isStale={isStale}
			empty={
				<Empty title="Nothing in this period">
					<span>Clicks on your links and their results appear here.</span>
					<Link className="button" to="/programs/$membershipId/links" params={{ membershipId }} search={{}}>
						See your links
					</Link>
				</Empty>
			}
		/>
	);
}
