import { isoOf } from '../domain/instant.ts';
import type { Performance } from '../reporting/read-performance.ts';

/** Which range a report has, and which one its trends compare with. */
export function metaOf({ meta }: Pick<Performance, 'meta'>) {
	const { period, from, to, previousPeriod } = meta;
	return {
		period,
		dateFrom: isoOf(from),
		dateTo: isoOf(to),
		previousPeriod: { dateFrom: isoOf(previousPeriod.from), dateTo: isoOf(previousPeriod.to) },
	};
}
