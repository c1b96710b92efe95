import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DATA, EVENT_TYPES } from '../../../src/processor/custom/body.ts';
import { webhookSecret } from '../../../testing/custom/sign.ts';
import { aCustomFunnel, connected, customEvent, outcomes, receiveCustom, sendCustom } from '../../support/custom-webhook.ts';
import { aStripeFunnel, inboxOf, post, send, work } from '../../support/inbox.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import { aLead, rows } from '../../support/funnel.ts';
import { api } from '../../support/world.ts';

// The custom webhook checks the signature first, then the body. A refusal names the field.

const stored = ({ id }: { readonly id: number }) => rows('SELECT id FROM processor_events WHERE program_id = ?', id);
const own = await aCustomFunnel();
const aPayment = (data: Record<string, unknown> = {}) =>
	customEvent('payment', { payment_id: 'p', amount_cents: 1_000, currency: 'USD', customer_key: 'k', ...data });

describe('a signature', () => {
	test('by the secret created here is accepted, and the event is stored once', async () => {
		const funnel = await aCustomFunnel();
		const event = aPayment();
		expect(await receiveCustom(funnel, event)).toMatchObject({ status: 200, body: { received: true } });
		expect(await receiveCustom(funnel, event)).toMatchObject({ status: 200, messages: [] });
		expect(await inboxOf(funnel, '?processor=custom')).toMatchObject([{ event_id: event.id, type: 'payment', test: false }]);
	});

	test.each<[what: string, sending: Parameters<typeof receiveCustom>[2]]>([
		['with another secret', { secret: webhookSecret() }],
		['with another body', { alter: (body) => body.replace('1000', '9000') }],
		['with another id', { headers: { 'webhook-id': 'msg_other' } }],
		['with another time', { headers: { 'webhook-timestamp': `${Math.floor(Date.now() / 1000) - 17}` } }],
		['that is 301 s old', { signedAt: Date.now() - 301_000 }],
		['that is six minutes ahead', { signedAt: Date.now() + 360_000 }],
		['with an unknown version', { headers: { 'webhook-signature': 'v1a,AAAA v2,AAAA' } }],
		['that is not base64', { headers: { 'webhook-signature': 'v1,%%%' } }],
		['that is empty', { headers: { 'webhook-signature': 'v1,' } }],
	])('%s stores nothing', async (_what, sending) => {
		const before = await stored(own);
		const { status, body } = await receiveCustom(own, aPayment(), sending);
		expect([status, body]).toEqual([
			400,
			{ error: expect.stringMatching(/^The (?:webhook-signature does not match this body|signature is right, but the timestamp is)/) },
		]);
		expect(await stored(own)).toEqual(before);
	});

	test('is accepted beside others in the header, and almost 300 s off', async () => {
		const funnel = await aCustomFunnel();
		const event = aPayment();
		const { messages } = await receiveCustom(funnel, event, { signedAt: Date.now() - 295_000 });
		expect(messages).toHaveLength(1);
	});

	test('is checked before the body', async () => {
		const { status, body } = await post(`/webhooks/custom/${own.id}`, '{"type":7}');
		expect([status, body]).toEqual([400, { error: expect.stringMatching(/^A header is missing/) }]);
	});
});

