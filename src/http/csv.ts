import { accepts } from 'hono/accepts';
import type { Page } from '../domain/page.ts';
import type { AppContext } from './app-env.ts';

export type CsvValue = string | number | boolean | null;

/** Whether the caller would rather have CSV than JSON. */
export function wantsCsv(c: AppContext): boolean {
	return accepts(c, { header: 'Accept', supports: ['application/json', 'text/csv'], default: 'application/json' }) === 'text/csv';
}

/** A page as CSV (RFC 4180) with its columns' names on top; the cursor of the next page, if any, is in X-Next-Cursor. */
export function answerCsv<Row>(
	c: AppContext,
	name: string,
	columns: Readonly<Record<string, (row: Row) => CsvValue>>,
	page: Page<Row>,
	status: 200 | 201 = 200,
): Response {
	if (page.nextCursor !== null) c.header('X-Next-Cursor', String(page.nextCursor));
	c.header('Vary', 'Accept', { append: true });
	c.header('Content-Type', 'text/csv; charset=utf-8; header=present');
	c.header('Content-Disposition', `attachment; filename="${name}.csv"`);
	return c.body(formatCsv(columns, page.rows), status);
}

/** Lines end in CRLF, the last one too. */
export function formatCsv<Row>(columns: Readonly<Record<string, (row: Row) => CsvValue>>, rows: readonly Row[]): string {
	const lines = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((valueOf) => valueOf(row)))];
	return lines.map((line) => `${line.map(formatField).join(',')}\r\n`).join('');
}

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** A spreadsheet runs a field that begins like a formula: an apostrophe in front makes it text. Numbers stay numbers. */
function formatField(value: CsvValue): string {
	const text = value === null ? '' : String(value);
	const safe = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
