import { expect, test } from 'vitest';
import { deviceOf } from '../../src/pages/account/device.ts';
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
	['shop.example', /begins with https/, 'https://shop.example'],
	['https://shop.example/path?x=1', /ends with the host/, 'https://shop.example'],
	['shop.example/path', /begins with https/, 'https://shop.example'],
	['http://shop.example/', undefined, undefined],
	['localhost', /begins with https/, 'http://localhost:*'],
	['localhost:3000', /begins with https/, 'http://localhost:3000'],
	['http://localhost/cart', /ends with the host/, 'http://localhost:*'],
	['https://shop.example:*', /Any port/, 'https://shop.example'],
	['ftp://shop.example', /not by ftp/, 'https://shop.example'],
	['https://shop.*.example', /only at its beginning/, undefined],
	['*.shop.example', /only at its beginning/, 'https://*.shop.example'],
	['*', /any page of the web/, undefined],
	['https://*', /any page of the web/, undefined],
	['my shop', /begins with https/, undefined],
	['https://my shop', /not a host/, undefined],
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
	[0, '0 byte'],
	[999, '999 byte'],
	[1_300_000, '1.3 MB'],
	[31_449_000, '31.4 MB'],
	[26_000_000_000, '26 GB'],
])('%d bytes are %s', (bytes, text) => {
	expect(fileSize(bytes)).toBe(text);
});

test.each([
	[null, 'Not known'],
	['curl/8.5.0', 'curl/8.5.0'],
	[
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
		'Edge on Windows',
	],
	[
		'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
		'Safari on iPhone',
	],
	['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
	['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
])('%s is %s', (userAgent, device) => {
	expect(deviceOf(userAgent)).toBe(device);
});