describe('a rotated secret', () => {
	test('is accepted beside the previous one until the overlap ends', async () => {
		const funnel = await aCustomFunnel();
		const roll = (body: object) =>
			api<{ webhook_secret: string; secrets: { until: string | null }[] }>(`${funnel.path}/processors/custom/secret`, {
				method: 'POST',
				token: funnel.owner.token,
				body,
			});
		const second = await roll({ overlap_hours: 1 });
		expect([second.status, second.body.data.secrets]).toMatchObject([201, [{ until: null }, { until: expect.any(String) }]]);
		for (const secret of [funnel.secret, second.body.data.webhook_secret])
			expect((await receiveCustom(funnel, aPayment(), { secret })).status).toBe(200);
		const third = await roll({ overlap_hours: 0 });
		expect(third.body.data.secrets).toMatchObject([{ until: null }]);
		const statuses = [];
		for (const secret of [funnel.secret, second.body.data.webhook_secret, third.body.data.webhook_secret])
			statuses.push((await receiveCustom(funnel, aPayment(), { secret })).status);
		expect(statuses).toEqual([400, 400, 200]);
		const [endpoint] = await rows<{ sealed_secrets: string }>(
			'SELECT sealed_secrets FROM processor_endpoints WHERE program_id = ?',
			funnel.id,
		);
		expect(endpoint?.sealed_secrets).not.toContain(third.body.data.webhook_secret.slice(6));
		const audited = await rows(
			"SELECT detail FROM audit_entries WHERE program_id = ? AND action = 'processor.roll_secret' ORDER BY id",
			funnel.id,
		);
		expect(audited.map(({ detail }) => detail)).toEqual(
			[24, 1, 0].map((overlapHours) => JSON.stringify({ processor: 'custom', overlapHours })),
		);
	});

	test('that is rotated four times at once leaves five valid secrets, and later never more', async () => {
		const funnel = await aCustomFunnel();
		const roll = () =>
			api<{ webhook_secret: string }>(`${funnel.path}/processors/custom/secret`, { method: 'POST', token: funnel.owner.token });
		const made = await Promise.all([roll(), roll(), roll(), roll()]);
		const secrets = [funnel.secret, ...made.map(({ body }) => body.data.webhook_secret)];
		for (const secret of secrets) expect((await receiveCustom(funnel, aPayment(), { secret })).status).toBe(200);
		await roll();
		const read = await api<{ secrets: unknown[] }>(`${funnel.path}/processors/custom`, { token: funnel.owner.token });
		expect(read.body.data.secrets).toHaveLength(5);
	});

	test('for Stripe must be entered, because Stripe creates it; the basis is kept', async () => {
		const funnel = await aStripeFunnel({}, { amount_basis: 'gross' });
		const roll = (body: object) => api(`${funnel.path}/processors/stripe/secret`, { method: 'POST', token: funnel.owner.token, body });
		expect((await roll({})).body).toEqual({ error: 'webhook_secret must be a signing secret of Stripe: "whsec_" and what follows it' });
		expect((await roll({ webhook_secret: 'whsec_0123456789abcdef0123', test: true })).body).toEqual({
			error: 'test is not used with Stripe, whose events name their own mode',
		});
		expect((await roll({ webhook_secret: 'whsec_0123456789abcdef0123' })).body.data).toMatchObject({
			webhook_secret: null,
			amount_basis: 'gross',
			secrets: [{ hint: 'whsec_...0123' }, {}],
		});
		await send(funnel, stripeStory().checkout.completed());
	});
});

test('several processors are connected at once, each with its own inbox', async () => {
	const funnel = await connected(await aStripeFunnel());
	const custom = aPayment();
	await sendCustom(funnel, custom);
	expect(await inboxOf(funnel, '?processor=stripe')).toEqual([]);
	expect(await inboxOf(funnel, `?event_id=${custom.id}`)).toMatchObject([{ processor: 'custom' }]);
});

