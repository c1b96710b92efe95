import { daysOf, type Preset, type Range } from '../../ui/range.ts';

interface SearchOfRange {
	readonly period?: Preset | undefined;
	readonly from?: string | undefined;
	readonly to?: string | undefined;
}

/** What a list's address says of its days: all, unless it says something. */
export function listRange({ period = 'all', from, to }: SearchOfRange): Range {
	return { period, from, to };
}

/** As the lists take it. */
export function listDays(range: Range, zone: string): { from?: string; to?: string } {
	const days = daysOf(range, zone);
	return days ? { from: days.from.toString(), to: days.to.toString() } : {};
}
