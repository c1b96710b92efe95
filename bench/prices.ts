// Cloudflare's prices on the Workers Paid plan in dollars, for usage beyond what the monthly fee includes, as of November 2026.

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

/** Each message is written, read and deleted. */
export const OPERATIONS_PER_MESSAGE = 3;

/** The price of D1 storage per billion bytes. */
export const GIGABYTE_MONTH = 0.75;

/** D1's maximum database size in bytes. */
export const FULL_BYTES = 10_000_000_000;

/** R2: storage per billion bytes and month, and a million writes or lists (class A) or reads (class B). Deletes are free. */
export const R2 = { gigabyteMonth: 0.015, classA: 4.5, classB: 0.36 } as const;
