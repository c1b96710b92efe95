import { describe, expect, test } from 'vitest';
import { domainsOf, isWithin, listedAs } from '../../src/browser/hosts.ts';

test.each([
	['www.shop.co.uk', ['', 'uk', 'co.uk', 'shop.co.uk', 'www.shop.co.uk']],
	['localhost', ['', 'localhost']],
])('%s is within %j', (host, domains) => expect(domainsOf(host)).toEqual(domains));

describe('a host is listed', () => {
	test.each([
		['shop.example', 'shop.example'],
		['a.b.shop.example', 'shop.example'],
		['docs.other.example', 'docs.other.example'],
	])('%s, as %s', (host, entry) => expect(listedAs(host, ['shop.example', 'docs.other.example'])).toBe(entry));

	test.each(['notshop.example', 'shop.example.evil.example', 'other.example', 'example', ''])('%s is not', (host) =>
		expect(listedAs(host, ['shop.example', 'docs.other.example'])).toBeUndefined(),
	);
});

test('an empty host is within no domain', () => expect(isWithin('', 'shop.example')).toBe(false));
