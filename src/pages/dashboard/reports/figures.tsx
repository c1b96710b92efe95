import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { DayChart } from '../../ui/day-chart.tsx';
import { Tiles } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type ReportRequest, type Report, reportQuery } from './report.ts';
import { SERIES, SERIES_NAMES, type SeriesName, writer } from './series.ts';

interface FiguresProps {
	readonly request: ReportRequest;
	readonly currency: string;
	readonly series: SeriesName;
	readonly isCompared: boolean;
	readonly onShow: (series: SeriesName) => void;
}

/** The totals of a report. The selected one is charted by day. */
export function Figures({ request, currency, series, isCompared, onShow }: FiguresProps) {
	const report = useQuery({ ...reportQuery(request), placeholderData: keepPreviousData });
	return (
		<section className="card flush figures" aria-label="Figures" aria-busy={report.isPlaceholderData}>
			<Loaded query={report} lines={10}>
				{(shown) => (
					<>
						<Tiles tiles={tilesOf(shown, currency, isCompared)} shown={series} onShow={onShow} />
						<Chart report={shown} currency={currency} series={series} isCompared={isCompared} />
					</>
				)}
			</Loaded>
		</section>
	);
}

function tilesOf({ metrics }: Report, currency: string, isCompared: boolean) {
	return SERIES_NAMES.map((name) => {
		const { label, total, trend, more } = SERIES[name];
		const value = total(metrics);
		if (value === null) return { name, label, value: '–', trend: null, notes: ['Not kept for this filter'] };
		return {
			name,
			label,
			value: writer(name, currency).exact(value),
			trend: isCompared ? trend(metrics) : null,
			notes: more?.(metrics, currency) ?? [],
		};
	});
}

function Chart({ report, currency, series, isCompared }: { report: Report; currency: string; series: SeriesName; isCompared: boolean }) {
	const { label, ofDay } = SERIES[series];
	const { exact, rough } = writer(series, currency);
	const before = isCompared ? report.previous?.data : undefined;
	const days = report.data.map((row, index) => {
		const earlier = before?.[index];
		return { date: row.date, value: ofDay(row) ?? 0, before: earlier && { date: earlier.date, value: ofDay(earlier) ?? 0 } };
	});
	return <DayChart title={`${label} by day`} days={days} write={exact} writeRoughly={rough} />;
}