describe('a signed but invalid body is refused by its field, and nothing is stored', () => {
	const id = 'must be a text of 1 to 255 characters, without control characters and without leading or trailing blanks';
	const positive = 'must be an integer of minor units from 1 to 99999999999';
	const payment = { payment_id: 'p', amount_cents: 1, currency: 'USD', customer_key: 'k' };
	const refund = { refund_id: 'r', payment_id: 'p', amount_cents: 1, currency: 'USD' };
	const at = '2026-01-31T12:00:00Z';
	test.each<[body: unknown, error: string]>([
		['', 'The body must be JSON in UTF-8'],
		['{"type":', 'The body must be JSON in UTF-8'],
		['[]', 'The body must be a JSON object with type, timestamp and data'],
		['null', 'The body must be a JSON object with type, timestamp and data'],
		[{}, 'type must be one of payment, renewal, refund, dispute, signup, subscription_end'],
		[{ type: 'sale', timestamp: at, data: {} }, 'type must be one of payment, renewal, refund, dispute, signup, subscription_end'],
		[{ type: 'payment', timestamp: 1_700_000_000, data: {} }, 'timestamp must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z'],
		[
			{ type: 'payment', timestamp: '2026-02-30T12:00:00Z', data: {} },
			'timestamp must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z',
		],
		[{ type: 'payment', timestamp: '2026-01-31', data: {} }, 'timestamp must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z'],
		[{ type: 'payment', timestamp: '9999-01-31T12:00:00Z', data: payment }, 'timestamp must not be in the future'],
		[{ type: 'payment', timestamp: at, test: 'yes', data: payment }, 'test must be true or false'],
		[{ type: 'payment', timestamp: at }, 'data must be an object'],
		[{ type: 'payment', timestamp: at, data: [] }, 'data must be an object'],
		[{ type: 'payment', timestamp: at, data: { ...payment, payment_id: null } }, `data.payment_id ${id}`],
		[{ type: 'payment', timestamp: at, data: { ...payment, payment_id: 7 } }, `data.payment_id ${id}`],
		[{ type: 'payment', timestamp: at, data: { ...payment, payment_id: ' p' } }, `data.payment_id ${id}`],
		[{ type: 'payment', timestamp: at, data: { ...payment, payment_id: 'x'.repeat(256) } }, `data.payment_id ${id}`],
		[{ type: 'payment', timestamp: at, data: { ...payment, amount_cents: 0 } }, `data.amount_cents ${positive}`],
		[{ type: 'payment', timestamp: at, data: { ...payment, amount_cents: 9.99 } }, `data.amount_cents ${positive}`],
		[{ type: 'payment', timestamp: at, data: { ...payment, amount_cents: '999' } }, `data.amount_cents ${positive}`],
		[{ type: 'payment', timestamp: at, data: { ...payment, amount_cents: 1e11 } }, `data.amount_cents ${positive}`],
		...(['payment', 'renewal'] as const).map((type): [unknown, string] => [
			{ type, timestamp: at, data: { ...payment, subscription_id: 's', tax_cents: payment.amount_cents + 1 } },
			'data.tax_cents must not be more than amount_cents',
		]),
		[
			{ type: 'payment', timestamp: at, data: { ...payment, tax_cents: -1 } },
			'data.tax_cents must be an integer of minor units from 0 to 99999999999',
		],
		[{ type: 'payment', timestamp: at, data: { ...payment, currency: 'EURO' } }, 'data.currency must be an ISO 4217 code, such as USD'],
		[
			{ type: 'payment', timestamp: at, data: { ...payment, customer_key: 'undefined' } },
			'data.customer_key must be your own id of the customer: this is a missing value that was turned into text',
		],
		[
			{ type: 'payment', timestamp: at, data: { ...payment, customer_key: null } },
			'data must have customer_key, click_id or subscription_id',
		],
		[{ type: 'renewal', timestamp: at, data: payment }, `data.subscription_id ${id}`],
		[{ type: 'refund', timestamp: at, data: { ...refund, refund_id: undefined } }, `data.refund_id ${id}`],
		[{ type: 'refund', timestamp: at, data: { ...refund, status: 'won' } }, 'data.status must be pending, succeeded, failed or canceled'],
		[{ type: 'dispute', timestamp: at, data: { ...refund, dispute_id: 'd', status: 'failed' } }, 'data.status must be open, lost or won'],
		[{ type: 'signup', timestamp: at, data: { subscription_id: 's' } }, 'data must have customer_key or click_id'],
		[{ type: 'subscription_end', timestamp: at, data: {} }, `data.subscription_id ${id}`],
	])('%j', async (body, error) => {
		const before = await stored(own);
		const answer = await receiveCustom(own, { id: 'msg_wrong', body });
		expect([answer.status, answer.body]).toEqual([400, { error }]);
		expect(await stored(own)).toEqual(before);
	});

	test('a corrected body is accepted under the same id', async () => {
		const funnel = await aCustomFunnel();
		const event = aPayment({ customer_key: await aLead(funnel), payment_id: `p-${funnel.id}` });
		expect((await receiveCustom(funnel, { id: event.id, body: { type: 'payment' } })).status).toBe(400);
		await sendCustom(funnel, event);
		expect((await outcomes(funnel)).get(event.id)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
	});
});

describe('any signed body', () => {
	const values = fc.oneof(
		fc.constantFrom<unknown[]>(null, 0, -1, 0.5, 1e21, 2 ** 53, '', ' ', 'USD', 'k', true, [], {}, '\u0000', '\ud800', 'x'.repeat(300)),
		fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
	);
	const good: Readonly<Record<string, unknown>> = {
		payment_id: 'p',
		amount_cents: 1_000,
		currency: 'JPY',
		customer_key: 'k',
		subscription_id: 's',
		refund_id: 'r',
		dispute_id: 'd',
		tax_cents: 100,
	};
	const names = [...new Set([...Object.keys(good), 'status', 'trial', 'proration', 'click_id', 'reason', '__proto__', 'constructor'])];

	test('gets 200 with a reason in the inbox, or 400 with one in the answer; never a fault', async () => {
		const funnel = await aCustomFunnel();
		const seen = new Set<number>();
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...EVENT_TYPES),
				fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 3 }),
				fc.option(fc.tuple(fc.constantFrom('type', 'timestamp', 'test', 'data'), values), { freq: 4 }),
				async (type, changes, outer) => {
					const event = customEvent(type, { ...good, ...Object.fromEntries(changes) });
					const body = outer ? Object.assign({}, event.body, { [outer[0]]: outer[1] }) : event.body;
					const answer = await receiveCustom(funnel, { id: event.id, body });
					seen.add(answer.status);
					expect([200, 400], JSON.stringify(body)).toContain(answer.status);
					if (answer.status === 400) expect(answer.body).toEqual({ error: expect.stringMatching(/\S/) });
					await work(answer.messages);
				},
			),
			{ numRuns: 150 },
		);
		expect([...seen].toSorted()).toEqual([200, 400]);
		const events = await inboxOf(funnel, '?limit=200');
		expect(events.filter(({ reason }) => reason === null || reason === '')).toEqual([]);
		expect(events.filter(({ state }) => state === 'received' || state === 'failed')).toEqual([]);
	});

	test('every type has its fields', () => {
		expect(Object.keys(DATA)).toEqual([...EVENT_TYPES]);
	});
});
