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
	/** The longest wait of a sale during the read. */
	readonly saleMs: number;
}

/** Prints a Markdown table, with the most expensive route first. */
export function printScaleTable(rows: readonly ScaleRow[]): void {
	console.log('\n| Route | Worst case | Rows read | Rows returned | Trips | p50 ms | Wait of a sale meanwhile, ms |');
	console.log('|---|---|---:|---:|---:|---:|---:|');
	for (const { operation, request, status, rowsRead, answered, trips, p50Ms, saleMs } of rows.toSorted((a, b) => b.rowsRead - a.rowsRead)) {
		const [, query = ''] = request.path.split('?');
		const which = `${request.isCsv ? 'CSV ' : ''}${query === '' ? '' : `\`${query}\` `}${request.as === 'owner' ? '' : `as ${request.as} `}${status === 200 ? '' : `(${status})`}`;
		const figures = [rowsRead, answered, trips, Math.round(p50Ms), Math.round(saleMs)];
		console.log(`| ${operation} | ${which.trim()} | ${figures.map((figure) => figure.toLocaleString('en')).join(' | ')} |`);
	}
}
