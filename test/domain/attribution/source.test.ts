import { expect, test } from 'vitest';
import { sourceOf } from '../../../src/domain/attribution/source.ts';

test.each<[referrer: string, source: string]>([
	['https://www.Google.com/search?q=shoes', 'google.com'],
	['https://google.com', 'google.com'],
	['http://news.example:8080/a#b', 'news.example'],
	['https://user:secret@blog.example/post', 'blog.example'],
	['https://www.example.co.uk./', 'example.co.uk'],
	['https://wwwx.example/', 'wwwx.example'],
	['https://www/', 'www'],
	['https://shop.www.example/', 'shop.www.example'],
	[`https://${'a.'.repeat(126)}a/`, `${'a.'.repeat(126)}a`],
	['https://müller.example/', 'xn--mller-kva.example'],
	['https://my_shop.example/', 'my_shop.example'],
	['https://192.0.2.7/', '192.0.2.7'],
	['android-app://com.Google.android.gm/', 'com.google.android.gm'],
	['  https://t.co/abc  ', 't.co'],
])('%s comes from %s', (referrer, source) => {
	expect(sourceOf(referrer)).toBe(source);
});

test.each([
	null,
	'',
	'google.com',
	'localhost:3000',
	'about:blank',
	'mailto:ada@shop.example',
	'file:///home/ada/page.html',
	'https://',
	'https://[::1]/',
	'foo://a b/',
	'foo://a$b/',
	`https://${'a.'.repeat(126)}aa/`,
	'foo://%00/',
	`https://${'a'.repeat(250)}.example/`,
	'nonsense',
])('%j has no source', (referrer) => {
	expect(sourceOf(referrer)).toBeNull();
});
