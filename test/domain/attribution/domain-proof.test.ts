import { describe, expect, test } from 'vitest';
import { fileRedirect, holdsProof, proofPlaces, txtRecords } from '../../../src/domain/attribution/domain-proof.ts';

describe('a domain is checked', () => {
	test.each(['shop.example', 'www.shop.example'])('on %s, without its www.', (domain) => {
		expect(proofPlaces(domain)).toEqual({
			fileUrl: 'https://shop.example/.well-known/affiliate-tracker.txt',
			recordName: '_affiliate-tracker.shop.example',
			resolverUrl: 'https://cloudflare-dns.com/dns-query?name=_affiliate-tracker.shop.example&type=TXT',
		});
	});

	test.each([
		'127.0.0.1',
		'10.0.0.1',
		'169.254.169.254',
		'1.2',
		'localhost',
		'www.localhost',
		'db.internal',
		'router.lan',
		'printer.local',
		'1.0.0.10.in-addr.arpa',
		'shop.test',
		'com',
		'www.com',
		'shop.example:8080',
		'shop.example/path',
		'user@shop.example',
	])('but not on %s', (domain) => {
		expect(proofPlaces(domain)).toBeUndefined();
	});
});

describe('a redirect of the file', () => {
	const from = 'https://shop.example/.well-known/affiliate-tracker.txt';

	test.each([
		['https://www.shop.example/.well-known/affiliate-tracker.txt', 'https://www.shop.example/.well-known/affiliate-tracker.txt'],
		['//www.shop.example/.well-known/affiliate-tracker.txt?x=1#y', 'https://www.shop.example/.well-known/affiliate-tracker.txt'],
		['/.well-known/affiliate-tracker.txt', from],
	])('is followed within the domain: %s', (location, next) => {
		expect(fileRedirect('shop.example', from, location)).toBe(next);
		expect(fileRedirect('www.shop.example', from, location)).toBe(next);
	});

	test.each([
		'http://shop.example/.well-known/affiliate-tracker.txt',
		'https://evil.example/.well-known/affiliate-tracker.txt',
		'https://shop.example.evil.example/.well-known/affiliate-tracker.txt',
		'https://user.shop.example/.well-known/affiliate-tracker.txt',
		'https://127.0.0.1/.well-known/affiliate-tracker.txt',
		'https://[::1]/.well-known/affiliate-tracker.txt',
		'https://shop.example:8443/.well-known/affiliate-tracker.txt',
		'https://a:b@shop.example/.well-known/affiliate-tracker.txt',
		'https://shop.example/uploads/mine.txt',
		'https://',
		null,
	])('but not to %s', (location) => {
		expect(fileRedirect('shop.example', from, location)).toBeUndefined();
	});
});

test.each<[lines: string[], holds: boolean]>([
	[['affiliate-tracker=1'], true],
	[['# ours', ' affiliate-tracker=0 \r'], true],
	[['affiliate-tracker=12'], false],
	[['x affiliate-tracker=1'], false],
	[[''], false],
	[[], false],
])('%j: %s', (lines, holds) => {
	expect(holdsProof(lines, ['affiliate-tracker=1', 'affiliate-tracker=0'])).toBe(holds);
});

test.each<[answer: unknown, records: string[]]>([
	[{ Status: 0, Answer: [{ name: 'x', type: 16, TTL: 1, data: '"affiliate-tracker=1"' }] }, ['affiliate-tracker=1']],
	[{ Answer: [{ type: 16, data: '"affiliate-" "tracker=1"' }] }, ['affiliate-tracker=1']],
	[{ Answer: [{ type: 16, data: 'affiliate-tracker=1' }] }, ['affiliate-tracker=1']],
	[
		{
			Answer: [
				{ type: 5, data: 'other.example.' },
				{ type: 16, data: '"a"' },
				{ type: 16, data: '"b"' },
			],
		},
		['a', 'b'],
	],
	[{ Status: 3 }, []],
	[{ Answer: 'x' }, []],
	[{ Answer: [null, 1, {}, { type: 16 }, { type: 16, data: 1 }] }, []],
	[null, []],
	[[], []],
])('the TXT records of %j: %j', (answer, records) => {
	expect(txtRecords(JSON.stringify(answer))).toEqual(records);
});

test('a body that is not JSON has no records', () => {
	expect(txtRecords('<html>')).toEqual([]);
});
