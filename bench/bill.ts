import type { StatementCost } from '../testing/d1/metered.ts';
import { billOf } from './dollars.ts';
import { head, short } from './table.ts';
import type { Measured } from './usage.ts';

// Formats the costs of operations.

/** The average number of times that a day is compared with its raw rows: hourly, while it is today or yesterday. */
const VERIFICATIONS = 36;
const TICKS_PER_MONTH = 30 * 24 * 60;
const QUERY_WIDTH = 150;

export const BILL_HEAD = head([
	['$ per million', 20],
	['total', 7],
	['requests', 9],
	['CPU', 6],
	['queues', 7],
	['read', 6],
	['written', 8],
	['logs', 6],
	['| rows read', 12],
	['written', 8],
	['CPU ms', 7],
	['KB stored', 10],
]);

export function billLine(name: string, usage: Measured): string {
	const bill = billOf(usage);
	return [
		name.padEnd(20),
		dollars(bill.total).padStart(7),
		dollars(bill.requests).padStart(9),
		dollars(bill.cpuMs).padStart(6),
		dollars(bill.queueOperations).padStart(7),
		dollars(bill.rowsRead).padStart(6),
		dollars(bill.rowsWritten).padStart(8),
		dollars(bill.logEvents).padStart(6),
		short(usage.rowsRead).padStart(12),
		short(usage.rowsWritten).padStart(8),
		usage.cpuMs.toFixed(1).padStart(7),
		(usage.bytes / 1_000).toFixed(1).padStart(10),
	].join(' ');
}

export function verificationLine(name: string, rowsRead: number): string {
	const cost = billOf({ requests: 0, cpuMs: 0, queueOperations: 0, rowsRead: rowsRead * VERIFICATIONS, rowsWritten: 0, logEvents: 0 });
	return `The hourly comparison with the raw rows reads ${short(rowsRead)} rows per ${name}, ${VERIFICATIONS} times: $${dollars(cost.total)} per million`;
}

export function restLine(usage: Measured): string {
	const { total } = billOf(usage);
	return `A cron run without work: ${short(usage.rowsRead)} rows read, ${short(usage.rowsWritten)} written; all runs of a month: $${dollars((total * TICKS_PER_MONTH) / 1_000_000)}`;
}

/** Lists the statements, starting with those that write the most rows. */
export function statementLines(name: string, statements: readonly StatementCost[]): string {
	const sum = (of: 'rowsRead' | 'rowsWritten') => statements.reduce((total, cost) => total + cost[of], 0);
	const lines = statements
		.toSorted((a, b) => b.rowsWritten - a.rowsWritten || b.rowsRead - a.rowsRead)
		.map(({ query, runs, rowsRead, rowsWritten }) => {
			const text = query.replaceAll(/\s+/g, ' ').trim();
			return `${String(rowsWritten).padStart(8)} ${String(rowsRead).padStart(6)} ${`x${runs}`.padStart(5)}  ${text.slice(0, QUERY_WIDTH)}`;
		});
	return `\n${name}: ${sum('rowsWritten')} written, ${sum('rowsRead')} read\n written   read  runs\n${lines.join('\n')}`;
}

function dollars(value: number): string {
	return value.toFixed(2);
}
