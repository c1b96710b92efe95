import type { Context, TypedResponse } from 'hono';
import { accepts } from 'hono/accepts';
import { invalid } from '../domain/rejection.ts';
import type { AppContext } from './app-env.ts';
import { streamFile } from './stream-file.ts';

export type CsvValue = string | number | boolean | null;
/** A value for each column of a header such as `a,b,c`. */
export type CsvRow<Header extends string> = Readonly<Record<NamesOf<Header>, CsvValue>>;
type NamesOf<Header extends string> = Header extends `${infer Name},${infer Rest}` ? Name | NamesOf<Rest> : Header;
type Pages<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

/** The rows read in one round trip. */
export const CSV_SLICE_ROWS = 5_000;
/** A request has no time for more rows, and a spreadsheet no room. Longer files are refused before the first byte. */
export const MOST_CSV_ROWS = 1_000_000;

export function wantsCsv(c: Context): boolean {
	return accepts(c, { header: 'Accept', supports: ['application/json', 'text/csv'], default: 'application/json' }) === 'text/csv';
}

/** Sends a page as CSV (RFC 4180). X-Next-Cursor has the cursor of the next page. */
export function answerCsv<Header extends string>(
	c: AppContext,
	name: string,
	header: Header,
	page: {
		readonly rows: readonly CsvRow<Header>[];
		readonly nextCursor: number | string | null;
		readonly status?: 201;
		/** Omits the header row, for tools that would read it as data. */
		readonly isBare?: boolean;
	},
) {
	if (page.nextCursor !== null) c.header('X-Next-Cursor', String(page.nextCursor));
	c.header('Vary', 'Accept', { append: true });
	const text = page.isBare ? formatRows(header, page.rows) : formatCsv(header, page.rows);
	return c.text(text, page.status ?? 200, headersOf(name, page.isBare));
}

/** Streams pages as one CSV file. An error aborts the transfer. */
export function streamCsv<Header extends string>(
	c: AppContext,
	name: string,
	header: Header,
	pages: Pages<CsvRow<Header>>,
): Response & TypedResponse<string, 200, 'text'>;
export function streamCsv(c: AppContext, name: string, header: string, pages: Pages<CsvRow<string>>): Response {
	return streamFile(c, { name, headers: headersOf(name) }, linesOf(header, pages));
}

/** Reads each page of a list while the previous one is being sent. */
export async function* wholeList<Cursor, Page extends { readonly nextCursor: Cursor | null }>(
	first: Page,
	readAfter: (cursor: Cursor) => Promise<Page>,
): AsyncGenerator<Page, undefined> {
	for (let page = first; ; page = await readAfter(page.nextCursor)) {
		yield page;
		if (page.nextCursor === null) return;
	}
}

/** Rejects with 400 if a whole file is requested with a backward cursor. */
export function requireForward(cursor: { readonly isBack: boolean } | undefined): void {
	if (cursor?.isBack) throw invalid('A CSV file of the whole list has no previous_cursor. Leave it out or send a limit');
}

/** Rejects with 400 if the file is too long for one request. */
export function requireSendable(hasMore: boolean): void {
	if (!hasMore) return;
	throw invalid(
		`The file would have more than ${MOST_CSV_ROWS.toLocaleString('en')} rows. Request a shorter range, or pages with limit and cursor`,
	);
}

function headersOf(name: string, isBare = false) {
	return {
		'Content-Type': `text/csv; charset=utf-8; header=${isBare ? 'absent' : 'present'}`,
		'Content-Disposition': `attachment; filename="${name}.csv"`,
	};
}

async function* linesOf(header: string, pages: Pages<CsvRow<string>>): AsyncGenerator<string, undefined> {
	yield formatCsv(header, []);
	for await (const rows of pages) yield formatRows(header, rows);
}

export function formatCsv<Header extends string>(header: Header, rows: readonly CsvRow<Header>[]): string {
	return `${header}\r\n${formatRows(header, rows)}`;
}

function formatRows(header: string, rows: readonly CsvRow<string>[]): string {
	const names = header.split(',');
	return rows.map((row) => formatLine(names.map((name) => row[name] ?? null))).join('');
}

/** Gives each other currency its own columns, such as `revenue_EUR`. */
export function inCurrencies<Figure extends string>(
	codes: readonly string[],
	figures: readonly Figure[],
	amounts: Readonly<Record<string, Readonly<Record<Figure, number>>>> = {},
): Record<string, number> {
	return Object.fromEntries(codes.flatMap((code) => figures.map((figure) => [`${figure}_${code}`, amounts[code]?.[figure] ?? 0])));
}

/** Adds the matching row of `previous` to each row, in columns such as `previous_date` (decision 45). */
export function comparedRows(columns: readonly string[], rows: readonly CsvRow<string>[], previous: readonly CsvRow<string>[] | undefined) {
	if (!previous) return { header: columns.join(), rows };
	return {
		header: [...columns, ...columns.map(previousName)].join(),
		rows: rows.map((row, index) => {
			const before = Object.entries(previous[index] ?? {});
			return { ...row, ...Object.fromEntries(before.map(([column, value]) => [previousName(column), value])) };
		}),
	};
}

function previousName(column: string): string {
	return `previous_${column}`;
}

function formatLine(values: readonly CsvValue[]): string {
	return `${values.map(formatField).join(',')}\r\n`;
}

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * A spreadsheet starts a formula at a leading tab or line break, and at a sign (even full-width) after at most invisible characters. If
 * Excel separates by `;`, it ignores quotes, so a cell begins after each `;`, tab and line break.
 */
const FORMULA = /^(?=(?:[^\S\t\r\n]|\p{Cf})*[=+\-@＝＋－＠]|[\t\r\n])|(?<=[;\t\n]|\r(?!\n))(?=(?:[^\S\t\r\n]|\p{Cf}|")*[=+\-@＝＋－＠])/gu;
const SPECIAL = /[",;\t\r\n]/;

/** A leading apostrophe marks text that a spreadsheet would execute as a formula. Numbers stay numbers. */
function formatField(value: CsvValue): string {
	const text = value === null ? '' : String(value);
	const safe = NUMBER.test(text) ? text : text.replaceAll(FORMULA, "'");
	return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
