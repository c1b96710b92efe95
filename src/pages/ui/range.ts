import { type CalendarDate, endOfMonth, endOfYear, parseDate, startOfMonth, startOfYear, today } from '@internationalized/date';

// A report's range of days, stored in the URL.

export const PRESETS = {
	'7d': { label: '7 days', key: 'w' },
	'30d': { label: '30 days', key: 'm' },
	'90d': { label: '90 days', key: 'q' },
	month: { label: 'This month', key: 't' },
	'last-month': { label: 'Last month', key: 'l' },
	year: { label: 'This year', key: 'y' },
	'last-year': { label: 'Last year', key: 'p' },
	all: { label: 'All time', key: 'a' },
} as const;

export type Preset = keyof typeof PRESETS;

export function isPreset(name: unknown): name is Preset {
	return typeof name === 'string' && Object.hasOwn(PRESETS, name);
}

export interface Range {
	readonly period: Preset;
	/** Two selected days override the preset. */
	readonly from?: string | undefined;
	readonly to?: string | undefined;
}

export interface RangePickerProps {
	readonly range: Range;
	readonly zone: string;
	readonly onChange: (range: Range) => void;
}

export interface Days {
	readonly from: CalendarDate;
	readonly to: CalendarDate;
}

/** Undefined for all time. */
export function daysOf({ period, from, to }: Range, zone: string): Days | undefined {
	if (from !== undefined && to !== undefined) return { from: parseDate(from), to: parseDate(to) };
	const now = today(zone);
	const lastMonth = now.subtract({ months: 1 });
	const lastYear = now.subtract({ years: 1 });
	switch (period) {
		case '7d':
		case '30d':
		case '90d':
			return { from: now.subtract({ days: Number.parseInt(period, 10) - 1 }), to: now };
		case 'month':
			return { from: startOfMonth(now), to: now };
		case 'last-month':
			return { from: startOfMonth(lastMonth), to: endOfMonth(lastMonth) };
		case 'year':
			return { from: startOfYear(now), to: now };
		case 'last-year':
			return { from: startOfYear(lastYear), to: endOfYear(lastYear) };
		case 'all':
			return undefined;
	}
}

/** All time has no first day, so nothing can be before it. */
export function isAllTime({ period, from, to }: Range): boolean {
	return period === 'all' && (from === undefined || to === undefined);
}

/** Moves the range by its own length, but never beyond today. */
export function shifted(range: Range, zone: string, steps: -1 | 1): Range {
	const days = daysOf(range, zone);
	if (!days) return range;
	const length = { days: (days.to.compare(days.from) + 1) * steps };
	const [from, to] = [days.from.add(length), days.to.add(length)];
	return to.compare(today(zone)) > 0 ? range : { ...range, from: from.toString(), to: to.toString() };
}

/** For the report routes. */
export function rangeQuery(range: Range, zone: string): { period: Period } | { dateFrom: string; dateTo: string } {
	const { period, from, to } = range;
	// These URLs never vary, so the browser can request them before any script runs (src/http/preloads.ts).
	if ((period === '7d' || period === '30d' || period === '90d') && (from === undefined || to === undefined)) return { period };
	const days = daysOf(range, zone);
	return days ? { dateFrom: days.from.toString(), dateTo: days.to.toString() } : { period: 'all' };
}

type Period = '7d' | '30d' | '90d' | 'all';

interface SearchOfRange {
	readonly period?: Preset | undefined;
	readonly from?: string | undefined;
	readonly to?: string | undefined;
}

/** All time by default. */
export function listRange({ period = 'all', from, to }: SearchOfRange): Range {
	return { period, from, to };
}

/** For the list routes. */
export function listDays(range: Range, zone: string): { from?: string; to?: string } {
	const days = daysOf(range, zone);
	return days ? { from: days.from.toString(), to: days.to.toString() } : {};
}
