import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/domain/calendar.ts';
import { hasFailedTooLong, MOST_ATTEMPTS, nextAttemptAt, retryAfterOf } from '../../../src/domain/webhooks/webhook-schedule.ts';

const NOW = Date.parse('2026-01-31T12:00:00Z');

describe('the schedule', () => {
	test.each([
		[1, 5 * SECOND_MS],
		[2, 5 * MINUTE_MS],
		[3, 30 * MINUTE_MS],
		[4, 2 * HOUR_MS],
		[5, 5 * HOUR_MS],
		[6, 10 * HOUR_MS],
		[7, 14 * HOUR_MS],
		[8, 20 * HOUR_MS],
		[9, 24 * HOUR_MS],
	])('after %i attempts waits %i ms, and at most a fifth more', (tries, wait) => {
		expect(nextAttemptAt(tries, NOW, 0)).toBe(NOW + wait);
		expect(nextAttemptAt(tries, NOW, 0.5)).toBe(NOW + wait * 1.1);
		expect(nextAttemptAt(tries, NOW, 1)).toBe(NOW + wait * 1.2);
	});

	test('ends with the tenth attempt', () => {
		expect(MOST_ATTEMPTS).toBe(10);
		expect(nextAttemptAt(MOST_ATTEMPTS, NOW, 0)).toBeUndefined();
		expect(nextAttemptAt(MOST_ATTEMPTS, NOW, 0, HOUR_MS)).toBeUndefined();
	});

	test('waits as long as the receiver asks if that is longer, up to a day', () => {
		expect(nextAttemptAt(1, NOW, 0, MINUTE_MS)).toBe(NOW + MINUTE_MS);
		expect(nextAttemptAt(2, NOW, 0, MINUTE_MS)).toBe(NOW + 5 * MINUTE_MS);
		expect(nextAttemptAt(1, NOW, 0, 400 * DAY_MS)).toBe(NOW + DAY_MS);
	});
});

test.each([
	['120', 120 * SECOND_MS],
	[' 7 ', 7 * SECOND_MS],
	['0', 0],
	['Sat, 31 Jan 2026 12:01:30 GMT', 90 * SECOND_MS],
	['Sat, 31 Jan 2026 11:00:00 GMT', 0],
	['2026-02-01', 0],
	['soon', 0],
	['-5', 0],
	['1.5', 0],
	['1234567890', 0],
	['', 0],
	[null, 0],
])('Retry-After %j is %i ms', (header, expected) => {
	expect(retryAfterOf(header, NOW)).toBe(expected);
});

test.each([
	[20, DAY_MS, true],
	[19, DAY_MS, false],
	[1_000, DAY_MS - 1, false],
	[1, 5 * DAY_MS, true],
	[1, 5 * DAY_MS - 1, false],
	[20, 5 * DAY_MS - 1, true],
])('%i failures in a row over %i ms disable: %s', (failures, forMs, expected) => {
	expect(hasFailedTooLong(failures, NOW - forMs, NOW)).toBe(expected);
});
