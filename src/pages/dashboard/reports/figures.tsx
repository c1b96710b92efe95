import { today } from '@internationalized/date';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ChartDay } from '../../ui/chart-places.ts';
import { DayChart } from '../../ui/day-chart.tsx';
import { Tiles } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type DayNote, dayNotesQuery, noteText } from './day-notes.ts';
import { type ReportRequest, type Report, reportQuery } from './report.ts';
import { SERIES, SERIES_NAMES, type SeriesName, writer } from './series.ts';

interface FiguresProps {
	readonly request: ReportRequest;
	readonly currency: string;
	readonly series: SeriesName;
	readonly isCompared: boolean;
	readonly onShow: (series: SeriesName) => void;
}

/** The chart shows the selected figure by day. */
export function Figures({ request, currency, series, isCompared, onShow }: FiguresProps) {
	const report = useQuery({ ...reportQuery(request), placeholderData: keepPreviousData });
	// The chart does not wait for the notes.
	const notes = useQuery({ ...dayNotesQuery(request), placeholderData: keepPreviousData });
	return (
		<section className="card flush figures" aria-label="Figures" aria-busy={report.isPlaceholderData}>
			<Loaded query={report} lines={10}>
				{(shown) => (
					<>
						<Tiles tiles={tilesOf(shown, currency, isCompared)} shown={series} onShow={onShow} />
						<Chart
							days={daysOf(shown, { series, isCompared, notes: notes.data })}
							today={today(request.zone).toString()}
							currency={currency}
							series={series}
						/>
					</>
				)}
			</Loaded>
		</section>
	);
}

function tilesOf({ metrics, previous }: Report, currency: string, isCompared: boolean) {
	return SERIES_NAMES.map((name) => {
		const { label, total, trend, more, others } = SERIES[name];
		const value = total(metrics);
		if (value === null) return { name, label, value: { short: '–', exact: '–' }, trend: null, notes: ['Not available with this filter'] };
		const { exact, short } = writer(name, currency);
		const change = isCompared ? trend(metrics) : null;
		return {
			name,
			label,
			value: { short: short(value), exact: exact(value) },
			trend: change && { ...change, isNew: value > 0 && previous !== null && total(previous.metrics) === 0 },
			notes: more?.(metrics, currency) ?? [],
			others: others?.(metrics, currency) ?? [],
		};
	});
}

interface Charted {
	readonly series: SeriesName;
	readonly isCompared: boolean;
	readonly notes: readonly DayNote[] | undefined;
}

function daysOf(report: Report, { series, isCompared, notes = [] }: Charted): ChartDay[] {
	const { ofDay } = SERIES[series];
	const before = isCompared ? report.previous?.data : undefined;
	const noted = Map.groupBy(notes, ({ date }) => date);
	return report.data.map((row, index) => {
		const earlier = before?.[index];
		return {
			date: row.date,
			value: ofDay(row) ?? 0,
			before: earlier && { date: earlier.date, value: ofDay(earlier) ?? 0 },
			notes: noted.get(row.date)?.map(noteText),
		};
	});
}

interface ChartProps {
	readonly days: readonly ChartDay[];
	readonly today: string;
	readonly currency: string;
	readonly series: SeriesName;
}

function Chart({ days, today: shownToday, currency, series }: ChartProps) {
	const { exact, rough } = writer(series, currency);
	return <DayChart title={`${SERIES[series].label} by day`} days={days} write={exact} writeRoughly={rough} today={shownToday} />;
}
