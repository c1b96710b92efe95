import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signerOf } from '../../../src/processor/paddle/verify-signature.ts';
import { signed, signingSecret } from '../../../testing/paddle/sign.ts';
import { paddleStory } from '../../../testing/paddle/story.ts';

const NOW = Date.UTC(2026, 10, 5, 12);

function delivery(event: unknown = paddleStory().first.completed(), at: number = NOW) {
	const secret = signingSecret();
	return { ...signed(event, secret, at), secret };
}

/** Which secret signed a delivery, checked at NOW. */
async function signerAt(body: Uint8Array | string, header: string | undefined, ...secrets: string[]): Promise<string | undefined> {
	const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
	const signers = secrets.map((secret) => ({ secret }));
	return (await signerOf(bytes, header, signers, NOW))?.secret;
}

/** From the tests of Paddle's SDK. */
describe('a valid signature of Paddle', () => {
	const AT = 1_698_796_800;
	const HEADER = `ts=${AT};h1=a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9`;
	const BODY = new TextEncoder().encode('{"data": ["1", "2"]}');
	const signer = { secret: 'VALID_SECRET' };

	test('is accepted for 300 s', async () => {
		expect(await signerOf(BODY, HEADER, [signer], AT * 1000)).toBe(signer);
		expect(await signerOf(BODY, HEADER, [signer], (AT + 300) * 1000)).toBe(signer);
		expect(await signerOf(BODY, HEADER, [signer], (AT + 301) * 1000)).toBeUndefined();
	});

	test('matches only its own body, time and secret', async () => {
		expect(await signerOf(new TextEncoder().encode('{ "data": [ "1", "2" ]}'), HEADER, [signer], AT * 1000)).toBeUndefined();
		expect(await signerOf(BODY, HEADER.replace(String(AT), String(AT + 1)), [signer], AT * 1000)).toBeUndefined();
		expect(await signerOf(BODY, HEADER, [{ secret: 'ANOTHER_SECRET' }], AT * 1000)).toBeUndefined();
	});
});

describe('a delivery that Paddle signed', () => {
	test('matches the secret that signed it, among several during a rotation', async () => {
		const { body, header, secret } = delivery();
		expect(await signerAt(body, header, secret)).toBe(secret);
		expect(await signerAt(body, header, signingSecret(), secret)).toBe(secret);
		expect(await signerAt(body, header, secret, signingSecret())).toBe(secret);
	});

	test('is accepted by any of several h1, in any order, beside unknown fields', async () => {
		const { body, header, secret } = delivery();
		const other = signed(body, signingSecret(), NOW).header.split(';')[1];
		expect(await signerAt(body, `${header};${other};h2=whatever`, secret)).toBe(secret);
		expect(await signerAt(body, header.replace(';', `;${other};`), secret)).toBe(secret);
		expect(await signerAt(body, header.replace(';', '; '), secret)).toBe(secret);
	});

	test('may have a body beyond ASCII; a body that is not text is handled without a fault', async () => {
		const { body, header, secret } = delivery(paddleStory({ customData: { tracker_customer_key: 'Zoë-東京-😀' } }).first.completed());
		expect(await signerAt(body, header, secret)).toBe(secret);
		expect(await signerAt(Uint8Array.of(0xff, 0xfe, 0), header, secret)).toBeUndefined();
	});

	test.each([
		['300 s old', -300_000],
		['from a clock that is 300 s ahead', 300_000],
	])('is accepted when it is %s', async (_, age) => {
		const { body, header, secret } = delivery(undefined, NOW + age);
		expect(await signerAt(body, header, secret)).toBe(secret);
	});
});

describe('an invalid delivery', () => {
	test.each([
		['301 s old', -301_000],
		['from a clock that is 301 s ahead', 301_000],
	])('that is %s, even with a new timestamp', async (_, age) => {
		const { body, header, secret } = delivery(undefined, NOW + age);
		expect(await signerAt(body, header, secret)).toBeUndefined();
		expect(await signerAt(body, header.replace(/ts=\d+/, `ts=${NOW / 1000}`), secret)).toBeUndefined();
	});

	test('signed with another secret, or none', async () => {
		const { body, header } = delivery();
		expect(await signerAt(body, header, signingSecret())).toBeUndefined();
		expect(await signerAt(body, header)).toBeUndefined();
		expect(await signerAt(body, header, '')).toBeUndefined();
	});

	test.each([
		['no header', undefined],
		['an empty header', ''],
		['a header without a signature', `ts=${NOW / 1000}`],
		['an invalid header', 'nonsense'],
		['a signature that is too short', `ts=${NOW / 1000};h1=00`],
		['a header without a time', `h1=${'0'.repeat(64)}`],
		['an invalid time', `ts=now;h1=${'0'.repeat(64)}`],
		['two times', `ts=${NOW / 1000};ts=${NOW / 1000};h1=${'0'.repeat(64)}`],
	])('with %s', async (_, header) => {
		const { body, secret } = delivery();
		expect(await signerAt(body, header, secret)).toBeUndefined();
	});

	test('changed anywhere in its body, time or signature', async () => {
		const { body, header, secret } = delivery();
		await fc.assert(
			fc.asyncProperty(fc.nat(), fc.nat(), async (inBody, inHeader) => {
				expect(await signerAt(changed(body, inBody), header, secret)).toBeUndefined();
				expect(await signerAt(body, changed(header, inHeader), secret)).toBeUndefined();
			}),
		);
	});
});

function changed(text: string, place: number): string {
	const at = place % text.length;
	return `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;
}

test('any header is handled without a fault', async () => {
	const { body, secret } = delivery();
	const parts = fc.array(fc.constantFrom('ts=', 'h1=', ';', '=', `${NOW / 1000}`, 'a'.repeat(64), ' ', 'é'), { maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(
			parts.map((some) => some.join('')),
			async (header) => {
				expect(await signerAt(body, header, secret)).toBeUndefined();
			},
		),
	);
});
