import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cursor, type Page, pageOf } from '../../src/domain/page.ts';

interface Row {
	readonly id: number;
}

/** A page of a list ordered by id, as a database returns it. */
function pageFrom(list: readonly Row[], cursor: Cursor | undefined, limit: number): Page<Row> {
	const after = list.filter(({ id }) => !cursor || id > cursor.position).slice(0, limit + 1);
	const before = list.filter(({ id }) => cursor && id < cursor.position).slice(-(limit + 1));
	return pageOf(cursor?.isBack ? before : after, { cursor, limit });
}

test('the pages one after the other are the whole list, forward and back, even if rows are added in front', () => {
	fc.assert(
		fc.property(fc.nat(20), fc.nat(9), fc.integer({ min: 1, max: 7 }), (count, added, limit) => {
			const list = Array.from({ length: count }, (_, index) => ({ id: 100 + index }));
			const seen: Row[] = [];
			let page = pageFrom(list, undefined, limit);
			for (;;) {
				seen.push(...page.rows);
				expect(page.rows.length).toBe(Math.min(limit, count - seen.length + page.rows.length));
				if (page.nextCursor === null) break;
				page = pageFrom(list, { position: page.nextCursor, isBack: false }, limit);
			}
			expect(seen).toEqual(list);

			const grown = [...Array.from({ length: added }, (_, index) => ({ id: 1 + index })), ...list];
			const again: Row[] = [...page.rows];
			while (page.previousCursor !== null) {
				page = pageFrom(grown, { position: page.previousCursor, isBack: true }, limit);
				// Only the first page may be shorter.
				if (page.previousCursor !== null) expect(page.rows).toHaveLength(limit);
				again.unshift(...page.rows);
			}
			expect(again).toEqual(count > limit ? grown : list);
		}),
	);
});

test('a page that is just full is the last one', () => {
	const edges = { nextCursor: null, previousCursor: null, total: undefined };
	expect(pageOf([{ id: 4 }, { id: 5 }], { limit: 2 })).toEqual({ ...edges, rows: [{ id: 4 }, { id: 5 }] });
	expect(pageOf([{ id: 4 }, { id: 5 }, { id: 6 }], { limit: 2 })).toEqual({ ...edges, rows: [{ id: 4 }, { id: 5 }], nextCursor: 5 });
	expect(pageOf([], { limit: 2 })).toEqual({ ...edges, rows: [] });
});

test('when paging back, the extra row is the first one', () => {
	const cursor = { position: 7, isBack: true };
	const page = { rows: [{ id: 5 }, { id: 6 }], nextCursor: 6, total: undefined };
	expect(pageOf([{ id: 4 }, { id: 5 }, { id: 6 }], { cursor, limit: 2 })).toEqual({ ...page, previousCursor: 5 });
	expect(pageOf([{ id: 5 }, { id: 6 }], { cursor, limit: 2 })).toEqual({ ...page, previousCursor: null });
	expect(pageOf([], { cursor, limit: 2 })).toEqual({ rows: [], nextCursor: null, previousCursor: null, total: undefined });
});

test('a total gives the number of rows and of those before the page, up to a thousand', () => {
	const [list, limit] = [[{ id: 5 }, { id: 6 }], 2];
	const forward = { cursor: { position: 4, isBack: false }, limit };
	const back = { cursor: { position: 7, isBack: true }, limit };
	expect(pageOf(list, forward, { rows: 9, isMore: false, ahead: 4 }).total).toEqual({ count: 9, isMore: false, offset: 4 });
	expect(pageOf(list, back, { rows: 9, isMore: false, ahead: 6 }).total).toEqual({ count: 9, isMore: false, offset: 4 });
	expect(pageOf(list, forward, { rows: 1_000, isMore: false, ahead: 4 }).total).toEqual({ count: 1_000, isMore: false, offset: 4 });
	expect(pageOf(list, forward, { rows: 1_001, isMore: true, ahead: null }).total).toEqual({ count: 1_000, isMore: true, offset: null });
	expect(pageOf(list, forward, { rows: 17, isMore: true, ahead: 4 }).total).toEqual({ count: 17, isMore: true, offset: 4 });
});
