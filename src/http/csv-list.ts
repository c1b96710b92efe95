import type { Page, PageRequest } from '../domain/page.ts';
import type { AppContext } from './app-env.ts';
import { answerCsv, CSV_SLICE_ROWS, type CsvRow, MOST_CSV_ROWS, requireForward, requireSendable, streamCsv, wholeList } from './csv.ts';
import { foundMetaOf } from './page.ts';
import { sentQuery } from './validate.ts';

interface List<Row, OnWire, Header extends string> {
	readonly name: string;
	readonly header: Header;
	readonly isCsv: boolean;
	readonly page: PageRequest;
	readonly read: (page: PageRequest) => Promise<Page<Row>>;
	readonly onWire: (row: Row) => OnWire;
	readonly inLine: (row: Row) => CsvRow<Header>;
}

/** Sends a page of JSON, or a CSV, which is complete unless a limit is given. */
export async function answerList<Row, OnWire, Header extends string>(c: AppContext, list: List<Row, OnWire, Header>) {
	const { name, header, isCsv, page, read, inLine } = list;
	if (isCsv && !('limit' in sentQuery(c))) {
		c.header('Vary', 'Accept', { append: true });
		return streamCsv(c, name, header, linesFrom(list, await firstSlice(list)));
	}
	const found = await read(page);
	if (isCsv) return answerCsv(c, name, header, { rows: found.rows.map(inLine), nextCursor: found.nextCursor });
	return c.json({ success: true, data: found.rows.map(list.onWire), meta: foundMetaOf(found) });
}

/** Rows added later are newer than the first slice, so the file never includes them. */
async function firstSlice<Row, OnWire, Header extends string>({ page: { cursor }, read }: List<Row, OnWire, Header>): Promise<Page<Row>> {
	requireForward(cursor);
	const first = await read({ cursor, limit: CSV_SLICE_ROWS });
	if (first.nextCursor !== null) {
		const { total } = await read({ limit: 1, total: true, countTo: MOST_CSV_ROWS });
		requireSendable(total?.isMore ?? false);
	}
	return first;
}

async function* linesFrom<Row, OnWire, Header extends string>({ read, inLine }: List<Row, OnWire, Header>, first: Page<Row>) {
	const readAfter = (position: number) => read({ cursor: { position, isBack: false }, limit: CSV_SLICE_ROWS });
	for await (const page of wholeList(first, readAfter)) yield page.rows.map(inLine);
}
