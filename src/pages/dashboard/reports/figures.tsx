import '../../ui/figures.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ToggleButton } from 'react-aria-components';
import { day, share } from '../../format.ts';
import { DayChart } from '../../ui/day-chart.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Asked, type Report, reportQuery } from './report.ts';
import { SERIES, SERIES_NAMES, type SeriesName, writer } from './series.ts';

interface FiguresProps {
	readonly asked: Asked;
	readonly currency: string;
	readonly series: SeriesName;
	readonly isCompared: boolean;
	readonly onShow: (series: SeriesName) => void;
}

/** The sums of a report, of which one is chosen to be seen by day. */
export function Figures({ asked, currency, series, isCompared, onShow }: FiguresProps) {
	const report = useQuery({ ...reportQuery(asked), placeholderData: keepPreviousData });
	return (
		<section className="card flush figures" aria-label="Figures" aria-busy={report.isPlaceholderData}>
			<Loaded query={report} lines={10}>
				{(shown) => (
					<>
						<Tiles report={shown} currency={currency} series={series} onShow={onShow} />
						<Chart report={shown} currency={currency} series={series} isCompared={isCompared} />
					</>
				)}
			</Loaded>
		</section>
	);
}

interface TilesProps {
	readonly report: Report;
	readonly currency: string;
	readonly series: SeriesName;
	readonly onShow: (series: SeriesName) => void;
}

function Tiles({ report: { metrics }, currency, series, onShow }: TilesProps) {
	return (
		<div className="tiles" role="group" aria-label="What the chart shows">
			{SERIES_NAMES.map((name) => {
				const { label, total, trend, more } = SERIES[name];
				const value = total(metrics);
				const note = more?.(metrics, currency) ?? [];
				return (
					<ToggleButton key={name} className="react-aria-ToggleButton tile" isSelected={series === name} onChange={() => onShow(name)}>
						<span>{label}</span>
						<strong>{value === null ? '–' : writer(name, currency).exact(value)}</strong>
						{value === null ? <span>Not kept for this filter</span> : <TrendText trend={trend(metrics)} />}
						{note.map((line) => (
							<span key={line}>{line}</span>
						))}
					</ToggleButton>
				);
			})}
		</div>
	);
}

function TrendText({ trend }: { trend: { readonly trend: number; readonly trendDirection: string } | null }) {
	if (trend === null) return null;
	if (trend.trendDirection === 'stable') return <span>No change</span>;
	const isUp = trend.trendDirection === 'up';
	return (
		<span className={isUp ? 'good' : 'bad'}>
			<span aria-hidden="true">{isUp ? '▲' : '▼'}</span> <span className="visually-hidden">{isUp ? 'up' : 'down'}</span>
			{share(trend.trend / 100)}
		</span>
	);
}

function Chart({ report, currency, series, isCompared }: { report: Report; currency: string; series: SeriesName; isCompared: boolean }) {
	const { label, ofDay } = SERIES[series];
	const { exact, rough } = writer(series, currency);
	const before = isCompared ? report.previous?.data : undefined;
	const days = report.data.map((row, index) => {
		const earlier = before?.[index];
		return { date: row.date, value: ofDay(row) ?? 0, before: earlier && { date: earlier.date, value: ofDay(earlier) ?? 0 } };
	});
	return <DayChart title={`${label} by day`} days={days} write={exact} writeRoughly={rough} writeDay={day} />;
}
