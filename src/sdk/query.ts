import type { EventPageFilter, PerformanceQuery } from './requests.ts';

// A query string begins with `?` and omits undefined filters.

export function eventQuery({ type, ...filter }: EventPageFilter): string {
	return queryOf({ type: typeof type === 'object' ? type.join(',') : type, ...filter });
}

export function performanceQuery({ period, dateFrom, dateTo }: PerformanceQuery): string {
	return queryOf({ period, dateFrom, dateTo });
}

function queryOf(parameters: Readonly<Record<string, string | number | boolean | Date | undefined>>): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, textOf(value));
	const text = query.toString();
	return text === '' ? '' : `?${text}`;
}

/** An invalid Date is sent as it is, so that the service's error names the parameter. */
function textOf(value: string | number | boolean | Date): string {
	return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : String(value);
}
