import './chart.css';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { day, dayOfYear } from '../format.ts';
import { Axes, Bars, Lines, NoteMarks } from './chart-marks.tsx';
import { type ChartDay, placesOf } from './chart-places.ts';
import { DayTable } from './day-table.tsx';

interface DayChartProps {
	readonly title: string;
	readonly days: readonly ChartDay[];
	readonly write: (value: number) => string;
	/** Short text for the axis. */
	readonly writeRoughly: (value: number) => string;
	/** Not over yet. */
	readonly today?: string | undefined;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7, Home: -Infinity, End: Infinity };

/** Bars, or lines if there are many days. It has a tooltip by pointer, touch or arrow keys, marks for days with notes, and a table. */
export function DayChart({ title, days, write, writeRoughly, today }: DayChartProps) {
	const writeDay = dayWriter(days);
	const [frame, width] = useWidth();
	const [at, setAt] = useState<number>();
	const places = placesOf(days, { width, writeRoughly, writeDay });
	const shown = at === undefined ? undefined : days[at];
	const x = at === undefined ? 0 : places.x(at);
	const hasNotes = days.some(({ notes }) => notes?.length);
	const point = (event: PointerEvent<SVGSVGElement>) => setAt(places.at(event.clientX - event.currentTarget.getBoundingClientRect().left));
	const press = (event: KeyboardEvent) => {
		const next = dayAfter(event, days, at);
		if (next !== undefined) {
			event.preventDefault();
			setAt(next);
		}
		if (event.key === 'Escape') setAt(undefined);
	};
	return (
		<figure ref={frame} className="day-chart">
			<svg
				viewBox={`0 0 ${width} ${places.height}`}
				height={places.height}
				tabIndex={0}
				role="application"
				aria-roledescription="chart"
				aria-label={`${title}. Use the arrow keys to go from day to day.${hasNotes ? ' Press N for the next note, or Shift and N for the previous one.' : ''}`}
				onPointerMove={point}
				onPointerDown={point}
				// A lifted finger leaves the chart, but then people read its tooltip.
				onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setAt(undefined)}
				onBlur={() => setAt(undefined)}
				onKeyDown={press}
			>
				{shown && (
					<rect className="cursor" x={x - places.band / 2} width={places.band} y={places.top} height={places.floor - places.top} rx={3} />
				)}
				<Axes places={places} />
				{places.hasBars ? <Bars places={places} days={days} today={today} /> : <Lines places={places} days={days} today={today} />}
				<NoteMarks places={places} days={days} />
				{shown && !places.hasBars && <circle className="point" cx={x} cy={places.y(shown.value)} r={4.5} />}
			</svg>
			<figcaption role="status" className="tip" hidden={!shown} style={shown && { translate: tipPlace(x, width) }}>
				{shown && <Tip shown={shown} write={write} writeDay={writeDay} isUnfinished={shown.date === today} />}
			</figcaption>
			<DayTable title={title} days={days} write={write} writeDay={writeDay} today={today} />
		</figure>
	);
}

interface TipProps extends Pick<DayChartProps, 'write'> {
	readonly shown: ChartDay;
	readonly writeDay: WriteDay;
	readonly isUnfinished: boolean;
}

function Tip({ shown, write, writeDay, isUnfinished }: TipProps) {
	return (
		<>
			{writeDay(shown.date)}
			{isUnfinished && <span className="quiet"> so far</span>}
			<strong>{write(shown.value)}</strong>
			{shown.before && (
				<span className="quiet">
					{writeDay(shown.before.date)}: {write(shown.before.value)}
				</span>
			)}
			{shown.notes?.map((note) => (
				<span key={note} className="noted">
					{note}
				</span>
			))}
		</>
	);
}

/** Undefined for keys that do not move. */
function dayAfter(event: KeyboardEvent, days: readonly ChartDay[], at: number | undefined): number | undefined {
	if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
	const step = STEPS[event.key];
	if (step !== undefined) return Math.min(Math.max((at ?? days.length) + step, 0), days.length - 1);
	if (event.key.toLowerCase() !== 'n') return undefined;
	const noted = days.flatMap(({ notes }, index) => (notes?.length ? [index] : []));
	return event.shiftKey
		? (noted.findLast((index) => index < (at ?? days.length)) ?? noted.at(-1))
		: (noted.find((index) => index > (at ?? -1)) ?? noted[0]);
}

type WriteDay = (date: string) => string;

/** Includes the year if the days span more than one. */
function dayWriter(days: readonly ChartDay[]): WriteDay {
	const years = new Set(days.flatMap(({ date, before }) => (before ? [date, before.date] : [date])).map((date) => date.slice(0, 4)));
	return years.size > 1 ? dayOfYear : day;
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

/** On the side of the day that has room, and never outside the chart. */
function tipPlace(x: number, width: number): string {
	return x > width / 2 ? `max(0px, calc(${x}px - 100% - 16px)) 8px` : `min(${x + 16}px, calc(${width}px - 100%)) 8px`;
}
