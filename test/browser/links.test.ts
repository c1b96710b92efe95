import { describe, expect, test } from 'vitest';
import { withClick } from '../../src/browser/sister-link.ts';
import { withReference } from '../../src/browser/payment-link.ts';

const ID = 'cust_1_2';

describe('a Payment Link', () => {
	test.each([
		['https://buy.stripe.com/x', `https://buy.stripe.com/x?client_reference_id=${ID}`],
		['https://BUY.stripe.com/x?a=1#b', `https://buy.stripe.com/x?a=1&client_reference_id=${ID}#b`],
		['https://buy.stripe.com/x?client_reference_id=', `https://buy.stripe.com/x?client_reference_id=${ID}`],
		['https://buy.stripe.com/x?client_reference_id=cust_9_9', `https://buy.stripe.com/x?client_reference_id=${ID}`],
	])('%s gets the click: %s', (href, carrying) => {
		expect(withReference(href, ID)).toBe(carrying);
		expect(withReference(carrying, ID)).toBe(carrying);
	});

	test.each([
		'https://buy.stripe.com/x?client_reference_id=order-1',
		'http://buy.stripe.com/x',
		'https://buy.stripe.com.evil.example/x',
		'https://buy.stripe.com@evil.example/x',
		'https://evil.example/https://buy.stripe.com/',
		'//buy.stripe.com/x',
		'buy.stripe.com',
		'javascript:buy.stripe.com',
		'',
	])('%s stays unchanged', (href) => expect(withReference(href, ID)).toBe(href));

	test("loses it when consent is withdrawn, but keeps the shop's own id", () => {
		expect(withReference(`https://buy.stripe.com/x?client_reference_id=${ID}&a=1`, undefined)).toBe('https://buy.stripe.com/x?a=1');
		expect(withReference('https://buy.stripe.com/x?client_reference_id=order-1', undefined)).toBe(
			'https://buy.stripe.com/x?client_reference_id=order-1',
		);
	});
});

describe('a link to a sister domain', () => {
	const click = { id: ID, partner: 'pat' };
	const page = { protocol: 'https:', hostname: 'www.shop.example' };
	const domains = ['shop.example', 'sister.example'];

	test.each([
		['https://sister.example/', `https://sister.example/?aff=pat&tracker_click_id=${ID}`],
		['https://docs.sister.example:8443/a?b=c&aff=other#d', `https://docs.sister.example:8443/a?b=c&aff=pat&tracker_click_id=${ID}#d`],
	])('%s gets the click: %s', (href, carrying) => expect(withClick(href, page, click, domains)).toBe(carrying));

	test.each([
		'http://sister.example/',
		'https://www.shop.example/',
		'https://other.shop.example/',
		'https://notsister.example/',
		'https://sister.example.evil.example/',
		'https://sister.example@evil.example/',
		'https://evil.example/?sister.example',
		'mailto:a@sister.example',
		'javascript://sister.example/%0aalert(1)',
		'ftp://sister.example/',
		'',
	])('%s does not', (href) => expect(withClick(href, page, click, domains)).toBeUndefined());

	test('an unencrypted page may pass the click to another one', () => {
		expect(withClick('http://sister.example/', { protocol: 'http:', hostname: 'localhost' }, click, domains)).toContain(ID);
	});
});
