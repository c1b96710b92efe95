import './overview.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button, ToggleButton } from 'react-aria-components';
import { DIMENSIONS } from '../../../domain/breakdown.ts';
import { country, day, share } from '../../format.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { DayChart } from '../../ui/day-chart.tsx';
import { Toggle } from '../../ui/fields.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { RangePicker } from '../../ui/range-picker.tsx';
import { useProgram } from '../use-program.ts';
import { Breakdowns } from './breakdowns.tsx';
import { type Asked, askReport, FILTER_FIELDS, type Report, type ReportFilter, reportQuery } from './report.ts';
import { SERIES, SERIES_NAMES, type SeriesName, writer } from './series.ts';

const route = getRouteApi('/shell/programs/$programId/');

/** What a program did in a range of days: every figure is the performance report's. */
export function Overview() {
	const { programId, program } = useProgram();
	const { period = '30d', from, to, series = 'revenue', compare, ...filter } = route.useSearch();
	const navigate = route.useNavigate();
	const asked: Asked = { programId, zone: program.time_zone, range: { period, from, to }, filter: givenOf(filter) };
	const report = useQuery({ ...reportQuery(asked), placeholderData: keepPreviousData });
	const show = (change: Partial<typeof filter> | object) => void navigate({ search: (old) => ({ ...old, ...change }), resetScroll: false });
	const isFiltered = Object.keys(asked.filter).length > 0;
	useEscape(isFiltered, () => show(NO_FILTER));
	return (
		<Page
			title="Overview"
			actions={
				<>
					<RangePicker range={asked.range} zone={asked.zone} onChange={(range) => show({ from: undefined, to: undefined, ...range })} />
					<CsvButton ask={(options) => askReport(asked, options)} />
				</>
			}
		>
			<div className="bar">
				<Toggle isSelected={compare !== 'off'} onChange={(isOn) => show({ compare: isOn ? undefined : 'off' })}>
					Compare with the period before
				</Toggle>
				{isFiltered && report.data?.meta.filter && <FilterChip filter={report.data.meta.filter} onClear={() => show(NO_FILTER)} />}
			</div>
			<section className="card flush overview" aria-label="Figures" aria-busy={report.isPlaceholderData}>
				<Loaded query={report} lines={10}>
					{(shown) => (
						<>
							<Tiles report={shown} currency={program.currency} series={series} onShow={(name) => show({ series: name })} />
							<Chart report={shown} currency={program.currency} series={series} isCompared={compare !== 'off'} />
						</>
					)}
				</Loaded>
			</section>
			<Breakdowns asked={asked} currency={program.currency} onFilter={(chosen) => show({ ...NO_FILTER, ...chosen })} />
		</Page>
	);
}

const NO_FILTER = Object.fromEntries(DIMENSIONS.map((by) => [FILTER_FIELDS[by], undefined]));

/** Only what is there: the same question has one key. */
function givenOf(filter: ReportFilter): ReportFilter {
	return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

interface ChipProps {
	readonly filter: { readonly by: string; readonly value: string | number | null; readonly label: string | null };
	readonly onClear: () => void;
}

function FilterChip({ filter, onClear }: ChipProps) {
	const name = filter.by === 'country' ? country(String(filter.value)) : (filter.label ?? String(filter.value));
	return (
		<span className="badge accent chip">
			<span className="cut">
				{filter.by}: {name}
			</span>
			<Button className="react-aria-Button link" aria-label={`Clear the filter by ${filter.by} (Escape)`} onPress={onClear}>
				✕
			</Button>
		</span>
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
				const note = more?.(metrics, currency);
				return (
					<ToggleButton key={name} className="react-aria-ToggleButton tile" isSelected={series === name} onChange={() => onShow(name)}>
						<span>{label}</span>
						<strong>{value === null ? '–' : writer(name, currency).exact(value)}</strong>
						{value === null ? <span>Not kept for this filter</span> : <TrendText trend={trend(metrics)} />}
						{note && <span>{note}</span>}
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

function useEscape(isOn: boolean, act: () => void): void {
	useEffect(() => {
		if (!isOn) return undefined;
		const press = (event: KeyboardEvent) => event.key === 'Escape' && !event.defaultPrevented && act();
		document.addEventListener('keydown', press);
		return () => document.removeEventListener('keydown', press);
	}, [isOn, act]);
}
