import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filledPostback, PLACEHOLDERS, postbackProblem, type PostbackValues } from '../../../src/domain/webhooks/postback.ts';

const VALUES: PostbackValues = { click_id: 'c1', amount: '19.90', currency: 'USD', event: 'sale', sub_id: 'n/4711 &?#' };

describe('the address of a postback', () => {
	test.each([
		'https://network.example/postback?cid={sub_id}&payout={amount}&c={currency}&t={event}&id={click_id}',
		'https://network.example/{sub_id}/{event}',
		'https://network.example?cid={sub_id}',
		'https://network.example/in',
	])('%s', (template) => expect(postbackProblem(template)).toBeUndefined());

	test.each([
		['https://network.example/?x={payout}', /^url has the unknown placeholder \{payout\}: there are \{click_id\}, \{amount\}/],
		['https://network.example/?x={}', /unknown placeholder \{\}/],
		['https://network.example/?x={Amount}', /unknown placeholder \{Amount\}/],
		['https://network.example/?x={amount', /a \{ or \} that does not belong to a placeholder/],
		['https://network.example/?x=amount}', /a \{ or \} that does not belong to a placeholder/],
		['https://network.example/?x={{amount}}', /a \{ or \} that does not belong to a placeholder/],
		['https://{sub_id}.network.example/', /only after the host/],
		['https://network.example{sub_id}', /only after the host|on a public host name/],
		['https://network.example\\{sub_id}', /only after the host/],
		['https://{event}@network.example/', /user name or password|only after the host/],
		['{sub_id}', /must be an https address/],
		['https://network.example/#{sub_id}', /must not have a #/],
		['http://network.example/?x={sub_id}', /must begin with https/],
		['https://127.0.0.1/?x={sub_id}', /public host name/],
		['https://localhost/?x={sub_id}', /public host name/],
		['https://network.example:8443/', /port 443/],
		[`https://network.example/?x=${'y'.repeat(2_000)}`, /at most 2000 characters/],
	])('%s is refused', (template, problem) => expect(postbackProblem(template)).toMatch(problem));
});

describe('an address with values filled in', () => {
	test('has them encoded, and repeated if the placeholder is', () => {
		expect(filledPostback('https://network.example/{event}?s={sub_id}&a={amount}{currency}&again={sub_id}', VALUES)).toBe(
			'https://network.example/sale?s=n%2F4711%20%26%3F%23&a=19.90USD&again=n%2F4711%20%26%3F%23',
		);
	});

	test('never changes its host or its parameters, and no value is filled in twice', () => {
		const piece = fc.constantFrom('/', '?', '&', '=', '.', 'a', ...PLACEHOLDERS.map((name) => `{${name}}`));
		const templates = fc.array(piece, { maxLength: 12 }).map((pieces) => `https://network.example/${pieces.join('')}`);
		const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('{amount}', '@evil.example', '//evil.example', '&x=1#', '..'));
		fc.assert(
			fc.property(templates, text, (template, sub_id) => {
				fc.pre(postbackProblem(template) === undefined);
				const url = new URL(filledPostback(template, { ...VALUES, sub_id }));
				expect(url.host).toBe('network.example');
				expect(url.hash).toBe('');
				const plain = new URL(filledPostback(template, { ...VALUES, sub_id: 'x' }));
				// A parameter that consists only of a placeholder is left out if its value is empty.
				expect(url.searchParams.size).toBeLessThanOrEqual(plain.searchParams.size);
			}),
		);
	});

	test.each(['.', '..'])('%s keeps its path, and the query returns the value unchanged', (sub_id) => {
		const filled = filledPostback('https://network.example/in/{sub_id}/sale?s={sub_id}', { ...VALUES, sub_id });
		expect(new URL(filled).pathname).toBe('/in//sale');
		expect(new URL(filled).searchParams.get('s')).toBe(sub_id);
	});

	test('has every value unchanged in its query', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (sub_id) => {
				const url = new URL(filledPostback('https://network.example/?s={sub_id}', { ...VALUES, sub_id }));
				expect(url.searchParams.get('s')).toBe(sub_id);
			}),
		);
	});
});
