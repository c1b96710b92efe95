import type { ChartDay, Places } from './chart-places.ts';

interface MarksProps {
	readonly places: Places;
	readonly days: readonly ChartDay[];
	/** Not over yet. */
	readonly today: string | undefined;
}

export function Axes({ places }: Pick<MarksProps, 'places'>) {
	return (
		<g aria-hidden="true">
			{places.tickLabels.map(({ tick, text }) => (
				<g key={tick} transform={`translate(0 ${places.y(tick)})`}>
					<line x1={places.left} x2={places.right} className={tick === 0 ? 'grid zero' : 'grid'} />
					<text x={places.left - 8} dy="0.32em" textAnchor="end">
						{text}
					</text>
				</g>
			))}
			{places.dayLabels.map(({ index, text, x }) => (
				<text key={index} x={x} y={places.height - 6} textAnchor="middle">
					{text}
				</text>
			))}
		</g>
	);
}

/** A tick, cut out of the bar, shows the day that it is compared with. */
export function Bars({ places, days, today }: MarksProps) {
	return (
		<g aria-hidden="true">
			{days.map(({ date, value, before }, index) => {
				const [x, zero, end] = [places.x(index) - places.bar / 2, places.y(0), places.y(value)];
				const tick = { x1: places.x(index) - places.band * 0.46, x2: places.x(index) + places.band * 0.46 };
				const y = before && places.y(before.value);
				return (
					<g key={date}>
						<path className={date === today ? 'bar unfinished' : 'bar'} d={barPath({ x, zero, end, width: places.bar })} />
						{y !== undefined && <line className="cut" {...tick} y1={y} y2={y} />}
						{y !== undefined && <line className="before" {...tick} y1={y} y2={y} />}
					</g>
				);
			})}
		</g>
	);
}

interface Bar {
	readonly x: number;
	readonly width: number;
	readonly zero: number;
	readonly end: number;
}

/** Round at the end that shows the value. */
function barPath({ x, width, zero, end }: Bar): string {
	const radius = Math.min(3, width / 2, Math.abs(zero - end));
	const turn = end < zero ? radius : -radius;
	return `M${x} ${zero}V${end + turn}Q${x} ${end} ${x + radius} ${end}H${x + width - radius}Q${x + width} ${end} ${x + width} ${end + turn}V${zero}`;
}

/** The unfinished day is dashed. */
export function Lines({ places, days, today }: MarksProps) {
	const point = (index: number, value: number) => `${places.x(index)} ${places.y(value)}`;
	const values = days.map(({ value }, index) => point(index, value));
	const finished = days.at(-1)?.date === today ? values.slice(0, -1) : values;
	const before = days.flatMap((day, index) => (day.before ? [point(index, day.before.value)] : []));
	const [first, last] = [places.x(0), places.x(days.length - 1)];
	return (
		<g aria-hidden="true">
			<path className="area" d={`M${first} ${places.y(0)}L${values.join('L')}L${last} ${places.y(0)}Z`} />
			{before.length > 0 && <path className="before line-before" d={`M${before.join('L')}`} />}
			<path className="line" d={`M${finished.join('L')}`} />
			{finished !== values && <path className="line unfinished" d={`M${values.slice(-2).join('L')}`} />}
		</g>
	);
}

/** A mark under each day that has notes. */
export function NoteMarks({ places, days }: Pick<MarksProps, 'places' | 'days'>) {
	return (
		<g aria-hidden="true">
			{days.map(
				({ date, notes }, index) =>
					notes !== undefined &&
					notes.length > 0 && <path key={date} className="note" d={`M${places.x(index)} ${places.floor + 4}l4.5 8h-9z`} />,
			)}
		</g>
	);
}
