import type { ScaleRequest } from '../testing/scale/cases.ts';

/** The case of a route at scale that reads the most rows. */
export interface ScaleRow {
	readonly operation: string;
	readonly request: ScaleRequest;
	readonly status: number;
	readonly rowsRead: number;
	readonly answered: number;
	readonly trips: number;
	readonly p50Ms: number;
	/** The longest trip to D1. A sale on a deployment waits no longer than this, because the next trip lets it pass. */
	readonly tripMs: number;
	/** The longest wait of a sale during the read. */
	readonly saleMs: number;
}

/** A change or a job. */
export interface WorkRow {
	readonly name: string;
	/** At full size, some calls are refused because they would change too much. */
	readonly status: number;
	readonly rowsRead: number;
	readonly trips: number;
	readonly ms: number;
	readonly tripMs: number;
	/** The longest wait of a sale in the meantime. Longer than on a deployment, because here the Worker and D1 share a thread. */
	readonly saleMs: number;
}

/** Prints a Markdown table, with the longest trip first. */
export function printWorkTable(rows: readonly WorkRow[]): void {
	console.log('\n| Change or job | Rows read | Trips | ms | Longest trip, ms | Wait of a sale meanwhile, ms |');
	console.log('|---|---:|---:|---:|---:|---:|');
	for (const { name, status, rowsRead, trips, ms, tripMs, saleMs } of rows.toSorted((a, b) => b.tripMs - a.tripMs)) {
		const figures = [rowsRead, trips, Math.round(ms), Math.round(tripMs), Math.round(saleMs)];
		console.log(`| ${name}${status < 300 ? '' : ` (${status})`} | ${figures.map((figure) => figure.toLocaleString('en')).join(' | ')} |`);
	}
}

/** Prints a Markdown table, with the most expensive route first. */
export function printScaleTable(rows: readonly ScaleRow[]): void {
	console.log('\n| Route | Worst case | Rows read | Rows returned | Trips | p50 ms | Longest trip, ms | Wait of a sale meanwhile, ms |');
	console.log('|---|---|---:|---:|---:|---:|---:|---:|');
	for (const { operation, request, status, rowsRead, answered, trips, p50Ms, tripMs, saleMs } of rows.toSorted(
		(a, b) => b.rowsRead - a.rowsRead,
	)) {
		const [, query = ''] = request.path.split('?');
		const which = `${request.isCsv ? 'CSV ' : ''}${query === '' ? '' : `\`${query}\` `}${request.as === 'owner' ? '' : `as ${request.as} `}${status === 200 ? '' : `(${status})`}`;
		const figures = [rowsRead, answered, trips, Math.round(p50Ms), Math.round(tripMs), Math.round(saleMs)];
		console.log(`| ${operation} | ${which.trim()} | ${figures.map((figure) => figure.toLocaleString('en')).join(' | ')} |`);
	}
}
