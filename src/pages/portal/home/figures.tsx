import { today } from '@internationalized/date';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DayChart } from '../../ui/day-chart.tsx';
import { Tiles } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { isAllTime } from '../../ui/range.ts';
import { RangePicker } from '../../ui/range-picker.tsx';
import { writer } from '../in-words.ts';
import { useMembership } from '../memberships.ts';
import { type Performance, performanceQuery } from '../queries.ts';

const route = getRouteApi('/shell/programs/$membershipId/');

type DayFigures = Pick<Performance['data']['totals'], 'clicks' | 'sales' | 'net_commission_cents'>;

const SERIES = [
	{ name: 'earned', label: 'Earned', isMoney: true, of: (figures: DayFigures) => figures.net_commission_cents },
	{ name: 'clicks', label: 'Clicks', isMoney: false, of: (figures: DayFigures) => figures.clicks },
	{ name: 'sales', label: 'Sales', isMoney: false, of: (figures: DayFigures) => figures.sales },
] as const;

export function Figures() {
	const { membershipId, zone, program } = useMembership();
	const { period = '30d', from, to } = route.useSearch();
	const navigate = route.useNavigate();
	const [shown, setShown] = useState<(typeof SERIES)[number]['name']>('earned');
	const range = { period, from, to };
	const query = useQuery({ ...performanceQuery({ membershipId, range, zone }), placeholderData: keepPreviousData });
	const series = SERIES.find(({ name }) => name === shown) ?? SERIES[0];
	const { currency } = program;
	const { exact, rough } = writer(series, currency);
	return (
		<>
			<div className="bar">
				<h2>Performance</h2>
				<RangePicker
					range={range}
					zone={zone}
					onChange={(selected) => void navigate({ search: { from: undefined, to: undefined, ...selected }, resetScroll: false })}
				/>
			</div>
			<section className="card flush figures" aria-label="Performance" aria-busy={query.isPlaceholderData}>
				<Loaded query={query} lines={8}>
					{({ data }) => (
						<>
							<Tiles
								shown={series.name}
								onShow={setShown}
								tiles={SERIES.map((tile) => {
									const { name, label, of } = tile;
									const written = writer(tile, currency);
									const notes = data.previous_totals && !isAllTime(range) ? [`Before: ${written.short(of(data.previous_totals))}`] : [];
									const value = { short: written.short(of(data.totals)), exact: written.exact(of(data.totals)) };
									return { name, label, value, trend: null, notes };
								})}
							/>
							<DayChart
								title={`${series.label} by day`}
								days={data.days.map((one) => ({ date: one.date, value: series.of(one) }))}
								write={exact}
								writeRoughly={rough}
								today={today(zone).toString()}
							/>
						</>
					)}
				</Loaded>
			</section>
		</>
	);
}
