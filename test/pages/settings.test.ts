import { expect, test } from 'vitest';
import { fileSize } from '../../src/pages/format.ts';
import { originProblem } from '../../src/pages/dashboard/settings/origin-problem.ts';
import { clearsClicks, dayProblem, parsedDays } from '../../src/pages/dashboard/settings/retention-days.ts';
import { timeUntil } from '../../src/pages/dashboard/settings/use-now.ts';

test.each([['https://shop.example'], ['https://*.shop.example'], ['http://localhost:*'], [' HTTPS://Shop.Example/ ']])(
	'%s is an origin',
	(text) => {
		expect(originProblem(text)).toBeUndefined();
	},
);

test.each([
	['shop.example', /Begin the origin with https/, 'https://shop.example'],
	['https://shop.example/path?x=1', /Remove everything after the host/, 'https://shop.example'],
	['shop.example/path', /Begin the origin with https/, 'https://shop.example'],
	['http://shop.example/', undefined, undefined],
	['localhost', /Begin the origin with https/, 'http://localhost:*'],
	['localhost:3000', /Begin the origin with https/, 'http://localhost:3000'],
	['http://localhost/cart', /Remove everything after the host/, 'http://localhost:*'],
	['https://shop.example:*', /any port/, 'https://shop.example'],
	['ftp://shop.example', /instead of ftp/, 'https://shop.example'],
	['https://shop.*.example', /only at the beginning/, undefined],
	['*.shop.example', /only at the beginning/, 'https://*.shop.example'],
	['*', /any page on the web/, undefined],
	['https://*', /any page on the web/, undefined],
	['my shop', /Begin the origin with https/, undefined],
	['https://my shop', /not a valid host/, undefined],
])('%s: reports what is wrong and suggests a correction', (text, problem, meant) => {
	const found = originProblem(text);
	expect(found?.meant).toBe(meant);
	if (problem) expect(found?.text).toMatch(problem);
	else expect(found).toBeUndefined();
});

test('the time until an instant shows seconds, or hours if it is far away', () => {
	const now = Date.parse('2026-01-31T12:00:00Z');
	expect(timeUntil('2026-02-01T11:04:09Z', now)).toBe('23 h 04 min 09 s');
	expect(timeUntil('2026-02-02T11:59:59Z', now)).toBe('47 h 59 min 59 s');
	expect(timeUntil('2026-02-06T15:30:00Z', now)).toBe('6 d 3 h');
	expect(timeUntil('2026-01-01T00:00:00Z', now)).toBe('0 h 00 min 00 s');
});

test.each([
	['67', 67],
	[' 3660 ', 3_660],
	['66', undefined],
	['3661', undefined],
	['67.5', undefined],
	['-67', undefined],
	['', undefined],
])('clicks can be kept for "%s" days if the least is 67: %s', (text, days) => {
	expect(parsedDays(text, 67)).toBe(days);
	expect(dayProblem(text, 67)).toBe(days === undefined ? 'Enter a number from 67 to 3,660' : undefined);
});

test.each([
	[null, 67, true],
	[100, 67, true],
	[67, 67, false],
	[67, 100, false],
])('clicks kept for %s days and now for %d leave the database: %s', (before, after, expected) => {
	expect(clearsClicks(before, after)).toBe(expected);
});

test.each([
	[0, '0 bytes'],
	[999, '999 bytes'],
	[1_300_000, '1.3 MB'],
	[31_449_000, '31.4 MB'],
	[26_000_000_000, '26 GB'],
])('%d bytes are %s', (bytes, text) => {
	expect(fileSize(bytes)).toBe(text);
});
