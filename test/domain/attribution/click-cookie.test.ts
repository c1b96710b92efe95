import { describe, expect, test } from 'vitest';
import { clickCookies, cookieScopeOf, isWithin } from '../../../src/domain/attribution/click-cookie.ts';

const CLICK = { clickId: 'cust_1_2', shortLink: 'pat', cookieWindowDays: 30 };

describe('the cookies of a click', () => {
	test('contain the click id and the link, for the whole domain and as long as the window', () => {
		expect(clickCookies(CLICK, { domain: 'shop.example', isSecure: true })).toEqual([
			'tracker_click_id=cust_1_2; Path=/; Domain=shop.example; Max-Age=2592000; SameSite=Lax; Secure',
			'tracker_aff=pat; Path=/; Domain=shop.example; Max-Age=2592000; SameSite=Lax; Secure',
		]);
	});

	test('are not Secure on a page without TLS, which could not read them', () => {
		for (const cookie of clickCookies(CLICK, { domain: 'shop.example', isSecure: false })) expect(cookie).toMatch(/; SameSite=Lax$/);
	});
});

describe('a page gets cookies of', () => {
	test.each([
		['https://shop.example', 'shop.example', true],
		['https://www.shop.example', 'shop.example', true],
		['https://www.shop.example:8443', 'shop.example', true],
		['http://shop.example', 'shop.example', false],
		['http://localhost:3000', 'localhost', false],
	])('%s: its own domain %s, Secure %s', (origin, domain, isSecure) => {
		expect(cookieScopeOf(origin, domain)).toEqual({ domain, isSecure });
	});

	test.each([
		['without a page', undefined, 'shop.example'],
		['without a request for a cookie', 'https://shop.example', undefined],
		['an invalid origin', 'null', 'shop.example'],
		['another domain', 'https://shop.example', 'other.example'],
		['a domain with the same ending', 'https://notshop.example', 'shop.example'],
		["a subdomain of the page's domain", 'https://shop.example', 'www.shop.example'],
		['a domain followed by attributes', 'https://shop.example', 'shop.example; HttpOnly'],
		['a domain that could end the attribute', 'https://www.shop.example;', 'shop.example;'],
		['a domain that could begin another attribute', 'https://www.;shop.example', ';shop.example'],
		['a host that ends in "undefined"', 'https://shop.undefined', undefined],
		['an empty domain', 'https://shop.example', ''],
	])('%s: %s, with the domain %j, gets none', (_what, origin, domain) => {
		expect(cookieScopeOf(origin, domain)).toBeUndefined();
	});
});

test.each([
	['shop.example', 'shop.example', true],
	['www.shop.example', 'shop.example', true],
	['a.b.shop.example', 'shop.example', true],
	['notshop.example', 'shop.example', false],
	['shop.example', 'www.shop.example', false],
	['shop.example.evil.example', 'shop.example', false],
])('%s lies within %s: %s', (host, domain, isInside) => {
	expect(isWithin(host, domain)).toBe(isInside);
});
