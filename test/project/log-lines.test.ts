import { beforeAll, expect, test, vi } from 'vitest';
import { SERVICE_CHECKS } from '../../src/domain/monitoring/service-check.ts';
import { losingTrips } from '../../testing/d1/failing.ts';
import { sendExamples, type Sent } from '../../testing/openapi/send-examples.ts';
import { prepareWorld } from '../../testing/openapi/world.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { openService } from '../../testing/service/service.ts';

// The log lines written while every example of the document is sent, to a healthy service and to one with a failing database.

interface Line {
	readonly text: string;
	/** Null if no request was running. */
	readonly during: string | null;
}

const lines: Line[] = [];
const answered: Sent[] = [];
const failed: Response[] = [];
const sent: Request[] = [];

beforeAll(async () => {
	const bindings: Env = { ...nodeBindings(), LOG_EVENTS: 'on' };
	let written: string[] = [];
	for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation((line) => written.push(String(line)));
	const noted = async (work: () => Promise<Response>): Promise<Response> => {
		written = [];
		const response = await work();
		lines.push(...written.map((text) => ({ text, during: response.headers.get('X-Request-Id') })));
		return response;
	};
	const world = await prepareWorld(openService(bindings));
	const service = openService(bindings, { isHolding: true });
	const ill = openService({ ...bindings, DB: losingTrips(bindings.DB, 1_000) }, { isHolding: true });
	const fetch = async (example: Request) => {
		const request = new Request(example);
		request.headers.set('CF-Connecting-IP', CLIENT);
		sent.push(request.clone());
		failed.push(await noted(() => ill.fetch(request.clone())));
		return noted(() => service.fetch(request));
	};
	for await (const example of sendExamples({ ...world, service: { ...service, fetch } })) answered.push(example);
	written = [];
	await service.deliverHeld();
	await service.deliver('affiliate-dead-letters', { version: 0, kind: 'a kind of old' });
	await service.tick();
	await ill.tick();
	lines.push(...written.map((text) => ({ text, during: null })));
	vi.restoreAllMocks();
});

/** The source of all requests. */
const CLIENT = '203.0.113.77';

/** They identify a person or prove their identity. */
const TELLING =
	/^(api_token|click_id|click_ids|customer_email|customer_key|email|existing_click_id|iban|name|new_password|password|refund_reason|setup_token|token|transaction_id|webhook_secret)$/;

/** The values of such fields, at any depth. */
function tellingIn(value: unknown, field = ''): string[] {
	if (typeof value === 'string') return TELLING.test(field) ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => tellingIn(inner, Array.isArray(value) ? field : name));
}

test('no line has a key, token, email or client address, click id, name or order number', () => {
	const hidden = new Set([
		CLIENT,
		...answered.flatMap((example) => [...tellingIn(example.sent), ...tellingIn(example.answer)]),
		...sent.flatMap(({ headers }) => headers.get('Authorization')?.split(' ').slice(1) ?? []),
		...sent.flatMap(({ url }) => [...new URL(url).searchParams].flatMap(([name, value]) => (TELLING.test(name) ? [value] : []))),
	]);
	expect(hidden.size).toBeGreaterThan(60);
	// Names of parts of the service identify nobody.
	for (const part of SERVICE_CHECKS) hidden.delete(part);
	const told = [...hidden].filter((secret) => secret.length > 3 && lines.some(({ text }) => text.includes(secret)));
	expect(told).toEqual([]);
	expect(lines.filter(({ text }) => /[^\s"]@|\b(prg|ses|inv|rst|whsec)_|\bcust_\d/.test(text))).toEqual([]);
});

test('each line is JSON with a level, an event and its request id', () => {
	expect(lines.length).toBeGreaterThan(200);
	for (const { text, during } of lines) {
		const line: unknown = JSON.parse(text);
		const requestId = during ?? expect.stringMatching(/^[\da-f-]{36}$/);
		expect(line).toMatchObject({
			level: expect.stringMatching(/^(info|warn|error)$/),
			event: expect.stringMatching(/^[a-z_]+$/),
			requestId,
		});
	}
});

test('the request id of an error response finds the error in the log', () => {
	const faults = failed.filter(({ status }) => status === 500);
	expect(faults.length).toBeGreaterThan(100);
	for (const { headers } of faults) {
		const [line] = lines.filter(({ during, text }) => during === headers.get('X-Request-Id') && text.includes('"event":"request_failed"'));
		expect(line?.text).toContain('"level":"error"');
	}
});
