import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import { FAULT_LIMIT, nextLookAt, nextTryAt, WAIT_MS } from '../../../src/domain/processors/inbox-schedule.ts';

const BEGAN = Date.UTC(2026, 10, 21);
const EXPIRES = BEGAN + WAIT_MS;

/** Minutes since the event was parked, if no other event resumes it. */
function looksOf(watch: 'often' | 'seldom'): number[] {
	const looks = [BEGAN];
	for (let last = BEGAN; last < EXPIRES;) {
		last = nextLookAt(last, EXPIRES, watch);
		looks.push(last);
	}
	return looks.map((at) => (at - BEGAN) / MINUTE_MS);
}

test('a parked event is tried after a minute, then at doubling intervals, finally every hour', () => {
	const looks = looksOf('often');
	expect(looks.slice(0, 10)).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 124, 184]);
	expect(looks.at(-1)).toBe(WAIT_MS / MINUTE_MS);
});

test('an event that others resume is tried seldom, because an unattributed payment must cost little', () => {
	const looks = looksOf('seldom');
	expect(looks.slice(0, 12)).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
	expect(looks.length).toBeLessThan(20);
	expect(looks.at(-1)).toBe(WAIT_MS / MINUTE_MS);
});

test('an unfinished attempt is repeated in a minute, however long the event has waited', () => {
	for (const waited of [0, HOUR_MS, 2 * DAY_MS]) expect(nextLookAt(BEGAN + waited, EXPIRES, 'soon')).toBe(BEGAN + waited + MINUTE_MS);
});

test('it waits longer than processors repeat their events', () => {
	expect(WAIT_MS).toBeGreaterThan(3 * DAY_MS);
});

test('the next attempt is in the future, and at the latest when the wait ends or a minute from now', () => {
	fc.assert(
		fc.property(fc.integer({ min: -HOUR_MS, max: 10 * DAY_MS }), fc.constantFrom('often' as const, 'seldom' as const), (waited, watch) => {
			const now = BEGAN + waited;
			const next = nextLookAt(now, EXPIRES, watch);
			expect(next).toBeGreaterThan(now);
			expect(next).toBeLessThanOrEqual(Math.max(EXPIRES, now + MINUTE_MS));
			expect(next - now).toBeLessThanOrEqual(12 * HOUR_MS);
		}),
	);
});

test('after a fault the intervals double, and attempts end within hours', () => {
	const tries = Array.from({ length: FAULT_LIMIT - 1 }, (_, index) => (nextTryAt(BEGAN, index + 1) - BEGAN) / MINUTE_MS);
	expect(tries).toEqual([1, 2, 4, 8, 16, 32, 64]);
});
