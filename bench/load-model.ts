import { byZipf, clicksPerDelivery, evenly, rowsPerClick, type Shares } from './click-rows.ts';
import { billOf } from './dollars.ts';
import { FULL_BYTES, GIGABYTE_MONTH, PRICES, R2 } from './prices.ts';
import { head, short } from './table.ts';
import type { Measured } from './usage.ts';

// A month's cost for a given number of clicks and programs: the measured usage of each operation times its frequency. The rows of a click
// depend on how many programs share a delivery (click-rows.ts); what a retired click takes is measured elsewhere (RETIRED).

/** Operations per click, for a shop that sells well. */
const SHARES = { click: 1, lead: 0.03, sale: 0.01, refund: 0.0005 } as const;
const CLICKS_A_MONTH = [100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
const PROGRAMS: readonly { readonly name: string; readonly shares: Shares }[] = [
	{ name: '1', shares: evenly(1) },
	{ name: '10', shares: evenly(10) },
	{ name: '2,000', shares: byZipf(2_000) },
];
/** The load of the busiest second, relative to the month's average. */
const PEAK = 4;
const DAYS_A_MONTH = 30;
const SECONDS_A_MONTH = DAYS_A_MONTH * 24 * 3_600;
/** Fifty sales or refunds share the transaction of their effects. */
const TRANSACTIONS = { lead: 1, sale: 1 + 1 / 50, refund: 1 + 1 / 50 } as const;

/** The shortest retention for the default window. */
const RETENTION_DAYS = 67;
const CLICKS_PER_FILE = 10_000;
/** Per click: the rows of test/tracking/rows.test.ts and `npm run retire:scale`, and the bytes of `npm run storage`. */
const RETIRED = { rowsWritten: 1, rowsRead: 5.2, bytesInD1: 15, bytesInR2: 26 } as const;
const ROWS_WRITTEN_PER_FILE = 5;

export type Modelled = keyof typeof SHARES;

export interface Measures {
	/** In bursts, when daily rows are written once for all operations of a minute. */
	readonly inBursts: Readonly<Record<Modelled, Measured>>;
	/** Alone: how leads, sales and refunds arrive if many programs share them. */
	readonly alone: Readonly<Record<Modelled, Measured>>;
}

const OPERATIONS = Object.keys(SHARES).filter((name): name is Modelled => Object.hasOwn(SHARES, name));

export function modelLines(measures: Measures): string {
	const shares = OPERATIONS.map((name) => `${SHARES[name] * 100} % ${name}s`).join(', ');
	const rows = [...PROGRAMS, { name: '2,000 evenly', shares: evenly(2_000) }].map(
		({ name, shares: of }) => `${short(rowsPerClick(of))} (${name})`,
	);
	return [
		`Per click: ${shares}. The peak is ${PEAK} times the average.`,
		'A delivery has the clicks of two seconds, a hundred at most. Leads, sales and refunds of many programs cost as much as alone.',
		`Rows that a click of a full delivery writes, by programs: ${rows.join(', ')}`,
		LOAD_HEAD,
		...CLICKS_A_MONTH.map((clicks) => loadLine(measures, clicks)),
		`\nWith clicks kept for ${RETENTION_DAYS} days and a bucket for older ones:`,
		RETENTION_HEAD,
		...CLICKS_A_MONTH.map((clicks) => retentionLine(measures, clicks)),
	].join('\n');
}

const LOAD_HEAD = head([
	['clicks a month', 14],
	['clicks/s, peak', 14],
	['a delivery', 10],
	['transactions/s, peak', 20],
	['rows a click: 1', 15],
	...PROGRAMS.slice(1).map(({ name }): [string, number] => [name, 6]),
	['rows/s, peak: 1', 15],
	...PROGRAMS.slice(1).map(({ name }): [string, number] => [name, 6]),
	['GB/month', 9],
	['$/month: 1', 10],
	...PROGRAMS.slice(1).map(({ name }): [string, number] => [name, 6]),
	['+ $ storage', 11],
	['days to 10 GB', 13],
]);

function loadLine(measures: Measures, clicks: number): string {
	const atPeak = (clicks * PEAK) / SECONDS_A_MONTH;
	const gigabytes = (clicks * bytesPerClick(measures)) / 1e9;
	const delivered = deliveredAt(clicks);
	const rows = PROGRAMS.map(({ shares }) => rowsOf(measures, shares, clicks));
	return [
		short(clicks).padStart(14),
		atPeak.toFixed(1).padStart(14),
		delivered.toFixed(1).padStart(10),
		(atPeak * transactionsPerClick(clicksPerDelivery(atPeak))).toFixed(1).padStart(20),
		...PROGRAMS.map(({ shares }, index) => short(rowsPerClick(shares, delivered)).padStart(index === 0 ? 15 : 6)),
		...rows.map((of, index) => (atPeak * of).toFixed(0).padStart(index === 0 ? 15 : 6)),
		gigabytes.toFixed(2).padStart(9),
		...PROGRAMS.map(({ shares }, index) => (clicks * dollarsPerClick(measures, shares, clicks)).toFixed(2).padStart(index === 0 ? 10 : 6)),
		(gigabytes * GIGABYTE_MONTH).toFixed(2).padStart(11),
		daysToFull(clicks * bytesPerClick(measures)).padStart(13),
	].join(' ');
}

const RETENTION_HEAD = head([
	['clicks a month', 14],
	['GB of kept clicks', 17],
	['+ GB/month', 10],
	['days to 10 GB', 13],
	['$/month to retire: 1', 20],
	...PROGRAMS.slice(1).map(({ name }): [string, number] => [name, 6]),
	['GB/month in R2', 14],
	['+ $ storage', 11],
]);

function retentionLine(measures: Measures, clicks: number): string {
	const clickBytes = measures.inBursts.click.bytes;
	const kept = (clicks / DAYS_A_MONTH) * RETENTION_DAYS * clickBytes;
	const growth = clicks * (bytesPerClick(measures) - clickBytes + RETIRED.bytesInD1);
	const inR2 = (clicks * RETIRED.bytesInR2) / 1e9;
	return [
		short(clicks).padStart(14),
		(kept / 1e9).toFixed(2).padStart(17),
		(growth / 1e9).toFixed(2).padStart(10),
		(kept < FULL_BYTES ? daysToFull(growth, FULL_BYTES - kept) : daysToFull(clicks * bytesPerClick(measures))).padStart(13),
		...PROGRAMS.map(({ shares }, index) =>
			dollarsToRetire(shares.length, clicks)
				.toFixed(2)
				.padStart(index === 0 ? 20 : 6),
		),
		inR2.toFixed(3).padStart(14),
		(inR2 * R2.gigabyteMonth).toFixed(4).padStart(11),
	].join(' ');
}

/** The size of a delivery at the month's average load. */
function deliveredAt(clicks: number): number {
	return clicksPerDelivery(clicks / SECONDS_A_MONTH);
}

/** The usage of an operation at this load. */
function measuredFor({ inBursts, alone }: Measures, shares: Shares, clicks: number, name: Modelled): Measured {
	if (name === 'click') return { ...inBursts.click, rowsWritten: rowsPerClick(shares, deliveredAt(clicks)) };
	return shares.length === 1 ? inBursts[name] : alone[name];
}

/** The rows per click, with those of the leads, sales and refunds that follow it. */
function rowsOf(measures: Measures, shares: Shares, clicks: number): number {
	return OPERATIONS.reduce((sum, name) => sum + SHARES[name] * measuredFor(measures, shares, clicks, name).rowsWritten, 0);
}

function dollarsPerClick(measures: Measures, shares: Shares, clicks: number): number {
	const ofMillion = OPERATIONS.reduce((sum, name) => sum + SHARES[name] * billOf(measuredFor(measures, shares, clicks, name)).total, 0);
	return ofMillion / 1_000_000;
}

function bytesPerClick({ inBursts }: Measures): number {
	return OPERATIONS.reduce((sum, name) => sum + SHARES[name] * inBursts[name].bytes, 0);
}

function transactionsPerClick(delivered: number): number {
	const others = SHARES.lead * TRANSACTIONS.lead + SHARES.sale * TRANSACTIONS.sale + SHARES.refund * TRANSACTIONS.refund;
	return 1 / delivered + others;
}

/** Each program writes a file a day, or more if it has more clicks than a file holds. */
function dollarsToRetire(programs: number, clicks: number): number {
	const files = Math.max(Math.min(programs * DAYS_A_MONTH, clicks), clicks / CLICKS_PER_FILE);
	const ofClick = RETIRED.rowsWritten * PRICES.rowsWritten + RETIRED.rowsRead * PRICES.rowsRead;
	return (clicks * ofClick + files * (R2.classA + ROWS_WRITTEN_PER_FILE * PRICES.rowsWritten)) / 1_000_000;
}

function daysToFull(bytesPerMonth: number, room: number = FULL_BYTES): string {
	return ((room / bytesPerMonth) * DAYS_A_MONTH).toFixed(1);
}
