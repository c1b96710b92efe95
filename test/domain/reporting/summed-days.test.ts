import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, HOUR_MS } from '../../../src/domain/calendar.ts';
import type { DayOrInstant } from '../../../src/domain/moment.ts';
import { summedRangeOf } from '../../../src/domain/reporting/summed-days.ts';

/** Whole and half hours around a clock change, so that bounds also fall on the start of a day. */
const START = Date.parse('2026-03-27T00:00:00Z');
const anInstant = fc
	.integer({ min: 0, max: 144 })
	.chain((halfHours) => fc.constantFrom(-1, 0, 1).map((ms) => START + halfHours * (HOUR_MS / 2) + ms));
const aZone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata');
const aMoment: fc.Arbitrary<DayOrInstant | undefined> = fc.oneof(
	fc.constant(undefined),
	anInstant.map((at) => ({ kind: 'instant', at }) as const),
	anInstant.map((at) => ({ kind: 'day', day: dayOf(at, 'UTC') }) as const),
);

test('an instant is in a whole day or a part of one exactly if it is in the range', () => {
	fc.assert(
		fc.property(aMoment, aMoment, anInstant, aZone, (from, to, at, timeZone) => {
			const day = dayOf(at, timeZone);
			const isAfter = !from || (from.kind === 'day' ? day >= from.day : at >= from.at);
			const isBefore = !to || (to.kind === 'day' ? day <= to.day : at <= to.at);
			const { first, last, parts } = summedRangeOf({ from, to }, timeZone);
			const inWhole = day >= first && day <= last;
			const inParts = parts.filter((part) => part.day === day && at >= part.from && at <= part.to);
			expect([inWhole, ...inParts].filter(Boolean)).toHaveLength(isAfter && isBefore ? 1 : 0);
		}),
		{ numRuns: 2_000 },
	);
});

test('calendar days have no parts', () => {
	const range = { from: { kind: 'day', day: '2026-05-01' }, to: { kind: 'day', day: '2026-05-31' } } as const;
	expect(summedRangeOf(range, 'Europe/Berlin')).toEqual({ first: '2026-05-01', last: '2026-05-31', parts: [] });
});
