// Decision 61.

const ROWS_PER_ROW = 20;
const ROWS_BESIDE = 5_000;

/** How many rows a call may read if it returns or changes this many. */
export function budgetOf(rows: number): number {
	return ROWS_PER_ROW * rows + ROWS_BESIDE;
}

/** Objects in lists at any depth, or lines of a file. A response about a single thing has one row. */
export function rowsAnswered(contentType: string | null, text: string): number {
	const type = contentType ?? '';
	if (/ndjson/.test(type)) return Math.max(1, linesOf(text));
	if (/csv/.test(type)) return Math.max(1, linesOf(text) - 1);
	if (!/json/.test(type) || text === '') return 1;
	const body: unknown = JSON.parse(text);
	return Math.max(1, listed(body));
}

function linesOf(text: string): number {
	return text.split('\n').filter((line) => line !== '').length;
}

function listed(value: unknown): number {
	if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + Math.max(isObject(item) ? 1 : 0, listed(item)), 0);
	return isObject(value) ? Object.values(value).reduce((sum: number, item) => sum + listed(item), 0) : 0;
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
