import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domainsOver, isName, ownDomain, refusalAt, isPageOf } from '../../../src/domain/attribution/own-domain.ts';
import { isWithin } from '../../../src/domain/attribution/click-cookie.ts';

const at = (host: string, forwardedHost?: string) => ({ host, forwardedHost });

test.each<[domain: string | null, host: string, forwardedHost: string | undefined, own: string | undefined]>([
	['shop.example', 'shop.example', undefined, 'shop.example'],
	['www.shop.example', 'go.shop.example', undefined, 'shop.example'],
	['shop.example', 'service.test', 'www.shop.example', 'shop.example'],
	['shop.example', 'notshop.example', 'shop.example.evil.example', undefined],
	['www.shop.example', 'example', undefined, undefined],
	[null, 'shop.example', undefined, undefined],
])('the own domain of a shop at %s, with a link opened on %s and %s: %s', (domain, host, forwardedHost, own) => {
	expect(ownDomain({ domain, isDomainOwn: true }, at(host, forwardedHost))).toBe(own);
	expect(ownDomain({ domain, isDomainOwn: false }, at(host, forwardedHost))).toBeUndefined();
});

describe('the domains of a host', () => {
	test('are the host and its parents, each with and without www., without the top level', () => {
		expect(domainsOver('go.shop.example')).toEqual(['go.shop.example', 'www.go.shop.example', 'shop.example', 'www.shop.example']);
	});

	test.each(['localhost', '127.0.0.1', '[::1]', '', 'a b.example', 'x.'.repeat(200) + 'example', '.example', 'shop..example'])(
		'are none for %s',
		(host) => {
			expect(domainsOver(host)).toEqual([]);
		},
	);

	const labels = fc.array(
		fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/).filter((label) => label !== 'www'),
		{ minLength: 2, maxLength: 4 },
	);

	test('are exactly those that contain it', () => {
		fc.assert(
			fc.property(labels, labels, fc.nat(2), fc.boolean(), (host, other, above, isWww) => {
				const www = isWww ? 'www.' : '';
				const parent = host.slice(Math.min(above, host.length - 2)).join('.');
				expect(domainsOver(host.join('.'))).toContain(`${www}${parent}`);
				expect(domainsOver(host.join('.')).includes(`${www}${other.join('.')}`)).toBe(isWithin(host.join('.'), other.join('.')));
			}),
		);
	});
});

test.each(['shop.example', 'xn--bcher-kva.example', '1.example'])('%s is a domain name', (host) => expect(isName(host)).toBe(true));
test.each(['127.0.0.1', '1.2.3', 'a_b.example', 'shop.example:80', 'SHOP.example'])('%s is not', (host) =>
	expect(isName(host)).toBe(false),
);

const owners = (host: string) => (isWithin(host, 'shop.example') ? [1] : isWithin(host, 'other.example') ? [2, 3] : []);
const noOwners = () => [];

describe('a link opened', () => {
	const own = { programId: 1, domain: 'www.shop.example', isDomainOwn: true };
	const unproved = { ...own, isDomainOwn: false };
	const nowhere = { programId: 1, domain: null, isDomainOwn: true };
	test.each<[what: string, refusal: string | undefined, ...arguments_: Parameters<typeof refusalAt>]>([
		['on the service’s own host', undefined, own, at('service.test'), owners, true],
		['on its own domain', undefined, own, at('go.shop.example'), owners, true],
		['through the proxy of its own domain', undefined, own, at('service.test', 'shop.example'), owners, true],
		["on another program's domain", 'elsewhere', own, at('other.example'), owners, true],
		["on another program's domain if no verification is needed", 'elsewhere', own, at('other.example'), owners, false],
		["through the proxy of another program's domain", 'elsewhere', own, at('service.test', 'go.other.example'), owners, false],
		['by another program with the same domain', undefined, { ...own, programId: 3 }, at('other.example'), owners, true],
		['on its unverified domain', 'unproved', unproved, at('shop.example'), noOwners, true],
		['on its domain that another program has verified', 'unproved', { ...unproved, programId: 9 }, at('shop.example'), owners, true],
		['through a proxy of its unverified domain', 'unproved', unproved, at('service.test', 'shop.example'), noOwners, true],
		["on the service's host, with an unverified domain", undefined, unproved, at('service.test'), noOwners, true],
		['through a proxy of an unverified domain', 'elsewhere', nowhere, at('service.test', 'victim.example'), noOwners, true],
		[
			'through a proxy of an unknown domain if no verification is needed',
			undefined,
			nowhere,
			at('service.test', 'victim.example'),
			noOwners,
			false,
		],
		['through a proxy that names the service', undefined, nowhere, at('service.test', 'service.test'), noOwners, true],
	])('%s: %s', (_what, refusal, ...given) => {
		expect(refusalAt(...given)).toBe(refusal);
	});
});

describe('a page of the domain', () => {
	test.each([
		['shop.example', 'https://shop.example/', true],
		['shop.example', 'http://blog.shop.example:8080/a?b#c', true],
		['www.shop.example', 'https://shop.example/a', true],
		['shop.example', 'https://notshop.example/', false],
		['shop.example', 'https://shop.example.evil.example/', false],
		['shop.example', 'https://shop.example@evil.example/', false],
		['shop.example', 'https://user:secret@shop.example/', false],
		['shop.example', 'https://user@shop.example/', false],
		['shop.example', 'https://:secret@shop.example/', false],
		['shop.example', 'javascript:alert(1)', false],
		['shop.example', 'ftp://shop.example/', false],
		['shop.example', '/a', false],
		['localhost', 'http://localhost:4000/a', true],
	])('%s: %s is %s', (domain, address, isOne) => {
		expect(isPageOf(domain, address)).toBe(isOne);
	});
});
