import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import { isCountWritten, mismatchAdvice, timestampAdvice, timestampRefusal } from '../../../src/domain/monitoring/signature-failure.ts';

const AT = Date.UTC(2026, 4, 3, 10, 12);

const adviceOn = (failures: number) => mismatchAdvice('Stripe', { kind: 'mismatch', failures, lastAt: AT, offsetMs: null });

test('a wrong secret is named with the number of events and the last time', () => {
	expect(adviceOn(1)).toMatch(/^1 event from Stripe arrived with a signature that does not match, the last on 3 May 2026, 10:12 UTC/);
	expect(adviceOn(8)).toMatch(/^8 events from Stripe/);
	// From 16 on, the number is a lower bound.
	expect(adviceOn(16)).toMatch(/^At least 16 events from Stripe/);
});

describe('a wrong timestamp', () => {
	test.each([
		[-301_400, '301 seconds', 'behind'],
		[10 * MINUTE_MS, '10 minutes', 'ahead'],
		[-20 * MINUTE_MS, '20 minutes', 'behind'],
		[119 * MINUTE_MS, '119 minutes', 'ahead'],
		[2 * HOUR_MS, '2 hours', 'ahead'],
		[-47 * HOUR_MS, '47 hours', 'behind'],
		[-2 * DAY_MS, '2 days', 'behind'],
	])('by %d ms', (offsetMs, distance, direction) => {
		const advice = timestampAdvice('Paddle', { kind: 'timestamp', failures: 3, lastAt: AT, offsetMs });
		expect(advice).toContain(
			`3 events from Paddle arrived with the right signature but a wrong timestamp, the last on 3 May 2026, 10:12 UTC. Its timestamp was ${distance} ${direction}.`,
		);
		expect(timestampRefusal(offsetMs)).toContain(
			`the timestamp is ${distance} ${direction === 'ahead' ? 'ahead of' : direction} the time here`,
		);
	});
});

describe('an isolate writes', () => {
	test('each of the first eight failures, and then each doubling', () => {
		const written = Array.from({ length: 100 }, (_, index) => index + 1).filter(isCountWritten);
		expect(written).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64]);
	});

	test('at least half of them, and never many', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 100_000 }), (flood) => {
				let [last, writes] = [0, 0];
				for (let count = 1; count <= flood; count += 1) if (isCountWritten(count)) [last, writes] = [count, writes + 1];
				expect(last * 2).toBeGreaterThan(flood);
				expect(writes).toBeLessThanOrEqual(8 + Math.log2(flood));
			}),
			{ numRuns: 20 },
		);
	});
});
