import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/calendar.ts';
import { aServiceOfTests, webhook } from './receiver.ts';

const service = await aServiceOfTests();

const testEvent = (id: number) => service.testEvent(id);
const answers = (status: number) => () => new Response('no', { status });
const notices = () => service.rows("SELECT user_id, detail FROM notifications WHERE kind = 'webhook_disabled'");

describe('a receiver that is down', () => {
	test('for five days is disabled, and owners and admins are notified once; enabling it clears its failures', async () => {
		const { id } = await service.aWebhook();
		service.answer = answers(500);
		for (const day of [0, 1, 3, 5.1]) {
			service.later = day * DAY_MS;
			const sent = await testEvent(id);
			await service.rows('UPDATE webhook_deliveries SET next_attempt_at = ? WHERE id = ?', service.now(), sent.id);
			for (let round = 0; round < 3; round += 1) await service.send();
		}
		expect(await service.call(webhook(id))).toMatchObject({ enabled: false, disabled_for: 'failing' });
		expect(await notices()).toHaveLength(1);
		const sentBefore = service.received.length;
		service.later = 9 * DAY_MS;
		for (let round = 0; round < 3; round += 1) await service.send();
		expect(service.received).toHaveLength(sentBefore);
		expect(await service.rows("SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND state = 'pending'", id)).toEqual([]);
		const { data } = JSON.parse(await textOf('/api/v1/notifications'));
		expect(data[0]).toMatchObject({
			kind: 'webhook_disabled',
			message: expect.stringContaining('was disabled because it failed for too long'),
		});
		expect(await service.call(webhook(id), { enabled: true }, 'PATCH')).toMatchObject({ enabled: true, failures: 0, failing_since: null });
	});

	test('that answers 410 is disabled at once', async () => {
		const { id } = await service.aWebhook();
		await testEvent(id);
		service.answer = answers(410);
		await service.send();
		expect(await service.call(webhook(id))).toMatchObject({ enabled: false, disabled_for: 'gone' });
		expect(await notices()).toHaveLength(1);
	});

	test('does not delay others: one delivery checks whether it is still down', async () => {
		const [down, up] = [await service.aWebhook(undefined, 'https://down.shop.example/'), await service.aWebhook()];
		await testEvent(down.id);
		service.answer = ({ url }) => new Response('', { status: url.includes('down') ? 500 : 200 });
		await service.send();
		service.received.splice(0);
		for (let event = 0; event < 30; event += 1) await testEvent(down.id);
		await testEvent(up.id);
		await service.send();
		expect(service.received.map(({ url }) => new URL(url).hostname).toSorted()).toEqual(['down.shop.example', 'hooks.shop.example']);
	});

	test('with a thousand waiting events does not delay others, and is tried occasionally', async () => {
		const [down, up] = [await service.aWebhook(undefined, 'https://down.shop.example/'), await service.aWebhook()];
		await service.aBacklog(down.id, 1_000);
		service.answer = ({ url }) => new Response('', { status: url.includes('down') ? 500 : 200 });
		const sentAt = async (later: number) => {
			service.later = later;
			await testEvent(up.id);
			await service.send();
			await service.send();
			return service.received.splice(0).map(({ url }) => new URL(url).hostname.split('.')[0]);
		};
		expect((await sentAt(0)).toSorted()).toEqual(['down', 'down', 'down', 'down', 'hooks']);
		expect(await sentAt(SECOND_MS)).toEqual(['hooks']);
		expect((await sentAt(6 * SECOND_MS)).toSorted()).toEqual(['down', 'hooks']);
		expect(await sentAt(20 * SECOND_MS)).toEqual(['hooks']);
		expect((await sentAt(MINUTE_MS)).toSorted()).toEqual(['down', 'hooks']);
	});

	test('gets requested deliveries before everything that waits', async () => {
		const { id } = await service.aWebhook();
		await service.aBacklog(id, 20);
		service.answer = answers(500);
		await service.send();
		service.received.splice(0);
		const asked = await testEvent(id);
		await service.send();
		expect(service.payloads().map((one) => one.id)).toEqual([asked['webhook_id']]);
		service.received.splice(0);
		const [last] = await service.rows('SELECT max(id) AS id FROM webhook_deliveries WHERE id < ?', asked.id);
		const again = await service.call(webhook(id, `/deliveries/${Number(last?.['id'])}/redeliver`), {});
		await service.send();
		expect(service.payloads().map((one) => one.id)).toEqual([again['webhook_id']]);
	});

	test('briefly gets the waiting events when its first pause is over', async () => {
		const { id } = await service.aWebhook();
		await service.aBacklog(id, 6);
		service.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '3600' } });
		await service.send();
		expect(service.woken).toContain(5);
		service.answer = answers(200);
		service.received.splice(0);
		service.later = 5 * SECOND_MS;
		await service.sendAll();
		expect(service.received).toHaveLength(2);
	});

	test('and recovers has no failures, and gets what waited', async () => {
		const { id } = await service.aWebhook();
		for (let event = 0; event < 3; event += 1) await testEvent(id);
		service.answer = answers(500);
		await service.send();
		expect(await service.call(webhook(id))).toMatchObject({ failures: expect.any(Number), failing_since: expect.any(String) });
		service.answer = answers(200);
		service.received.splice(0);
		service.later = MINUTE_MS;
		await service.sendAll();
		expect(service.received).toHaveLength(3);
		expect(await service.call(webhook(id))).toMatchObject({ failures: 0, failing_since: null });
	});
});

async function textOf(path: string): Promise<string> {
	const headers = { Authorization: `Bearer ${service.world.tokens.owner}` };
	return (await service.service.fetch(new Request(`http://service.test${path}`, { headers }))).text();
}
