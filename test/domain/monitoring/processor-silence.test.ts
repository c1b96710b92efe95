import { expect, test } from 'vitest';
import { HEARD, silentSince } from '../../../src/domain/monitoring/processor-silence.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const now = Date.UTC(2026, 10, 23);

/** Each payment is a few nearly simultaneous events. They are `apartMs` apart, and the last was `agoMs` ago. */
function payments(count: number, apartMs: number, agoMs: number, events = 6): number[] {
	return Array.from({ length: count * events }, (_, index) => now - agoMs - Math.floor(index / events) * apartMs - (index % events) * 500);
}

test.each([
	['no event has ever arrived', [], false],
	['too few events to compare', payments(3, 2 * DAY_MS, 90 * DAY_MS), false],
	['events on too few days', payments(10, HOUR_MS, 30 * DAY_MS), false],
	['a payment every hour, none for a day', payments(200, HOUR_MS, DAY_MS), false],
	['a payment every hour, none for a day and a second', payments(200, HOUR_MS, DAY_MS + 1_000), true],
	['a payment every four days, none for twelve', payments(10, 4 * DAY_MS, 12 * DAY_MS - 10_000), false],
	['a payment every four days, none for thirteen', payments(10, 4 * DAY_MS, 13 * DAY_MS), true],
	['a very busy shop, no payment for a day', payments(HEARD, 60_000, DAY_MS + 1_000, 1), true],
	['a good first day, then none for as long', payments(HEARD, 10 * 60_000, 2 * DAY_MS, 1), false],
	['a good first day, then none for longer', payments(HEARD, 10 * 60_000, 3 * DAY_MS, 1), true],
])('%s', (_what, heard, isSilent) => {
	expect(silentSince(heard, now)).toBe(isSilent ? Math.max(...heard) : null);
	expect(silentSince(heard.toReversed(), now)).toBe(isSilent ? Math.max(...heard) : null);
});

test('a shop that is closed on weekends is not silent', () => {
	// Eight payments on each working day of four weeks. The last is on Friday evening.
	const friday = Date.UTC(2026, 10, 20, 18);
	const heard = Array.from({ length: 28 }, (_, day) => friday - day * DAY_MS)
		.filter((at) => ![0, 6].includes(new Date(at).getUTCDay()))
		.flatMap((at) => Array.from({ length: 8 }, (_, payment) => at - payment * HOUR_MS));
	for (let hours = 0; hours < 4 * 24; hours += 1) expect(silentSince(heard, friday + hours * HOUR_MS)).toBeNull();
});
