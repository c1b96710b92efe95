import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOrigin, isOriginAllowed, normaliseOrigin, originCandidates, originsOfDomain } from '../../src/domain/origin.ts';

describe('a listed origin is normalized to the form that browsers send', () => {
	test.each([
		['https://shop.example', 'https://shop.example'],
		[' HTTPS://Shop.Example/ ', 'https://shop.example'],
		['https://shop.example:443', 'https://shop.example'],
		['http://shop.example:80', 'http://shop.example'],
		['https://shop.example:8443', 'https://shop.example:8443'],
		['http://localhost:3000', 'http://localhost:3000'],
		['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
		['https://*.shop.example', 'https://*.shop.example'],
		['https://*.shop.example:443', 'https://*.shop.example'],
		['https://*.shop.example:8443', 'https://*.shop.example:8443'],
		['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
		['https://a.example', 'https://a.example'],
		['https://x', 'https://x'],
		['https://shop.example.', 'https://shop.example'],
		['https://*.shop.example.:8443', 'https://*.shop.example:8443'],
		['http://localhost:*', 'http://localhost:*'],
		[' HTTP://127.0.0.1:*/ ', 'http://127.0.0.1:*'],
	])('%s becomes %s', (text, origin) => expect(normaliseOrigin(text)).toBe(origin));

	test.each([
		'',
		'null',
		'*',
		'shop.example',
		'//shop.example',
		'ftp://shop.example',
		'xhttps://shop.example',
		'https://',
		'https://*',
		'https://*.',
		'https://*shop.example',
		'https://a.*.example',
		'https://shop.example/path',
		'https://shop.example?x=1',
		'https://shop.example#x',
		'https://user@shop.example',
		'https://shop.example:0',
		'https://shop.example:*',
		'http://*.localhost:*',
		'http://localhost:*/x',
		'http://localhost.evil.example:*',
		'http://localhost:30*',
		'https://shop.example:99999',
		'https://shop..example',
		'https://shop.example, https://other.example',
		'https://shop.exam ple',
		'https://shop.example\u0000',
	])('%j is not an origin', (text) => expect(normaliseOrigin(text)).toBeUndefined());

	test('a normalized origin stays the same when it is listed again', () => {
		fc.assert(
			fc.property(fc.webAuthority({ withPort: true }), fc.boolean(), (host, isWildcard) => {
				const once = normaliseOrigin(`https://${isWildcard ? '*.' : ''}${host}`);
				if (once !== undefined) expect(normaliseOrigin(once)).toBe(once);
			}),
		);
	});
});

describe('any port of localhost', () => {
	const listed = ['http://localhost:*', 'https://127.0.0.1:*'];

	test.each(['http://localhost', 'http://localhost:3000', 'http://localhost:65535', 'https://127.0.0.1:1', 'https://127.0.0.1'])(
		'%s is allowed',
		(origin) => expect(isOriginAllowed(origin, listed)).toBe(true),
	);

	test.each([
		'https://localhost:3000',
		'http://127.0.0.1:1',
		'http://localhost:*',
		'http://localhost:3000/',
		'http://localhost:3000.evil.example',
		'http://localhost.evil.example:3000',
		'http://evil.localhost:3000',
		'http://evillocalhost:3000',
		'http://localhost:3000:4000',
	])('%s is not', (origin) => expect(isOriginAllowed(origin, listed)).toBe(false));
});

test.each([
	['https://shop.example', true],
	['http://localhost:3000', true],
	['http://localhost:*', false],
	['https://*.shop.example', false],
	['https://shop.example/', false],
	['HTTPS://shop.example', false],
	['null', false],
	['nonsense', false],
])('whether a page may have the origin %s: %s', (text, is) => expect(isOrigin(text)).toBe(is));

describe('the pages of a program', () => {
	const listed = ['https://shop.example', 'https://*.brand.example', 'http://localhost:3000', 'https://*.ports.example:8443'];

	test.each([
		'https://shop.example',
		'https://www.brand.example',
		'https://a.b.brand.example',
		'http://localhost:3000',
		'https://a.ports.example:8443',
	])('%s is allowed', (origin) => expect(isOriginAllowed(origin, listed)).toBe(true));

	test.each([
		'null',
		'',
		'http://shop.example',
		'https://shop.example:8443',
		'https://www.shop.example',
		'https://shop.example.evil.example',
		'https://evilshop.example',
		'https://brand.example',
		'https://evilbrand.example',
		'http://www.brand.example',
		'http://localhost',
		'http://localhost:3001',
		'https://a.ports.example',
		'https://shop.example/',
		'https://*.brand.example/..',
		'https://www.brand.example/',
		'https://www.brand.example/page',
		'xhttps://www.brand.example',
	])('%j is not', (origin) => expect(isOriginAllowed(origin, listed)).toBe(false));

	test('nothing is allowed if nothing is listed', () => expect(isOriginAllowed('https://shop.example', [])).toBe(false));

	test('a page whose host is a wildcard is not a subdomain', () => {
		expect(isOriginAllowed('https://*.brand.example', listed)).toBe(false);
	});
});

test('an origin is looked up by itself, and by a wildcard for each parent domain', () => {
	expect(originCandidates('https://a.b.example')).toEqual(['https://a.b.example', 'https://*.b.example', 'https://*.example']);
	expect(originCandidates('http://localhost:3000')).toEqual(['http://localhost:3000', 'http://localhost:*']);
	expect(originCandidates('https://127.0.0.1')).toContain('https://127.0.0.1:*');
	expect(originCandidates('http://shop.example:3000')).toEqual(['http://shop.example:3000', 'http://*.example:3000']);
	expect(originCandidates('null')).toEqual([]);
});

test('a domain lists itself and its www', () => {
	expect(originsOfDomain('shop.example')).toEqual(['https://shop.example', 'https://www.shop.example']);
	expect(originsOfDomain('shop.www.example')).toEqual(['https://shop.www.example', 'https://www.shop.www.example']);
	expect(originsOfDomain('www.shop.example')).toEqual(['https://shop.example', 'https://www.shop.example']);
});

test('a text longer than any origin is refused without parsing', () => {
	const longest = `https://${'a.'.repeat(126)}a:65535`;
	expect(originCandidates(longest)).toHaveLength(127);
	expect(normaliseOrigin(longest)).toBe(longest);
	expect(originCandidates(`https://${'a.'.repeat(30_000)}a`)).toEqual([]);
	expect(normaliseOrigin(`https://${'a.'.repeat(30_000)}a`)).toBeUndefined();
});

test('a host with a trailing dot is the same host', () => {
	expect(isOriginAllowed('https://shop.example.', ['https://shop.example'])).toBe(true);
	expect(isOriginAllowed('https://www.shop.example.:8443', ['https://*.shop.example:8443'])).toBe(true);
	expect(isOriginAllowed('https://shop.example..', ['https://shop.example'])).toBe(false);
});
