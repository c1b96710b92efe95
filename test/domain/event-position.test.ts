import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byNewest, EVENT_TYPES, type EventPosition, formatPosition, parsePosition, rangeBehind } from '../../src/domain/event-position.ts';

/** Few instants and ids, so that many events share one. */
const positions: fc.Arbitrary<EventPosition> = fc.record({
	at: fc.nat(3),
	type: fc.constantFrom(...EVENT_TYPES),
	id: fc.integer({ min: 1, max: 3 }),
});

test('the newest event comes first; of one instant the refund, then the sale, the lead and the click; then the greater id', () => {
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

test('what lies behind a position are the very events that come after it in the list', () => {
	fc.assert(
		fc.property(positions, positions, (position, event) => {
			const { before, belowId } = rangeBehind(position, event.type);
			const isBehind = event.at < before || (event.at === before && belowId !== undefined && event.id < belowId);
			expect(isBehind).toBe(byNewest(event, position) > 0);
		}),
		{ numRuns: 1_000 },
	);
});

describe('a cursor', () => {
	test('is a position, and back', () => {
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
	])('%j is none', (text) => {
		expect(parsePosition(text)).toBeUndefined();
	});
});
