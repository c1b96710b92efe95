import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressProblem } from '../../../src/domain/webhooks/webhook-address.ts';

describe('a public web address', () => {
	test.each([
		'https://hooks.shop.example/affiliates?tenant=1#part',
		'https://hooks.shop.example:443/',
		'HTTPS://Hooks.Shop.Example',
		'https://hooks.shop.example./',
		'https://bücher.example/hook',
		'https://1e100.net/',
		'https://localhost.shop.example/',
		'https://test-shop.com/',
		'https://hometest.com/',
		'https://127.0.0.1.nip.example/',
	])('%s is accepted', (url) => {
		expect(addressProblem(url)).toBeUndefined();
	});
});

const ADDRESS = 'url must be an https address of at most 2000 characters';
const PUBLIC = 'url must be on a public host name';
const NOT_TAKEN: readonly [string, string][] = [
	['', ADDRESS],
	['shop.example', ADDRESS],
	['ftp://shop.example/', ADDRESS],
	['javascript:alert(1)', ADDRESS],
	['https://', ADDRESS],
	[`https://shop.example/${'x'.repeat(1_980)}`, ADDRESS],
	['http://shop.example/', 'url must begin with https://'],
	['https://shop.example:8443/', 'url must be on port 443'],
	['https://shop.example:80/', 'url must be on port 443'],
	['https://pat@shop.example/', 'url must not contain a user name or password'],
	['https://:secret@shop.example/', 'url must not contain a user name or password'],
	['https://shop.example@10.0.0.1/', 'url must not contain a user name or password'],
	['https://127.0.0.1/', PUBLIC],
	['https://10.0.0.1/', PUBLIC],
	['https://10.1/', PUBLIC],
	['https://169.254.169.254/latest/meta-data', PUBLIC],
	['https://8.8.8.8/', PUBLIC],
	['https://2130706433/', PUBLIC],
	['https://0x7f000001/', PUBLIC],
	['https://0x7f.1/', PUBLIC],
	['https://0177.0.0.1/', PUBLIC],
	['https://017700000001/', PUBLIC],
	['https://127.0.0.1./', PUBLIC],
	['https://１２７.０.０.１/', PUBLIC],
	['https://127。0。0。1/', PUBLIC],
	['https://%31%32%37.0.0.1/', PUBLIC],
	['https://0/', PUBLIC],
	['https://[::1]/', PUBLIC],
	['https://[::ffff:127.0.0.1]/', PUBLIC],
	['https://[::ffff:7f00:1]/', PUBLIC],
	['https://[fe80::1]/', PUBLIC],
	['https://[2606:4700::1111]/', PUBLIC],
	['https://localhost/', PUBLIC],
	['https://LOCALHOST./', PUBLIC],
	['https://shop.localhost/', PUBLIC],
	['https://printer.local/', PUBLIC],
	['https://metadata.google.internal/', PUBLIC],
	['https://db.corp/', PUBLIC],
	['https://router.home.arpa/', PUBLIC],
	['https://nas.lan/', PUBLIC],
	['https://hidden.onion/', PUBLIC],
	['https://intranet/', PUBLIC],
	['https://com/', PUBLIC],
	['https://shop..example/', PUBLIC],
];

describe('any other address', () => {
	test.each(NOT_TAKEN)('%s is refused', (url, problem) => {
		expect(addressProblem(url)).toBe(problem);
	});

	/** The ways to write an IPv4 address that browsers accept. */
	const part = fc.constantFrom(
		(value: number) => String(value),
		(value: number) => `0x${value.toString(16)}`,
		(value: number) => `0${value.toString(8)}`,
	);
	const ipv4 = fc
		.tuple(
			fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }),
			fc.integer({ min: 1, max: 4 }),
			fc.array(part, { minLength: 4, maxLength: 4 }),
		)
		.map(([bytes, count, spellings]) => {
			const last = bytes.slice(count - 1).reduce((value, byte) => value * 256 + byte, 0);
			return [...bytes.slice(0, count - 1), last].map((value, index) => spellings[index]?.(value) ?? value).join('.');
		});
	const ipv6 = fc
		.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
		.map((groups) => `[${groups.map((group) => group.toString(16)).join(':')}]`);

	test('no IP address is accepted, in any notation', () => {
		fc.assert(
			fc.property(fc.oneof(ipv4, ipv6), fc.constantFrom('', '.'), fc.webPath(), (host, dot, path) => {
				expect(addressProblem(`https://${host}${host.startsWith('[') ? '' : dot}/${path}`)).toBe(PUBLIC);
			}),
		);
	});

	test('an accepted address has a name with a dot, https, and nothing else before its path', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.webUrl(),
					fc.string(),
					fc.string().map((text) => `https://${text}`),
				),
				(text) => {
					if (addressProblem(text) !== undefined) return;
					const url = new URL(text);
					expect([url.protocol, url.port, url.username, url.password]).toEqual(['https:', '', '', '']);
					expect(url.hostname).toMatch(/^[^.[\]]+(\.[^.[\]]+)+\.?$/);
					expect(url.hostname).not.toMatch(/^[\d.]+$|(^|\.)(localhost|local|internal)\.?$/);
				},
			),
		);
	});
});

describe('a service on localhost', () => {
	test.each(['http://127.0.0.1:4010/hook', 'https://[::1]/', 'http://localhost:3000'])('may be %s', (url) => {
		expect(addressProblem(url, true)).toBeUndefined();
	});

	test.each([
		['nonsense', ADDRESS],
		['http://pat:secret@127.0.0.1/', 'url must not contain a user name or password'],
	])('may not be %s', (url, problem) => {
		expect(addressProblem(url, true)).toBe(problem);
	});
});
