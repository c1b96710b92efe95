import type { Asked } from '../testing/scale/asked.ts';

/** A route at scale, by the case of it that reads most. */
export interface ScaleRow {
	readonly operation: string;
	readonly asked: Asked;
	readonly status: number;
	readonly rowsRead: number;
	readonly answered: number;
	readonly trips: number;
	readonly p50Ms: number;
	/** The longest wait of a sale beside it. */
	readonly saleMs: number;
}

/** As a table of Markdown, the dearest first. */
export function printScaleTable(rows: readonly ScaleRow[]): void {
	console.log('\n| Route | Worst case | Rows read | Rows answered | Trips | p50 ms | A sale beside it waits, ms |');
	console.log('|---|---|---:|---:|---:|---:|---:|');
	for (const { operation, asked, status, rowsRead, answered, trips, p50Ms, saleMs } of rows.toSorted((a, b) => b.rowsRead - a.rowsRead)) {
		const [, query = ''] = asked.path.split('?');
		const which = `${asked.isCsv ? 'CSV ' : ''}${query === '' ? '' : `\`${query}\` `}${asked.as === 'owner' ? '' : `as ${asked.as} `}${status === 200 ? '' : `(${status})`}`;
		const figures = [rowsRead, answered, trips, Math.round(p50Ms), Math.round(saleMs)];
		console.log(`| ${operation} | ${which.trim()} | ${figures.map((figure) => figure.toLocaleString('en')).join(' | ')} |`);
	}
}
