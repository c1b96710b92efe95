import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { destinationOf, landingPage, PARAMETER_LIMIT } from '../../../src/domain/attribution/landing-page.ts';

describe('a link leads to', () => {
	test.each([
		['https://shop.example/a?b=c#d', 'other.example', 'https://shop.example/a?b=c#d'],
		['http://localhost:3000/', null, 'http://localhost:3000/'],
		[null, 'shop.example', 'https://shop.example/'],
		[null, null, undefined],
		['javascript:alert(1)', 'shop.example', undefined],
		['/relative', 'shop.example', undefined],
		['', 'shop.example', undefined],
	])('%s, in a program of %s: %s', (destinationUrl, domain, page) => {
		expect(destinationOf({ destinationUrl, domain })?.href).toBe(page);
	});
});

const query = fc
	.array(fc.tuple(fc.string(), fc.oneof(fc.string(), fc.webUrl())), { maxLength: 8 })
	.map((pairs) => new URLSearchParams(pairs));

test('with any query a link leads to its destination, with its own name and click id', () => {
	fc.assert(
		fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), query, (text, followedWith) => {
			const destination = new URL(text);
			const page = new URL(landingPage(destination, 'pat', 'cust_1_2', followedWith));
			expect([page.origin, page.username, page.pathname, page.hash]).toEqual([
				destination.origin,
				destination.username,
				destination.pathname,
				destination.hash,
			]);
			expect([page.searchParams.getAll('aff'), page.searchParams.getAll('tracker_click_id')]).toEqual([['pat'], ['cust_1_2']]);
			for (const name of new Set(destination.searchParams.keys())) {
				if (name !== 'aff') expect(page.searchParams.getAll(name)).toEqual(destination.searchParams.getAll(name));
			}
		}),
	);
});

test('the query is passed on, except parameters that the destination sets and our own', () => {
	const page = landingPage(
		new URL('https://shop.example/?x=1&aff=someone'),
		'pat',
		'cust_1_2',
		new URLSearchParams('utm_source=news&x=2&aff=other&tracker_click_id=cust_9_9&utm_source=again&empty='),
	);
	expect(page).toBe('https://shop.example/?x=1&utm_source=news&utm_source=again&empty=&aff=pat&tracker_click_id=cust_1_2');
});

test('an uncounted request gets no click id, not even from the destination or the query', () => {
	const page = landingPage(
		new URL('https://shop.example/?tracker_click_id=cust_1_1&x=1'),
		'pat',
		undefined,
		new URLSearchParams('tracker_click_id=cust_2_2'),
	);
	expect(page).toBe('https://shop.example/?x=1&aff=pat');
});

test('only the first parameters of a long query are passed on, and the rest is not read', () => {
	let read = 0;
	function* endless(): Generator<[string, string]> {
		for (;;) yield [`p${read}`, String(read++)];
	}
	const page = new URL(landingPage(new URL('https://shop.example/?x=1'), 'pat', 'cust_1_2', endless()));
	expect([...page.searchParams.keys()]).toEqual([
		'x',
		...Array.from({ length: PARAMETER_LIMIT }, (_, index) => `p${index}`),
		'aff',
		'tracker_click_id',
	]);
	expect(read).toBeLessThanOrEqual(PARAMETER_LIMIT + 1);
});

test('the address is built once for any number of parameters', () => {
	const written = vi.spyOn(URL.prototype, 'search', 'set');
	const attached = vi.spyOn(URL.prototype, 'searchParams', 'get');
	landingPage(new URL('https://shop.example/?x=1'), 'pat', 'cust_1_2', new URLSearchParams('a=1&b=2&c=3&d=4'));
	expect([written.mock.calls.length, attached.mock.calls.length]).toEqual([1, 0]);
	vi.restoreAllMocks();
});
