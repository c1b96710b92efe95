import { isoOf } from '../domain/instant.ts';
import type { Performance } from '../reporting/read-performance.ts';

export function metaOf({ meta }: Pick<Performance, 'meta'>) {
	const { period, from, to, previousPeriod } = meta;
	return {
		period,
		dateFrom: isoOf(from),
		dateTo: isoOf(to),
		previousPeriod: { dateFrom: isoOf(previousPeriod.from), dateTo: isoOf(previousPeriod.to) },
	};
}
