import { describe, expect, test } from 'vitest';
import { verifyStripeEvent } from '../../../src/processor/stripe/verify-signature.ts';
import { signed, signingSecret } from '../../../testing/stripe/sign.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';

const NOW = Date.UTC(2026, 10, 5, 12);

async function delivery(event: unknown = stripeStory().checkout.completed(), at: number = NOW) {
	const secret = signingSecret();
	return { ...signed(event, secret, at), secret, event };
}

/** The result of verifying a delivery at NOW. */
async function verified(body: Uint8Array | string, header: string | undefined, ...secrets: string[]) {
	const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
	return verifyStripeEvent(bytes, header, secrets, NOW);
}

describe('a delivery that Stripe signed', () => {
	test('is read from its bytes and from its text', async () => {
		const { body, header, secret, event } = await delivery();
		expect(await verified(new TextEncoder().encode(body), header, secret)).toEqual({ event });
		expect(await verified(body, header, secret)).toEqual({ event });
	});

	test('verifies with any secret of a rotation', async () => {
		const { body, header, secret, event } = await delivery();
		expect(await verified(body, header, signingSecret(), secret)).toEqual({ event });
		expect(await verified(body, header, secret, signingSecret())).toEqual({ event });
	});

	test('verifies if Stripe signs with both secrets of a rotation, in either order', async () => {
		const { body, header, secret, event } = await delivery();
		const other = signed(body, signingSecret(), NOW).header.split(',')[1];
		expect(await verified(body, `${header},${other}`, secret)).toEqual({ event });
		expect(await verified(body, header.replace(',', `,${other},`), secret)).toEqual({ event });
	});

	test('may be beyond ASCII', async () => {
		const { body, header, secret, event } = await delivery(
			stripeStory({ metadata: { tracker_customer_key: 'Zoë-東京-😀' } }).checkout.completed(),
		);
		expect(await verified(new TextEncoder().encode(body), header, secret)).toEqual({ event });
	});

	test.each([
		['300 s old', -300_000],
		['from a clock that is ahead', 60_000],
	])('is accepted when it is %s', async (_, age) => {
		const { body, header, secret, event } = await delivery(undefined, NOW + age);
		expect(await verified(body, header, secret)).toEqual({ event });
	});
});

describe('an invalid delivery', () => {
	test('a replay after 301 s', async () => {
		const { body, header, secret } = await delivery(undefined, NOW - 301_000);
		expect(await verified(body, header, secret)).toBeUndefined();
	});

	test('a replay with a new timestamp', async () => {
		const { body, header, secret } = await delivery(undefined, NOW - 301_000);
		expect(await verified(body, header.replace(/t=\d+/, `t=${NOW / 1000}`), secret)).toBeUndefined();
	});

	test('signed with another secret', async () => {
		const { body, header } = await delivery();
		expect(await verified(body, header, signingSecret())).toBeUndefined();
		expect(await verified(body, header)).toBeUndefined();
		expect(await verified(body, header, '')).toBeUndefined();
	});

	test('with a body that was altered, cut or extended', async () => {
		const { body, header, secret } = await delivery();
		expect(await verified(body.replace('10000', '90000'), header, secret)).toBeUndefined();
		expect(await verified(body.slice(0, -1), header, secret)).toBeUndefined();
		expect(await verified(`${body} `, header, secret)).toBeUndefined();
		expect(await verified('', header, secret)).toBeUndefined();
	});

	test.each([
		['no header', undefined],
		['an empty header', ''],
		['a header without a signature', `t=${NOW / 1000}`],
		['an invalid header', 'nonsense'],
		['a signature of a test scheme', `t=${NOW / 1000},v0=${'0'.repeat(64)}`],
		['a signature that is too short', `t=${NOW / 1000},v1=00`],
		['a header without a time', `v1=${'0'.repeat(64)}`],
		['an invalid time', `t=now,v1=${'0'.repeat(64)}`],
	])('with %s', async (_, header) => {
		const { body, secret } = await delivery();
		expect(await verified(body, header, secret)).toBeUndefined();
	});

	test('a signature without its time, its scheme or its end', async () => {
		const { body, header, secret } = await delivery();
		expect(await verified(body, header.split(',')[1], secret)).toBeUndefined();
		expect(await verified(body, header.replace('v1=', 'v0='), secret)).toBeUndefined();
		expect(await verified(body, header.slice(0, -1), secret)).toBeUndefined();
	});

	// The secret is right and must not be blamed.
	test.each([
		['a thin event', { object: 'v2.core.event', id: 'evt_1', type: 'v1.billing.meter.error_report_triggered' }],
		['another object', { object: 'invoice', id: 'in_1' }],
		['not an object', null],
		['a list', []],
		['not JSON', '{"object":"event"'],
	])('a signed body that is %s', async (_, payload) => {
		const { body, header, secret } = await delivery(payload);
		expect(await verified(body, header, secret)).toEqual({ event: undefined });
	});
});
