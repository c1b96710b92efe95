import { expect, test } from 'vitest';
import { domainOf } from '../../src/pages/dashboard/settings/domain-of.ts';

test.each([
	['shop.example', 'shop.example'],
	[' shop.example ', 'shop.example'],
	['https://www.shop.example/path', 'www.shop.example'],
	['http://shop.example:8080', 'shop.example'],
	['HTTPS://Shop.Example/?aff=pat#top', 'shop.example'],
	['shop.example/tea?x=1', 'shop.example'],
	['//shop.example/tea', 'shop.example'],
	['shop.example:443', 'shop.example'],
	['https://pat:secret@shop.example/', 'shop.example'],
	['https://shop.example.', 'shop.example.'],
	// The service refuses what is no host, and says why.
	['my shop', 'my shop'],
	['https://', 'https://'],
	['mailto:pat@shop.example', 'shop.example'],
	['', ''],
])('the domain of %s is %s', (text, domain) => expect(domainOf(text)).toBe(domain));
