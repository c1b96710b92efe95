import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	byNewest,
	EVENT_TYPES,
	type EventPosition,
	formatPosition,
	pageOf,
	parsePosition,
	rangeAhead,
	rangeBehind,
} from '../../../src/domain/reporting/event-position.ts';

/** Few distinct instants and ids, so that events often share one. */
const positions: fc.Arbitrary<EventPosition> = fc.record({
	at: fc.nat(3),
	type: fc.constantFrom(...EVENT_TYPES),
	id: fc.integer({ min: 1, max: 3 }),
});

test('the newest event is first; at the same instant refund, sale, lead, click; then the greater id', () => {
	const inOrder: EventPosition[] = [
		{ at: 2, type: 'click', id: 1 },
		{ at: 1, type: 'refund', id: 1 },
		{ at: 1, type: 'sale', id: 2 },
		{ at: 1, type: 'sale', id: 1 },
		{ at: 1, type: 'lead', id: 9 },
		{ at: 1, type: 'click', id: 9 },
		{ at: 0, type: 'refund', id: 9 },
	];
	fc.assert(
		fc.property(fc.shuffledSubarray(inOrder, { minLength: inOrder.length }), (shuffled) => {
			expect(shuffled.toSorted(byNewest)).toEqual(inOrder);
		}),
	);
});

test('the events before a position are exactly those before it in the list', () => {
	fc.assert(
		fc.property(positions, positions, (position, event) => {
			const { from, aboveId } = rangeAhead(position, event.type);
			const isAhead = event.at > from || (event.at === from && (aboveId === undefined || event.id > aboveId));
			expect(isAhead).toBe(byNewest(event, position) < 0);
		}),
		{ numRuns: 1_000 },
	);
});

test('the events after a position are exactly those after it in the list', () => {
	fc.assert(
		fc.property(positions, positions, (position, event) => {
			const { before, belowId } = rangeBehind(position, event.type);
			const isBehind = event.at < before || (event.at === before && belowId !== undefined && event.id < belowId);
			expect(isBehind).toBe(byNewest(event, position) > 0);
		}),
		{ numRuns: 1_000 },
	);
});

const at = (time: number, type: EventPosition['type'] = 'click'): EventPosition => ({ at: time, type, id: 1 });
const meets = ({ id }: EventPosition) => id !== 2;

describe('a page', () => {
	test('has the newest matches; the next page continues after its last', () => {
		const found = [at(1), at(4), at(3, 'sale'), at(2)];
		expect(pageOf(found, [], { skip: 1, limit: 2 })).toEqual({ events: [at(3, 'sale'), at(2)], nextCursor: at(2), previousCursor: null });
		expect(pageOf(found, [], { skip: 0, limit: 4 }).nextCursor).toBeNull();
	});

	test('ends where the search stopped, even if it is short or empty', () => {
		const found = [at(9), at(4), at(2)];
		expect(pageOf(found, [at(1), at(4, 'lead')], { skip: 0, limit: 9 })).toEqual({
			events: [at(9)],
			nextCursor: at(4, 'lead'),
			previousCursor: null,
		});
		expect(pageOf(found, [at(4)], { skip: 0, limit: 9 })).toEqual({ events: [at(9), at(4)], nextCursor: at(4), previousCursor: null });
		expect(pageOf([], [at(4)], { skip: 0, limit: 9 })).toEqual({ events: [], nextCursor: at(4), previousCursor: null });
	});

	test('when paging back has the oldest matches, and ends where the search stopped', () => {
		const cursor = { position: at(0), isBack: true };
		const found = [at(1), at(4), at(3, 'sale'), at(2)];
		expect(pageOf(found, [], { cursor, skip: 0, limit: 2 })).toEqual({
			events: [at(2), at(1)],
			nextCursor: at(1),
			previousCursor: at(2),
		});
		expect(pageOf(found, [], { cursor, skip: 0, limit: 4 }).previousCursor).toBeNull();
		expect(pageOf(found, [at(3, 'lead'), at(9)], { cursor, skip: 0, limit: 9 })).toEqual({
			events: [at(2), at(1)],
			nextCursor: at(1),
			previousCursor: at(3, 'lead'),
		});
	});

	test('page by page, all matches appear once, however few events are searched at a time', () => {
		const unique = fc.uniqueArray(positions, { selector: formatPosition, maxLength: 30 });
		fc.assert(
			fc.property(unique, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), (all, through, limit) => {
				const seen: EventPosition[] = [];
				let cursor: EventPosition | null = null;
				for (let pages = 0; pages < 100; pages += 1) {
					const last: EventPosition | null = cursor;
					const rest: EventPosition[] = all.filter((event) => !last || byNewest(event, last) > 0).toSorted(byNewest);
					const looked = EVENT_TYPES.map((type) => rest.filter((event) => event.type === type).slice(0, through));
					const reached = looked.flatMap((events) => (events.length === through ? events.slice(-1) : []));
					const page: ReturnType<typeof pageOf<EventPosition>> = pageOf(
						looked.flatMap((events) => events.filter(meets).slice(0, limit + 1)),
						reached,
						{ skip: 0, limit },
					);
					seen.push(...page.events);
					cursor = page.nextCursor;
					if (!cursor) break;
				}
				expect(cursor).toBeNull();
				expect(seen).toEqual(all.filter(meets).toSorted(byNewest));
			}),
		);
	});
});

describe('a cursor', () => {
	test('encodes and decodes a position', () => {
		expect(formatPosition({ at: 1_770_000_000_000, type: 'sale', id: 12 })).toBe('1770000000000.sale.12');
		const any = fc.record({
			at: fc.nat(999_999_999_999_999),
			type: fc.constantFrom(...EVENT_TYPES),
			id: fc.integer({ min: 1, max: 999_999_999_999_999 }),
		});
		fc.assert(
			fc.property(any, (position) => {
				expect(parsePosition(formatPosition(position))).toEqual(position);
			}),
		);
	});

	test.each([
		'',
		'1',
		'1.sale',
		'1.sale.',
		'.sale.1',
		'1..1',
		'1.gift.1',
		'1.sale.0',
		'1.sale.01',
		'1.sale.-1',
		'-1.sale.1',
		'1.5.sale.1',
		'1.SALE.1',
		' 1.sale.1',
		'1.sale.1 ',
		'1.sale.1.1',
		'1.sale.x',
		'1-sale-1',
		'1234567890123456.sale.1',
		'1.sale.1234567890123456',
	])('%j is invalid', (text) => {
		expect(parsePosition(text)).toBeUndefined();
	});
});
