import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../src/domain/calendar.ts';
import { aService, type TestService } from './receiver.ts';

// A real receiver over HTTP that does everything receivers do: it fails, drops connections, hangs, stores an event but responds too late,
// and verifies signatures with the Standard Webhooks package.

const SALES = 24;

let service: TestService;
let url: string;
/** What the receiver has stored, by event id. */
const books = new Map<string, string>();
let calls = 0;
let forged = 0;
let isDown = false;
let secret = '';

const server = createServer((request, response) => void receive(request, response));

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
	calls += 1;
	const turn = calls;
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	const body = Buffer.concat(chunks).toString();
	const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
	try {
		new Webhook(secret).verify(body, headers);
	} catch {
		forged += 1;
		response.writeHead(401).end();
		return;
	}
	if (isDown || turn % 6 === 1) return void response.writeHead(503).end('Not now');
	if (turn % 6 === 2) return void request.socket.destroy();
	// The third and fourth of every six requests get no response, but the fourth event is stored.
	if (turn % 6 === 3) return;
	const { data }: { data: { transaction_id: string } } = JSON.parse(body);
	const id = String(headers['webhook-id']);
	if (!books.has(id)) books.set(id, data.transaction_id);
	if (turn % 6 === 4) return;
	response.writeHead(204).end();
}

beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port }: { port: number } = Object(server.address());
	url = `http://127.0.0.1:${port}/hook`;
	service = await aService();
	await service.call('/api/v1/programs/1/webhooks/1', undefined, 'DELETE');
});

afterAll(() => {
	vi.restoreAllMocks();
	server.closeAllConnections();
	server.close();
});

/** Two consumers run concurrently, each time the next attempts are due. */
async function sendUntilDone(most: number): Promise<void> {
	const real = { fetch: (to: string, init: RequestInit) => fetch(to, init) };
	for (let round = 0; round < most; round += 1) {
		await Promise.all([service.send(real), service.send(real)]);
		const [next] = await service.rows("SELECT min(next_attempt_at) AS at FROM webhook_deliveries WHERE state = 'pending'");
		if (next?.['at'] === null) return;
		await becomeDue();
	}
}

/** The receiver uses the real clock, so the test makes the attempts due instead of waiting. */
async function becomeDue(): Promise<void> {
	await service.rows("UPDATE webhook_deliveries SET next_attempt_at = 1 WHERE state = 'pending'");
	await service.rows('UPDATE webhook_endpoints SET rests_until = NULL');
}

test('each sale is stored exactly once, none is lost, and a receiver that stays down is disabled with a notification', async () => {
	// The real 15 seconds would take too long.
	vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), ms / 100);
		return controller.signal;
	});
	const { id, secret: made } = await service.aWebhook(['sale.created'], url);
	secret = made;
	const names = Array.from({ length: SALES }, (_, index) => `real-${index}`);
	await Promise.all(
		names.map((transaction_id) => service.call('/api/v1/track/sale', { transaction_id, amount_cents: 100, customer_key: 'user-1001' })),
	);
	await service.settle();
	await sendUntilDone(200);
	expect([...books.values()].toSorted()).toEqual(names.toSorted());
	expect(calls).toBeGreaterThan(SALES);
	expect(forged).toBe(0);
	expect(await service.rows("SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND state <> 'delivered'", id)).toEqual([]);

	isDown = true;
	await service.call(`/api/v1/programs/1/webhooks/${id}/test`, {});
	await service.send({ fetch: (to, init) => fetch(to, init) });
	await service.rows('UPDATE webhook_endpoints SET failing_since = ? WHERE id = ?', Date.now() - 5 * DAY_MS - SECOND_MS, id);
	await becomeDue();
	await service.send({ fetch: (to, init) => fetch(to, init) });
	expect(await service.call(`/api/v1/programs/1/webhooks/${id}`)).toMatchObject({ enabled: false, disabled_for: 'failing' });
	expect(await service.rows("SELECT count(*) AS n FROM notifications WHERE kind = 'webhook_disabled'")).toEqual([{ n: 1 }]);
});
