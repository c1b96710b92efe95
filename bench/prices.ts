// What Cloudflare asks on the Workers Paid plan, in dollars, as looked up in November 2026. What its monthly fee includes of each is
// left out: prices are those of the next million.

export const LOOKED_UP = 'November 2026';

/** Per million. */
export const PRICES = {
	requests: 0.3,
	cpuMs: 0.02,
	queueOperations: 0.4,
	rowsRead: 0.001,
	rowsWritten: 1,
	logEvents: 0.6,
} as const;

/** A message is written, read and deleted. */
export const OPERATIONS_PER_MESSAGE = 3;

/** Of D1, in billions of bytes. */
export const GIGABYTE_MONTH = 0.75;

/** How large D1 lets a database become, as it counts. */
export const FULL_BYTES = 10_000_000_000;
