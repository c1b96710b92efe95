import type { Page, PageRequest } from '../domain/page.ts';
import type { AppContext } from './app-env.ts';
import { answerCsv, CSV_PAGE_ROWS, type CsvRow, streamCsv, wholeList } from './csv.ts';
import { foundMetaOf } from './page.ts';
import { sentQuery } from './validate.ts';

interface List<Row, OnWire, Header extends string> {
	/** Of the file. */
	readonly name: string;
	readonly header: Header;
	/** What wantsCsv says. */
	readonly isCsv: boolean;
	readonly page: PageRequest;
	readonly read: (page: PageRequest) => Promise<Page<Row>>;
	readonly onWire: (row: Row) => OnWire;
	readonly inLine: (row: Row) => CsvRow<Header>;
}

/** A list as a page of JSON, or as CSV: all of it unless a limit is given. */
export async function answerList<Row, OnWire, Header extends string>(c: AppContext, list: List<Row, OnWire, Header>) {
	const { name, header, isCsv, page, read, inLine } = list;
	if (isCsv && !('limit' in sentQuery(c))) {
		const readAfter = (cursor: number | undefined) => read({ cursor, limit: CSV_PAGE_ROWS });
		c.header('Vary', 'Accept', { append: true });
		return streamCsv(c, name, header, linesFrom(await readAfter(page.cursor), readAfter, inLine));
	}
	const found = await read(page);
	if (isCsv) return answerCsv(c, name, header, { rows: found.rows.map(inLine), nextCursor: found.nextCursor });
	return c.json({ success: true, data: found.rows.map(list.onWire), meta: foundMetaOf(found) });
}

async function* linesFrom<Row, Line>(first: Page<Row>, readAfter: (cursor: number) => Promise<Page<Row>>, inLine: (row: Row) => Line) {
	for await (const page of wholeList(first, readAfter)) yield page.rows.map(inLine);
}
