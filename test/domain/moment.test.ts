import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../src/domain/calendar.ts';
import { endOf, inZone, parseDayOrInstant, startOf } from '../../src/domain/moment.ts';

const NOON = Date.UTC(2026, 0, 31, 12);

test.each([
	['2026-01-31', { kind: 'day', day: '2026-01-31' }],
	['2028-02-29', { kind: 'day', day: '2028-02-29' }],
	['2026-01-31T12:00:00Z', { kind: 'instant', at: NOON }],
	['2026-01-31T12:00Z', { kind: 'instant', at: NOON }],
	['2026-01-31T12:00:00.000Z', { kind: 'instant', at: NOON }],
	['2026-01-31T12:00:00.000999999Z', { kind: 'instant', at: NOON }],
	['2026-01-31T12:00:00.5+02:00', { kind: 'instant', at: Date.UTC(2026, 0, 31, 10, 0, 0, 500) }],
	['2026-01-31T12:00-02:00', { kind: 'instant', at: Date.UTC(2026, 0, 31, 14) }],
	['2026-01-31T12:00:00', { kind: 'clock', day: '2026-01-31', clockMs: 12 * HOUR_MS }],
	['2026-01-31T23:59', { kind: 'clock', day: '2026-01-31', clockMs: 24 * HOUR_MS - 60_000 }],
	['2026-01-31T00:00:00.123456789', { kind: 'clock', day: '2026-01-31', clockMs: 123 }],
	// The query string has turned the + into a space.
	['2026-01-31T12:00 02:00', { kind: 'instant', at: Date.UTC(2026, 0, 31, 10) }],
])('the instant %j', (text, moment) => {
	expect(parseDayOrInstant(text)).toEqual(moment);
});

test.each([
	'',
	'31.1.2026',
	'2026-1-31',
	'2026-02-29',
	'2026-02-30',
	'2026-13-01',
	'2026-00-01',
	'2026-01-32',
	'12026-01-31',
	'+012026-01-31',
	'-002026-01-31',
	'2026-01-311',
	' 2026-01-31',
	'2026-01-31 ',
	'x2026-01-31T12:00:00Z',
	'2026-01-31T12:00:00Zx',
	'2026-01-31T12:00:00Z(x)',
	'2026-02-30T12:00:00Z',
	'2026-01-31T25:00:00Z',
	'2026-01-31T25:00:00',
	'2026-02-30T12:00:00',
	'2026-01-31T12',
	'2026-01-31T12:60:00Z',
	'2026-01-31T12:00:00+99:00',
	'2026-01-31T12:00:00.Z',
	'2026-01-31T12:00:00.0000000001Z',
	'2026-01-31T12:00.5Z',
	'2026-01-31T12Z',
	'2026-01-31T12:0:00Z',
	'2026-01-31T1:00:00Z',
	'2026-01-31T12:00:0Z',
	'2026-01-31T12:00:00+2:00',
	'2026-01-31T12:00:00+02:0',
	'2026-01-31T12:00:00+0200',
	'2026-01-31T12:00:00z',
	'2026-01-31t12:00:00Z',
	'2026-01-31T12:00:00 Z',
	'+002026-01-31T12:00:00Z',
])('%j is not an instant', (text) => {
	expect(parseDayOrInstant(text)).toBeUndefined();
});

test('an instant is written like the platform writes it, and a day as itself', () => {
	const instants = fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });
	fc.assert(
		fc.property(instants, (date) => {
			const text = date.toISOString();
			expect(parseDayOrInstant(text)).toEqual({ kind: 'instant', at: date.getTime() });
			expect(parseDayOrInstant(text.slice(0, 10))).toEqual({ kind: 'day', day: text.slice(0, 10) });
		}),
	);
});

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kiritimati'];
/** The local time in the zone. */
const shownIn = (timeZone: string, at: number) =>
	new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at).replace(' ', 'T');

test.each([
	['2026-01-31T12:00:00', 'UTC', '2026-01-31T12:00:00.000Z'],
	['2026-01-31T12:00', 'America/New_York', '2026-01-31T17:00:00.000Z'],
	['2026-07-31T12:00:00.250', 'Europe/Berlin', '2026-07-31T10:00:00.250Z'],
	// This local time happens twice, and the first one counts.
	['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
	['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
	// This local time is skipped, so it is 3:30.
	['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
	// The zone skips this day.
	['2011-12-30T12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
	['0001-01-01T00:00:00', 'UTC', '0001-01-01T00:00:00.000Z'],
])('%s without an offset, in %s, is %s', (text, timeZone, instant) => {
	const moment = parseDayOrInstant(text);
	expect(moment && inZone(moment, timeZone)).toEqual({ kind: 'instant', at: Date.parse(instant) });
});

test("a time without an offset is the first instant at which the zone's clocks show it", () => {
	const seconds = fc.integer({ min: Date.UTC(1990, 0, 1) / 1000, max: Date.UTC(2035, 0, 1) / 1000 });
	const changes = fc.constantFrom('2026-03-29T01:00', '2026-10-25T01:00', '2026-11-01T06:00', '2011-12-30T10:00', '2026-04-04T15:00');
	const near = fc.tuple(changes, fc.integer({ min: -10_000, max: 10_000 })).map(([text, by]) => Date.parse(`${text}Z`) / 1000 + by);
	fc.assert(
		fc.property(fc.oneof(seconds, near), fc.constantFrom(...ZONES), (second, timeZone) => {
			const at = second * 1000;
			const moment = parseDayOrInstant(shownIn(timeZone, at));
			const found = moment && inZone(moment, timeZone);
			if (found?.kind !== 'instant') throw new Error('No instant');
			expect(shownIn(timeZone, found.at)).toBe(shownIn(timeZone, at));
			expect(found.at).toBeLessThanOrEqual(at);
			for (const earlier of [HOUR_MS / 2, HOUR_MS]) expect(shownIn(timeZone, found.at - earlier)).not.toBe(shownIn(timeZone, at));
		}),
	);
});

test('a day and an instant are the same in any zone', () => {
	for (const text of ['2026-01-31', '2026-01-31T12:00:00Z']) {
		const moment = parseDayOrInstant(text);
		expect(moment && inZone(moment, 'Asia/Kathmandu')).toEqual(moment);
	}
});

test.each([
	['2026-01-31', 'UTC', '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
	['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
	['2026-01-31T12:00:00', 'Europe/Berlin', '2026-01-31T11:00:00.000Z', '2026-01-31T11:00:00.001Z'],
	['2026-01-31T12:00:00Z', 'Europe/Berlin', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.001Z'],
])('%s, in %s, begins at %s and ends before %s', (text, timeZone, start, end) => {
	const moment = parseDayOrInstant(text);
	expect(moment && [startOf(moment, timeZone), endOf(moment, timeZone)]).toEqual([Date.parse(start), Date.parse(end)]);
});

test.each(ZONES)('the last possible day has an end, in %s', (timeZone) => {
	expect(endOf({ kind: 'day', day: '9999-12-31' }, timeZone)).toBeGreaterThan(Date.parse('9999-12-31T00:00:00Z'));
});
