import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forwardedAddress, networkOf, siteOf } from '../../../src/domain/people/client-network.ts';
import { anyText } from '../../support/any-text.ts';

describe('the network of a client', () => {
	test.each([
		['192.0.2.1', '192.0.2.1'],
		[' 192.0.2.1 ', '192.0.2.1'],
		['192.0.2.1:443', '192.0.2.1'],
		['192.000.002.001', '192.0.2.1'],
		['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
		['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
		['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
		['2001:db8:1:2::9', '2001:db8:1:2::/64'],
		['2001:db8::9', '2001:db8:0:0::/64'],
		['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
		['::1', '0:0:0:0::/64'],
		['::', '0:0:0:0::/64'],
		['1::', '1:0:0:0::/64'],
		['fe80::1%eth0', 'fe80:0:0:0::/64'],
		['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
		['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
		['[fe80::1%25en0]:80', 'fe80:0:0:0::/64'],
		['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64'],
		['::ffff:192.0.2.1', '192.0.2.1'],
		['::FFFF:c000:201', '192.0.2.1'],
		['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
		['::fffe:192.0.2.1', '0:0:0:0::/64'],
		['1::ffff:192.0.2.1', '1:0:0:0::/64'],
	])('of %s is %s', (address, network) => {
		expect(networkOf(address)).toBe(network);
	});

	test.each([
		'visitor-1',
		'',
		':',
		':::',
		'1::2::3',
		'1:2:3:4:5:6:7',
		'1:2:3:4:5:6:7:8:9',
		'1:2:3:4:5:6:7:8::',
		'12345::',
		'g::',
		'::256.0.0.1',
		'::1.2.3',
		'1.2.3.4::',
		'256.0.0.1',
		'1.2.3',
		'1.2.3.4.5',
	])('an invalid address is its own network: %s', (text) => {
		expect(networkOf(text)).toBe(text);
	});

	test('a very long one is cut', () => {
		expect(networkOf('x'.repeat(10_000))).toBe('x'.repeat(64));
	});

	const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });

	test('is the same for every address in it, in any notation', () => {
		fc.assert(
			fc.property(groups, groups, fc.boolean(), fc.boolean(), (one, other, isPadded, isUpper) => {
				const neighbour = [...one.slice(0, 4), ...other.slice(4)];
				fc.pre(!isMapped(one) && !isMapped(neighbour));
				expect(networkOf(written(neighbour, isPadded, isUpper))).toBe(networkOf(written(one, !isPadded, !isUpper)));
				const host = URL.parse(`http://[${written(one, false, false)}]/`)?.hostname ?? '';
				expect(networkOf(host)).toBe(networkOf(written(one, false, false)));
			}),
		);
	});

	test('differs for another /64', () => {
		fc.assert(
			fc.property(groups, groups, (one, other) => {
				fc.pre(one.slice(0, 4).join() !== other.slice(0, 4).join() && !isMapped(one) && !isMapped(other));
				expect(networkOf(written(one, false, false))).not.toBe(networkOf(written(other, false, false)));
			}),
		);
	});

	test('never throws, and is never long', () => {
		fc.assert(fc.property(fc.oneof(anyText(), fc.stringMatching(/^[0-9a-f:.%[\]]*$/)), (text) => networkOf(text).length <= 64));
	});
});

describe('the client behind a trusted proxy', () => {
	test.each<[forwardedFor: string, proxy: string | undefined, address: string | undefined]>([
		['192.0.2.1', '198.51.100.7', '192.0.2.1'],
		['192.0.2.1, 198.51.100.7', '198.51.100.7', '192.0.2.1'],
		['203.0.113.66, 192.0.2.1, 198.51.100.7', '198.51.100.7', '192.0.2.1'],
		['203.0.113.66,192.0.2.1', '198.51.100.7', '192.0.2.1'],
		['192.0.2.1, 2001:db8::7', '2001:0DB8:0:0:1::7', '192.0.2.1'],
		['192.0.2.1', undefined, '192.0.2.1'],
		['198.51.100.7', '198.51.100.7', undefined],
		['192.0.2.1, ', '198.51.100.7', '192.0.2.1'],
		['', '198.51.100.7', undefined],
	])('%s from %s: %s', (forwardedFor, proxy, address) => {
		expect(forwardedAddress(forwardedFor, proxy)).toBe(address);
	});
});

function isMapped(address: readonly number[]): boolean {
	return address[5] === 0xffff && address.slice(0, 5).every((group) => group === 0);
}

function written(groups: readonly number[], isPadded: boolean, isUpper: boolean): string {
	const text = groups.map((group) => group.toString(16).padStart(isPadded ? 4 : 1, '0')).join(':');
	return isUpper ? text.toUpperCase() : text;
}

describe('the site of a client', () => {
	test.each([
		['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
		['2001:DB8:1:ffff::9', '2001:db8:1::/48'],
		['[2001:db8:1::9]:443', '2001:db8:1::/48'],
		['2001:db8::9', '2001:db8:0::/48'],
		['192.0.2.1', undefined],
		['::ffff:192.0.2.1', undefined],
		['', undefined],
		['no address', undefined],
	])('of %s is %s', (address, site) => {
		expect(siteOf(address)).toBe(site);
	});

	test('is the same for all of its networks', () => {
		const group = fc.nat(0xffff).map((number) => number.toString(16));
		fc.assert(
			fc.property(group, group, group, (site, network, host) => {
				expect(siteOf(`2001:db8:${site}:${network}::${host}`)).toBe(siteOf(`2001:db8:${site}::1`));
			}),
		);
	});
});
