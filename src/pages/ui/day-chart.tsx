import './chart.css';
import { area, curveMonotoneX, line } from 'd3-shape';
import { day, dayOfYear } from '../format.ts';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { roundSteps } from './round-steps.ts';

interface Day {
	readonly date: string;
	readonly value: number;
	/** The matching day of the preceding period. */
	readonly before?: { readonly date: string; readonly value: number } | undefined;
}

interface DayChartProps {
	readonly title: string;
	readonly days: readonly Day[];
	readonly write: (value: number) => string;
	/** Short text for the axis. */
	readonly writeRoughly: (value: number) => string;
}

const HEIGHT = 260;
const MARGIN = { top: 12, right: 14, bottom: 26, left: 56 };
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7, Home: -Infinity, End: Infinity };

/** A line chart by day with the preceding period dashed, a tooltip by pointer or arrow keys, and a table for screen readers. */
export function DayChart({ title, days, write, writeRoughly }: DayChartProps) {
	const writeDay = dayWriter(days);
	const [frame, width] = useWidth();
	const [at, setAt] = useState<number>();
	const places = placesOf(days, width);
	const shown = at === undefined ? undefined : days[at];
	const point = (event: PointerEvent<SVGSVGElement>) => {
		const part = (event.clientX - event.currentTarget.getBoundingClientRect().left - MARGIN.left) / (width - MARGIN.left - MARGIN.right);
		setAt(clamp(Math.round(part * (days.length - 1)), days.length));
	};
	const press = (event: KeyboardEvent) => {
		const step = STEPS[event.key];
		if (step !== undefined) {
			event.preventDefault();
			setAt(clamp((at ?? days.length) + step, days.length));
		}
		if (event.key === 'Escape') setAt(undefined);
	};
	return (
		<figure ref={frame} className="day-chart">
			<svg
				viewBox={`0 0 ${width} ${HEIGHT}`}
				height={HEIGHT}
				tabIndex={0}
				role="application"
				aria-roledescription="chart"
				aria-label={`${title}. The arrow keys go from day to day.`}
				onPointerMove={point}
				onPointerLeave={() => setAt(undefined)}
				onBlur={() => setAt(undefined)}
				onKeyDown={press}
			>
				<Axes places={places} days={days} width={width} writeRoughly={writeRoughly} writeDay={writeDay} />
				<Lines places={places} days={days} />
				{shown && <line className="cursor" x1={places.x(shown)} x2={places.x(shown)} y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />}
				{shown && <circle className="point" cx={places.x(shown)} cy={places.y(shown.value)} r={4.5} />}
			</svg>
			<figcaption role="status" className="tip" hidden={!shown} style={shown && { translate: tipPlace(places.x(shown), width) }}>
				{shown && (
					<>
						{writeDay(shown.date)}
						<strong>{write(shown.value)}</strong>
						{shown.before && (
							<span className="quiet">
								{writeDay(shown.before.date)}: {write(shown.before.value)}
							</span>
						)}
					</>
				)}
			</figcaption>
			<DayTable title={title} days={days} write={write} writeDay={writeDay} />
		</figure>
	);
}

type WriteDay = (date: string) => string;

/** Includes the year if the days span more than one. */
function dayWriter(days: readonly Day[]): WriteDay {
	const years = new Set(days.flatMap(({ date, before }) => (before ? [date, before.date] : [date])).map((date) => date.slice(0, 4)));
	return years.size > 1 ? dayOfYear : day;
}

type Places = ReturnType<typeof placesOf>;

