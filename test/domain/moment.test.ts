import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMoment } from '../../src/domain/moment.ts';

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
	// A query turned the + into a blank.
	['2026-01-31T12:00 02:00', { kind: 'instant', at: Date.UTC(2026, 0, 31, 10) }],
])('the moment %j', (text, moment) => {
	expect(parseMoment(text)).toEqual(moment);
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
	'2026-01-31T12:60:00Z',
	'2026-01-31T12:00:00+99:00',
	'2026-01-31T12:00:00',
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
])('%j is no moment', (text) => {
	expect(parseMoment(text)).toBeUndefined();
});

test('an instant is the one that the platform writes so, and a day is its own', () => {
	const instants = fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });
	fc.assert(
		fc.property(instants, (date) => {
			const text = date.toISOString();
			expect(parseMoment(text)).toEqual({ kind: 'instant', at: date.getTime() });
			expect(parseMoment(text.slice(0, 10))).toEqual({ kind: 'day', day: text.slice(0, 10) });
		}),
	);
});
