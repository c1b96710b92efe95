import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from '../../src/domain/page.ts';

test('the pages of a list, one after the other, are the whole list', () => {
	fc.assert(
		fc.property(fc.nat(20), fc.integer({ min: 1, max: 7 }), (count, limit) => {
			const list = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
			const seen: { readonly id: number }[] = [];
			for (let cursor: number | null = 0; cursor !== null;) {
				const after: number = cursor;
				const { rows, nextCursor } = pageOf(list.filter(({ id }) => id > after).slice(0, limit + 1), limit);
				expect(rows.length).toBeLessThanOrEqual(limit);
				// A cursor promises more: no page but the first is empty.
				if (after > 0) expect(rows.length).toBeGreaterThan(0);
				seen.push(...rows);
				cursor = nextCursor;
			}
			expect(seen).toEqual(list);
		}),
	);
});

test('a page that is just full is the last one', () => {
	expect(pageOf([{ id: 4 }, { id: 5 }], 2)).toEqual({ rows: [{ id: 4 }, { id: 5 }], nextCursor: null });
	expect(pageOf([{ id: 4 }, { id: 5 }, { id: 6 }], 2)).toEqual({ rows: [{ id: 4 }, { id: 5 }], nextCursor: 5 });
	expect(pageOf([], 2)).toEqual({ rows: [], nextCursor: null });
});
