import './overview.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { Button } from 'react-aria-components';
import { DIMENSIONS } from '../../../domain/reporting/breakdown.ts';
import { country } from '../../format.ts';
import { lazyPage } from '../../layout/lazy-page.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { ComparePicker } from '../../ui/compare-picker.tsx';
import { Skeleton } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { isAllTime } from '../../ui/range.ts';
import { RangePicker } from '../../ui/range-picker.tsx';
import { useProgram } from '../use-program.ts';
import { Breakdowns } from './breakdowns.tsx';
import { Figures } from './figures.tsx';
import { type ReportRequest, askReport, FILTER_FIELDS, reportQuery } from './report.ts';

const route = getRouteApi('/shell/programs/$programId/');

const Setup = lazyPage(() => import('../start/setup.tsx'), 'Setup');

/** Until the first real sale, the overview is the set-up. An address with a period or a filter shows the figures nevertheless. */
export function Overview() {
	const { programId, program } = useProgram();
	const isAsked = Object.values(route.useSearch()).some((value) => value !== undefined);
	if (program.has_sales || program.archived_at !== null || isAsked) return <Report />;
	return (
		<Suspense fallback={<Skeleton lines={12} />}>
			<Setup
				actions={
					<Link className="button" to="/programs/$programId" params={{ programId }} search={{ period: '30d' }}>
						Show the figures
					</Link>
				}
			/>
		</Suspense>
	);
}

function Report() {
	const { programId, program } = useProgram();
	const { period = '30d', from, to, series = 'revenue', compare, compare_from, match_weekdays, ...filter } = route.useSearch();
	const navigate = route.useNavigate();
	const request: ReportRequest = { programId, zone: program.time_zone, range: { period, from, to }, filter: givenOf(filter) };
	// There are no days before all time.
	const isCompared = compare !== 'off' && !isAllTime(request.range);
	const compared: ReportRequest = { ...request, compare: givenOf({ compare, compare_from, match_weekdays }) };
	const report = useQuery({ ...reportQuery(compared), placeholderData: keepPreviousData });
	const show = (change: Partial<typeof filter> | object) => void navigate({ search: (old) => ({ ...old, ...change }), resetScroll: false });
	const isFiltered = Object.keys(request.filter).length > 0;
	useEscape(isFiltered, () => show(NO_FILTER));
	return (
		<Page
			title="Overview"
			actions={
				<>
					<RangePicker range={request.range} zone={request.zone} onChange={(range) => show({ from: undefined, to: undefined, ...range })} />
					{!isAllTime(request.range) && (
						<ComparePicker
							value={{ compare, compare_from, match_weekdays }}
							firstDay={report.data?.previous?.data[0]?.date}
							onChange={show}
						/>
					)}
					<CsvButton ask={(options) => askReport(compared, options)} />
				</>
			}
		>
			{isFiltered && report.data?.meta.filter && (
				<div className="bar">
					<FilterChip filter={report.data.meta.filter} onClear={() => show(NO_FILTER)} />
				</div>
			)}
			<Figures
				request={compared}
				currency={program.currency}
				series={series}
				isCompared={isCompared}
				onShow={(name) => show({ series: name })}
			/>
			<Breakdowns request={request} currency={program.currency} onFilter={(selected) => show({ ...NO_FILTER, ...selected })} />
		</Page>
	);
}

const NO_FILTER = Object.fromEntries(DIMENSIONS.map((by) => [FILTER_FIELDS[by], undefined]));

/** Drops empty parameters, so that equal queries share one key. */
function givenOf<Fields extends object>(fields: Fields): Partial<Fields>;
function givenOf(fields: object): object {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
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

function useEscape(isOn: boolean, act: () => void): void {
	useEffect(() => {
		if (!isOn) return undefined;
		const press = (event: KeyboardEvent) => event.key === 'Escape' && !event.defaultPrevented && act();
		document.addEventListener('keydown', press);
		return () => document.removeEventListener('keydown', press);
	}, [isOn, act]);
}
