import { billOf } from './dollars.ts';
import { FULL_BYTES, GIGABYTE_MONTH } from './prices.ts';
import { head, short } from './table.ts';
import type { Measured } from './usage.ts';

// A month's cost for a given number of clicks: the measured usage of each operation times its frequency.

/** Operations per click, for a shop that sells well. */
const SHARES = { click: 1, lead: 0.03, sale: 0.01, refund: 0.0005 } as const;
const CLICKS_A_MONTH = [100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/** The load of the busiest second, relative to the month's average. */
const PEAK = 4;
const SECONDS_A_MONTH = 30 * 24 * 3_600;
/** A hundred clicks are stored in one transaction; fifty sales or refunds share the transaction of their effects. */
const TRANSACTIONS = { click: 1 / 100, lead: 1, sale: 1 + 1 / 50, refund: 1 + 1 / 50 } as const;

export type Modelled = keyof typeof SHARES;

const OPERATIONS = Object.keys(SHARES).filter((name): name is Modelled => Object.hasOwn(SHARES, name));

export function modelLines(measured: Readonly<Record<Modelled, Measured>>): string {
	const perClick = (of: (operation: Modelled) => number) => OPERATIONS.reduce((sum, name) => sum + SHARES[name] * of(name), 0);
	const rows = perClick((name) => measured[name].rowsWritten);
	const bytes = perClick((name) => measured[name].bytes);
	const dollars = perClick((name) => billOf(measured[name]).total) / 1_000_000;
	const transactions = perClick((name) => TRANSACTIONS[name]);
	const lines = CLICKS_A_MONTH.map((clicks) => {
		const atPeak = (clicks * PEAK) / SECONDS_A_MONTH;
		const gigabytes = (clicks * bytes) / 1e9;
		return [
			short(clicks).padStart(14),
			atPeak.toFixed(1).padStart(14),
			(atPeak * transactions).toFixed(1).padStart(20),
			(atPeak * rows).toFixed(0).padStart(15),
			gigabytes.toFixed(2).padStart(9),
			(clicks * dollars).toFixed(0).padStart(9),
			(gigabytes * GIGABYTE_MONTH).toFixed(2).padStart(11),
			((FULL_BYTES / (clicks * bytes)) * 30).toFixed(1).padStart(13),
		].join(' ');
	});
	const shares = OPERATIONS.map((name) => `${SHARES[name] * 100} % ${name}s`).join(', ');
	return `Per click: ${shares}. The peak is ${PEAK} times the average.\n${MODEL_HEAD}\n${lines.join('\n')}`;
}

const MODEL_HEAD = head([
	['clicks a month', 14],
	['clicks/s, peak', 14],
	['transactions/s, peak', 20],
	['rows/s written', 15],
	['GB/month', 9],
	['$/month', 9],
	['+ $ storage', 11],
	['days to 10 GB', 13],
]);
