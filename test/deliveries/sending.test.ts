import { createHmac } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/calendar.ts';
import { aServiceOfTests, type Received, webhook } from './receiver.ts';

const service = await aServiceOfTests();

const testEvent = (id: number) => service.testEvent(id);
const deliveryOf = (id: number, delivery: { id: number }) => service.call(webhook(id, `/deliveries/${delivery.id}`));
const answers =
	(status: number, headers = {}, body: string | null = 'no') =>
	() =>
		new Response(body, { status, headers });

const strict = () => ({ settings: { ...service.context().settings, takesAnyWebhookAddress: false } });

/** Independent of the code that signs. */
function isSignedBy(secret: string, { headers, body }: Received): boolean {
	const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
	const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
	const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
	return String(headers['webhook-signature']).split(' ').includes(expected);
}

describe('a delivery', () => {
	test('that is accepted is signed, and sent once', async () => {
		const { id, secret } = await service.aWebhook();
		const sent = await testEvent(id);
		await service.sendAll();
		await service.sendAll();
		const [received, ...more] = service.received;
		expect(more).toEqual([]);
		expect(received).toMatchObject({ method: 'POST', redirect: 'manual', url: 'https://hooks.shop.example/books' });
		expect(received?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': sent['webhook_id'] });
		expect(received && isSignedBy(secret, received)).toBe(true);
		expect(Math.abs(Number(received?.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
		expect(await deliveryOf(id, sent)).toMatchObject({
			status: 'delivered',
			attempts: 1,
			last_status: 200,
			last_response: 'ok',
			last_error: null,
		});
	});

	test('is signed with both secrets during a rotation, and then only with the new one', async () => {
		const { id, secret } = await service.aWebhook();
		const { secret: next } = await service.call(webhook(id, '/secret'), { overlap_hours: 1 });
		await testEvent(id);
		await service.sendAll();
		service.later = HOUR_MS + 1;
		await testEvent(id);
		await service.sendAll();
		const signers = service.received.map((one) => [isSignedBy(secret, one), isSignedBy(String(next), one)]);
		expect(signers).toEqual([
			[true, true],
			[false, true],
		]);
	});

	test('that fails is repeated on the schedule, under the same id, ten times in all', async () => {
		const { id } = await service.aWebhook();
		const sent = await testEvent(id);
		service.answer = answers(500);
		const waits: number[] = [];
		for (let attempt = 1; attempt <= 10; attempt += 1) {
			await service.send();
			expect(service.received).toHaveLength(attempt);
			const [row] = await service.rows('SELECT next_attempt_at AS at, state FROM webhook_deliveries WHERE id = ?', sent.id);
			if (row?.['state'] !== 'pending') break;
			const wait = Number(row['at']) - service.now();
			waits.push(wait);
			service.later += wait - 1_000;
			await service.send();
			expect(service.received).toHaveLength(attempt);
			service.later += 1_001;
		}
		const plannedSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
		expect(waits).toHaveLength(9);
		waits.forEach((wait, index) => {
			const planned = (plannedSeconds[index] ?? 0) * SECOND_MS;
			expect(wait).toBeGreaterThan(planned * 0.9);
			expect(wait).toBeLessThan(planned * 1.21);
		});
		expect(new Set(service.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
		expect(new Set(service.received.map(({ body }) => body)).size).toBe(1);
		expect(await deliveryOf(id, sent)).toMatchObject({ status: 'failed', attempts: 10, last_status: 500, next_attempt_at: null });
		// The second attempt comes within seconds, without waiting for cron.
		expect(service.woken.some((seconds) => seconds !== undefined && seconds >= 5 && seconds <= 7)).toBe(true);
	});

	test('waits as long as the receiver asks, and can be requested again in any state', async () => {
		const { id } = await service.aWebhook();
		const sent = await testEvent(id);
		service.answer = answers(503, { 'Retry-After': '3600' });
		await service.send();
		service.later = 59 * MINUTE_MS;
		await service.send();
		expect(service.received).toHaveLength(1);
		service.answer = answers(204, {}, null);
		service.later = 0;
		await service.call(webhook(id, `/deliveries/${sent.id}/redeliver`), {});
		await service.send();
		expect(await deliveryOf(id, sent)).toMatchObject({ status: 'delivered', attempts: 2, last_status: 204 });
		await service.call(webhook(id, `/deliveries/${sent.id}/redeliver`), {});
		await service.send();
		expect(await deliveryOf(id, sent)).toMatchObject({ status: 'delivered', attempts: 3 });
		expect(new Set(service.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
	});

	test.each([
		[
			answers(302, { Location: 'http://127.0.0.1/' }),
			302,
			'The response was a redirect, which is not followed. Enter the address that it leads to',
		],
		[answers(404, {}, 'x'.repeat(5_000)), 404, 'The response status was not 2xx'],
		[() => Promise.reject(new TypeError('connection refused')), null, 'The connection failed or broke off'],
	])('with a wrong answer says what was wrong: %#', async (answer, status, error) => {
		const { id } = await service.aWebhook();
		const sent = await testEvent(id);
		service.answer = answer;
		await service.send();
		const delivery = await deliveryOf(id, sent);
		expect(delivery).toMatchObject({ status: 'pending', last_status: status, last_error: error });
		expect(JSON.stringify(delivery['last_response']).length).toBeLessThanOrEqual(1_026);
		expect(service.received).toHaveLength(1);
	});

	test('that hangs is given up after 15 seconds, and may get an endless answer', async () => {
		const { id } = await service.aWebhook();
		const sent = await testEvent(id);
		const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const controller = new AbortController();
			setTimeout(() => controller.abort(), ms / 300);
			return controller.signal;
		});
		service.answer = () => new Promise(() => undefined);
		await service.send();
		expect(timeout).toHaveBeenCalledWith(15_000);
		expect(await deliveryOf(id, sent)).toMatchObject({ status: 'pending', last_error: 'There was no response within 15 seconds' });
		timeout.mockRestore();
		service.answer = () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(700)) }));
		service.later = 10 * SECOND_MS;
		await service.send();
		expect(await deliveryOf(id, sent)).toMatchObject({ status: 'delivered' });
	});

	test('is sent by one of many concurrent consumers, and by another if that one dies', async () => {
		const { id } = await service.aWebhook();
		for (let event = 0; event < 20; event += 1) await testEvent(id);
		await Promise.all(Array.from({ length: 8 }, () => service.send()));
		await service.sendAll();
		expect(service.received).toHaveLength(20);
		expect(new Set(service.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
		service.received.splice(0);
		await testEvent(id);
		await service.send({
			fetch: () => new Promise(() => undefined),
			log: () => undefined,
			secrets: { ...service.context().secrets, open: died },
		});
		await service.send();
		expect(service.received).toEqual([]);
		service.later = 3 * MINUTE_MS;
		await service.send();
		expect(service.received).toHaveLength(1);
	});
});

const died = () => Promise.reject(new Error('The consumer died'));

describe('its address', () => {
	test.each([
		'http://127.0.0.1:4010/',
		'https://127.0.0.1/',
		'https://10.0.0.7/',
		'https://localhost/',
		'https://[::1]/',
		'https://2130706433/',
		'https://0x7f.1/',
	])('%s is not called by a deployed service, even if it was stored once', async (url) => {
		const { id } = await service.aWebhook(undefined, url);
		const sent = await testEvent(id);
		await service.send(strict());
		expect(service.received).toEqual([]);
		expect(await deliveryOf(id, sent)).toMatchObject({
			status: 'pending',
			attempts: 1,
			last_error: 'The address is not on the public internet. Webhooks can only be sent to public addresses',
		});
	});

	test('a redirect to such an address is not followed', async () => {
		const { id } = await service.aWebhook();
		await testEvent(id);
		service.answer = answers(307, { Location: 'http://127.0.0.1:4010/' });
		await service.send(strict());
		expect(service.received.map(({ url, redirect }) => [url, redirect])).toEqual([['https://hooks.shop.example/books', 'manual']]);
	});
});

test('cron deletes what was settled 30 days ago, and starts the sender for what is due', async () => {
	const { id } = await service.aWebhook();
	const [done, waiting] = [await testEvent(id), await testEvent(id)];
	const old = Date.now() - 31 * DAY_MS;
	await service.rows(
		"UPDATE webhook_deliveries SET state = 'delivered', next_attempt_at = NULL, settled_at = ? WHERE id = ?",
		old,
		done.id,
	);
	service.service.held.splice(0);
	await service.service.tick();
	expect(service.service.held.map(({ queue }) => queue)).toContain('affiliate-webhooks');
	expect(await service.rows('SELECT id FROM webhook_deliveries WHERE endpoint_id = ?', id)).toEqual([{ id: waiting.id }]);
});
