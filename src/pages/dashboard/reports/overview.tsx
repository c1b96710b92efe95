import './overview.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from 'react-aria-components';
import { DIMENSIONS } from '../../../domain/reporting/breakdown.ts';
import { country } from '../../format.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { Toggle } from '../../ui/fields.tsx';
import { Page } from '../../ui/page.tsx';
import { RangePicker } from '../../ui/range-picker.tsx';
import { useProgram } from '../use-program.ts';
import { Breakdowns } from './breakdowns.tsx';
import { Figures } from './figures.tsx';
import { type ReportRequest, askReport, FILTER_FIELDS, type ReportFilter, reportQuery } from './report.ts';

const route = getRouteApi('/shell/programs/$programId/');

export function Overview() {
	const { programId, program } = useProgram();
	const { period = '30d', from, to, series = 'revenue', compare, ...filter } = route.useSearch();
	const navigate = route.useNavigate();
	const request: ReportRequest = { programId, zone: program.time_zone, range: { period, from, to }, filter: givenOf(filter) };
	const report = useQuery({ ...reportQuery(request), placeholderData: keepPreviousData });
	const show = (change: Partial<typeof filter> | object) => void navigate({ search: (old) => ({ ...old, ...change }), resetScroll: false });
	const isFiltered = Object.keys(request.filter).length > 0;
	useEscape(isFiltered, () => show(NO_FILTER));
	return (
		<Page
			title="Overview"
			actions={
				<>
					<RangePicker range={request.range} zone={request.zone} onChange={(range) => show({ from: undefined, to: undefined, ...range })} />
					<CsvButton ask={(options) => askReport(request, options)} />
				</>
			}
		>
			<div className="bar">
				<Toggle isSelected={compare !== 'off'} onChange={(isOn) => show({ compare: isOn ? undefined : 'off' })}>
					Compare with the period before
				</Toggle>
				{isFiltered && report.data?.meta.filter && <FilterChip filter={report.data.meta.filter} onClear={() => show(NO_FILTER)} />}
			</div>
			<Figures
				request={request}
				currency={program.currency}
				series={series}
				isCompared={compare !== 'off'}
				onShow={(name) => show({ series: name })}
			/>
			<Breakdowns request={request} currency={program.currency} onFilter={(selected) => show({ ...NO_FILTER, ...selected })} />
		</Page>
	);
}

const NO_FILTER = Object.fromEntries(DIMENSIONS.map((by) => [FILTER_FIELDS[by], undefined]));

/** Drops empty filters, so that equal queries share one key. */
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

function useEscape(isOn: boolean, act: () => void): void {
	useEffect(() => {
		if (!isOn) return undefined;
		const press = (event: KeyboardEvent) => event.key === 'Escape' && !event.defaultPrevented && act();
		document.addEventListener('keydown', press);
		return () => document.removeEventListener('keydown', press);
	}, [isOn, act]);
}
