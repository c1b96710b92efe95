import { expect, test } from 'vitest';
import { formatRankedPosition, parseRankedPosition, type RankedPosition } from '../../../src/domain/reporting/partner-ranking.ts';

const OF_A_FIGURE: RankedPosition = { by: 'revenue', direction: 'desc', partnerId: 7, key: 12_345 };

test.each<[string, RankedPosition]>([
	['revenue.desc.7.n12345', OF_A_FIGURE],
	['earnings_per_click.asc.7.n-1', { ...OF_A_FIGURE, by: 'earnings_per_click', direction: 'asc', key: -1 }],
	['name.asc.7.tpat', { ...OF_A_FIGURE, by: 'name', direction: 'asc', key: 'pat' }],
	['name.asc.7.t12', { ...OF_A_FIGURE, by: 'name', direction: 'asc', key: '12' }],
	['name.asc.7.t~C3~A9~20~7E.~26', { ...OF_A_FIGURE, by: 'name', direction: 'asc', key: 'é ~.&' }],
	['last_active.desc.7.t', { ...OF_A_FIGURE, by: 'last_active', key: '' }],
])('%s', (cursor, position) => {
	expect(formatRankedPosition(position)).toBe(cursor);
	expect(parseRankedPosition(cursor)).toEqual(position);
});

test.each([
	'',
	'7',
	'luck.desc.7.n1',
	'revenue.down.7.n1',
	'revenue.desc.0.n1',
	'revenue.desc.7.1',
	'revenue.desc.7.n',
	'revenue.desc.7.n1.5',
	'revenue.desc.7.nx',
	'revenue.desc.7.n1 ',
	'revenue.desc.7.n12345678901234567',
	'name.asc.7.t%41',
	'name.asc.7.t~',
	'name.asc.7.t~ff',
	`name.asc.7.t${'a'.repeat(1501)}`,
	' name.asc.7.ta',
])('not a cursor: %s', (text) => {
	expect(parseRankedPosition(text)).toBeUndefined();
});
