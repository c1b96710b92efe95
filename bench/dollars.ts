import { PRICES } from './prices.ts';

/** How much of each priced resource one operation uses. */
export type Usage = Readonly<Record<keyof typeof PRICES, number>>;

export type Bill = Usage & { readonly total: number };

/** The cost of a million operations in dollars. */
export function billOf(usage: Usage): Bill {
	const parts = {
		requests: usage.requests * PRICES.requests,
		cpuMs: usage.cpuMs * PRICES.cpuMs,
		queueOperations: usage.queueOperations * PRICES.queueOperations,
		rowsRead: usage.rowsRead * PRICES.rowsRead,
		rowsWritten: usage.rowsWritten * PRICES.rowsWritten,
		logEvents: usage.logEvents * PRICES.logEvents,
	};
	return { ...parts, total: Object.values(parts).reduce((sum, dollars) => sum + dollars, 0) };
}