function placesOf(days: readonly Day[], width: number) {
	const values = days.flatMap(({ value, before }) => [value, before?.value ?? 0]);
	const ticks = roundSteps(values, 4);
	const [bottom = 0, top = 0] = [ticks[0], ticks.at(-1)];
	const rise = (HEIGHT - MARGIN.bottom - MARGIN.top) / (top - bottom || 1);
	const run = width - MARGIN.right - MARGIN.left;
	const indexes = new Map(days.map(({ date }, index) => [date, index]));
	const part = (date: string) => (days.length === 1 ? 0.5 : (indexes.get(date) ?? 0) / (days.length - 1));
	return {
		x: ({ date }: Pick<Day, 'date'>) => MARGIN.left + run * part(date),
		y: (value: number) => HEIGHT - MARGIN.bottom - (value - bottom) * rise,
		ticks,
	};
}

function Axes({
	places,
	days,
	width,
	writeRoughly,
	writeDay,
}: Pick<DayChartProps, 'days' | 'writeRoughly'> & { places: Places; width: number; writeDay: WriteDay }) {
	const every = Math.ceil(days.length / Math.max(2, Math.floor(width / 90)));
	return (
		<g aria-hidden="true">
			{places.ticks.map((tick) => (
				<g key={tick} transform={`translate(0 ${places.y(tick)})`}>
					<line x1={MARGIN.left} x2={width - MARGIN.right} className="grid" />
					<text x={MARGIN.left - 8} dy="0.32em" textAnchor="end">
						{writeRoughly(tick)}
					</text>
				</g>
			))}
			{days.map(
				(shown, index) =>
					index % every === 0 && (
						<text key={shown.date} x={places.x(shown)} y={HEIGHT - 6} textAnchor={index === 0 ? 'start' : 'middle'}>
							{writeDay(shown.date)}
						</text>
					),
			)}
		</g>
	);
}

function Lines({ places, days }: { places: Places; days: readonly Day[] }) {
	const value = line<Day>(places.x, (shown) => places.y(shown.value)).curve(curveMonotoneX);
	const before = line<Day>(places.x, (shown) => places.y(shown.before?.value ?? 0))
		.curve(curveMonotoneX)
		.defined((shown) => shown.before !== undefined);
	const below = area<Day>(places.x, places.y(0), (shown) => places.y(shown.value)).curve(curveMonotoneX);
	const [only] = days.length === 1 ? days : [];
	return (
		<g aria-hidden="true">
			<path className="area" d={below([...days]) ?? ''} />
			<path className="before" d={before([...days]) ?? ''} />
			<path className="line" d={value([...days]) ?? ''} />
			{only && <circle className="point" cx={places.x(only)} cy={places.y(only.value)} r={4.5} />}
		</g>
	);
}

function DayTable({ title, days, write, writeDay }: Pick<DayChartProps, 'title' | 'days' | 'write'> & { writeDay: WriteDay }) {
	const hasBefore = days.some(({ before }) => before);
	return (
		<details>
			<summary>As a table</summary>
			<div className="scroll" tabIndex={0} role="region" aria-label={title}>
				<table>
					<caption>{title}</caption>
					<thead>
						<tr>
							<th scope="col">Day</th>
							<th scope="col" className="number">
								Value
							</th>
							{hasBefore && (
								<th scope="col" className="number">
									Period before
								</th>
							)}
						</tr>
					</thead>
					<tbody>
						{days.map(({ date, value, before }) => (
							<tr key={date}>
								<th scope="row">{writeDay(date)}</th>
								<td className="number">{write(value)}</td>
								{hasBefore && <td className="number">{before ? write(before.value) : ''}</td>}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</details>
	);
}

function useWidth() {
	const frame = useRef<HTMLElement>(null);
	const [width, setWidth] = useState(640);
	useEffect(() => {
		const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(240, entry.contentRect.width)));
		if (frame.current) observer.observe(frame.current);
		return () => observer.disconnect();
	}, []);
	return [frame, width] as const;
}

/** Placed on the side of the point that has room. */
function tipPlace(x: number, width: number): string {
	return x > width / 2 ? `calc(${x}px - 100% - 12px) 8px` : `${x + 12}px 8px`;
}

function clamp(index: number, length: number): number {
	return Math.min(Math.max(index, 0), length - 1);
}
