import { roundSteps } from './round-steps.ts';

// Where a chart by day draws its parts, in pixels.

export interface ChartDay {
	readonly date: string;
	readonly value: number;
	/** The day that it is compared with. */
	readonly before?: { readonly date: string; readonly value: number } | undefined;
	/** What happened on this day, such as "Payouts made". */
	readonly notes?: readonly string[] | undefined;
}

/** Longer ranges are lines, because their bars would be too thin. */
const MOST_BARS = 100;
const HEIGHT = 260;
const TOP = 12;
const RIGHT = 8;
const LABEL_ROOM = 26;
const NOTE_ROOM = 14;
const WIDEST_BAR = 36;
/** The widest character of a label. */
const CHARACTER = 7;
/** The least space between two labels. */
const GAP = 20;

interface Frame {
	readonly width: number;
	readonly writeRoughly: (value: number) => string;
	readonly writeDay: (date: string) => string;
}

export type Places = ReturnType<typeof placesOf>;

export function placesOf(days: readonly ChartDay[], { width, writeRoughly, writeDay }: Frame) {
	const ticks = roundSteps(
		days.flatMap(({ value, before }) => [value, before?.value ?? 0]),
		4,
	);
	const tickLabels = ticks.map((tick) => ({ tick, text: writeRoughly(tick) }));
	const left = Math.max(...tickLabels.map(({ text }) => text.length)) * CHARACTER + 12;
	const floor = HEIGHT - LABEL_ROOM - (days.some(({ notes }) => notes?.length) ? NOTE_ROOM : 0);
	const band = (width - RIGHT - left) / Math.max(1, days.length);
	const [bottom = 0, top = 0] = [ticks[0], ticks.at(-1)];
	const rise = (floor - TOP) / (top - bottom || 1);
	const x = (index: number) => left + band * (index + 0.5);
	return {
		height: HEIGHT,
		top: TOP,
		floor,
		left,
		right: width - RIGHT,
		band,
		bar: Math.max(1, Math.min(WIDEST_BAR, band * 0.72)),
		hasBars: days.length <= MOST_BARS,
		x,
		y: (value: number) => floor - (value - bottom) * rise,
		tickLabels,
		dayLabels: dayLabels(
			days.map(({ date }) => writeDay(date)),
			{ x, width },
		),
		/** A place outside the chart counts as the nearest day. */
		at: (place: number) => Math.min(days.length - 1, Math.max(0, Math.floor((place - left) / band))),
	};
}

/** As many labels as fit. None is cut off or touches the next one. */
function dayLabels(texts: readonly string[], { x, width }: { readonly x: (index: number) => number; readonly width: number }) {
	const widest = Math.max(0, ...texts.map(({ length }) => length)) * CHARACTER;
	const every = Math.max(1, Math.ceil((widest + GAP) / Math.max(0.01, x(1) - x(0))));
	return texts.flatMap((text, index) => {
		if (index % every !== 0) return [];
		const half = (text.length * CHARACTER) / 2;
		const middle = Math.min(width - half, Math.max(half, x(index)));
		// The last label may move inwards, where it must not touch the one before.
		const isCrowded = index > 0 && middle - x(index - every) < widest + GAP / 2;
		return isCrowded ? [] : [{ index, text, x: middle }];
	});
}
