import { isoOf } from '../domain/instant.ts';
import type { Performance } from '../reporting/read-performance.ts';

/** The range of a report, and the earlier range that its trends compare with. */
export function metaOf({ meta }: Pick<Performance, 'meta'>) {
	const { period, from, to, previousPeriod } = meta;
	return {
		period,
		dateFrom: isoOf(from),
		dateTo: isoOf(to),
		previousPeriod: { dateFrom: isoOf(previousPeriod.from), dateTo: isoOf(previousPeriod.to) },
	};
}
