import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signedWebhook, webhookSecret } from '../../testing/custom/sign.ts';
import { app } from '../../src/http/app.ts';
import { bearer, trackWith } from '../support/bindings.ts';
import { aCustomFunnel, customEvent, type CustomFunnel } from '../support/custom-webhook.ts';
import { aClick, aFunnel, type Funnel } from '../support/funnel.ts';
import { unique } from '../support/world.ts';

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

async function logged(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
	const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
	await work();
	const lines = info.mock.calls.map(([line]): Record<string, unknown> => JSON.parse(String(line)));
	info.mockRestore();
	return lines;
}

const call = (route: string, body: object, headers: Record<string, string> = bearer(funnel.apiToken), LOG_EVENTS = 'on') =>
	logged(() => trackWith({ LOG_EVENTS }, route, body, headers));

const line = (type: string, answer: number, said: object) => [
	{ level: 'info', event: 'tracked', type, answer, ...said, requestId: expect.any(String) },
];
const webhookLine = (said: object) => [
	{ level: 'info', event: 'webhook_received', processor: 'custom', ...said, requestId: expect.any(String) },
];
const page = () => ({ affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });

test('each event is a line that names nobody', async () => {
	const customer_key = `${unique('somebody')}@people.example`;
	const transaction_id = unique('order');
	const clickId = await aClick(funnel);
	const lines = [
		...(await call('click', page(), {})),
		...(await call('lead', { click_id: clickId, customer_key, email: customer_key })),
		...(await call('sale', { transaction_id, amount_cents: 10_000, customer_key })),
		...(await call('refund', { transaction_id, refund_amount_cents: 5_000, refund_reason: `asked by ${customer_key}` })),
	];
	expect(lines.map(({ type, answer }) => [type, answer])).toEqual([
		['click', 200],
		['lead', 200],
		['sale', 200],
		['refund', 200],
	]);
	expect(lines[1]).toMatchObject({ lead_id: expect.any(Number), message: 'Lead recorded' });
	expect(lines[2]).toMatchObject({ sale_id: expect.any(Number), commission_id: expect.any(Number), message: expect.any(String) });
	expect(lines[3]).toMatchObject({ status: 'refunded', deductionAmount: 10, commission_id: expect.any(Number) });
	for (const secret of [customer_key, transaction_id, clickId, funnel.apiToken, 'cust_'])
		expect(JSON.stringify(lines)).not.toContain(secret);
});

test('so is a refused event, with its reason', async () => {
	const origin = 'http://localhost:5173';
	expect(await call('click', page(), { Origin: origin })).toEqual(line('click', 403, { error: 'Origin not allowed', origin }));
	expect(await call('click', {}, {})).toEqual(line('click', 400, { error: 'affiliate_url is required' }));
	expect(await call('lead', { customer_key: 'x' }, bearer('wrong'))).toEqual(
		line('lead', 401, { error: expect.stringContaining('Invalid') }),
	);
	expect(await call('sale', { transaction_id: unique('t') })).toEqual(
		line('sale', 400, { error: 'amount_cents is required and must be a positive integer' }),
	);
	expect(await call('refund', { transaction_id: unique('none') })).toEqual(
		line('refund', 404, { error: 'Sale not found for transaction_id' }),
	);
});

test('a line of test mode says so', async () => {
	const [told] = await call('sale', { additional_data: { test_mode: true } });
	expect(told).toMatchObject({ type: 'sale', answer: 200, test: true });
});

test("the line of a redirect has the destination's host, without the click", async () => {
	const place = await aFunnel({ domain: 'lands.example' });
	const lines = await logged(async () => {
		const execution = createExecutionContext();
		const headers = { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' };
		await app.fetch(new Request(`http://service.test/r/${place.shortLink}`, { headers }), { ...env, LOG_EVENTS: 'on' }, execution);
		await waitOnExecutionContext(execution);
	});
	expect(lines).toEqual(line('click', 302, { leads_to: 'lands.example' }));
});

describe('the webhook of a payment processor is a line', () => {
	const signup = customEvent('signup', { customer_key: 'somebody@people.example' });
	const sent = async ({ id, secret }: CustomFunnel, eventId: string) => {
		const { body, headers } = signedWebhook(signup.body, secret, Date.now(), eventId);
		return logged(async () => {
			const execution = createExecutionContext();
			const request = new Request(`http://service.test/webhooks/custom/${id}`, { method: 'POST', body, headers });
			await app.fetch(request, { ...env, LOG_EVENTS: 'on' }, execution);
			await waitOnExecutionContext(execution);
		});
	};
	test('with its id and type, accepted once and again', async () => {
		const program = await aCustomFunnel();
		const id = unique('msg');
		const said = { answer: 200, id, type: 'signup', test: false };
		expect(await sent(program, id)).toEqual(webhookLine({ ...said, new: true }));
		expect(await sent(program, id)).toEqual(webhookLine({ ...said, new: false }));
	});

	test('with the reason if it is refused, and without unsigned content', async () => {
		const program = await aCustomFunnel();
		const error = expect.stringContaining('signature');
		expect(await sent({ ...program, secret: webhookSecret() }, unique('msg'))).toEqual(webhookLine({ answer: 400, error }));
	});

	test('without an email address that a backend used as its id', async () => {
		const [told] = await sent(await aCustomFunnel(), `of somebody@people.example`);
		expect(told).toMatchObject({ id: 'of …', type: 'signup' });
	});
});

test.each(['off', ''])('nothing is logged if LOG_EVENTS is %j', async (value) => {
	expect(await call('click', page(), {}, value)).toEqual([]);
});
