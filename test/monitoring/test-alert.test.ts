import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { OptionalBindings } from '../../src/context.ts';
import { aReceiver } from '../support/alerts.ts';
import { callWith } from '../support/bindings.ts';
import { rows } from '../support/funnel.ts';
import { aMailbox } from '../support/mail.ts';
import { type Owner, signUp } from '../support/world.ts';

// An operator sends a test alert.

let operator: Owner;
let stranger: Owner;
beforeAll(async () => {
	[stranger, operator] = [await signUp(), await signUp()];
	await env.DB.prepare("INSERT INTO members (workspace_id, user_id, role, created_at) SELECT min(id), ?, 'owner', 0 FROM workspaces")
		.bind(operator.userId)
		.run();
});

let receiver: ReturnType<typeof aReceiver>;
beforeEach(async () => {
	receiver = aReceiver(env.DB);
	await receiver.answer({ status: 200 });
});

const send = (bindings: Partial<Env & OptionalBindings>, { token } = operator) =>
	callWith(bindings, '/api/v1/service/test-alert', { token, method: 'POST' });

test("it takes the same way as alerts, and shows the receiver's answer", async () => {
	const mailbox = aMailbox();
	const { status, body } = await send({ ...receiver.bindings, ...mailbox.bindings });
	expect([status, body['data']]).toEqual([
		200,
		{
			ok: true,
			message: `The test alert was sent to the webhook and to ${operator.email}`,
			webhook: { sent: true, status: 200 },
			mail: { sent: true, to: operator.email },
		},
	]);
	expect(await receiver.posted()).toMatchObject([{ alert: 'test', phase: 'begun', message: expect.stringMatching(/^This is a test/) }]);
	expect(mailbox.emails.map(({ to, subject }) => [to, subject])).toEqual([[operator.email, 'Test alert']]);
	expect(await rows("SELECT detail FROM audit_entries WHERE action = 'service.test_alert' AND user_id = ?", operator.userId)).toEqual([
		{ detail: '{"webhook":true,"mail":true}' },
	]);
	expect(await rows("SELECT id FROM alerts WHERE kind = 'test'")).toEqual([]);
});

test('a refused one says so, and what to check', async () => {
	const error = vi.spyOn(console, 'error').mockReturnValue();
	await receiver.answer({ status: 404 });
	expect((await send(receiver.bindings)).body['data']).toMatchObject({
		ok: false,
		message: 'The webhook answered 404. Check the address in ALERT_WEBHOOK_URL',
		webhook: { sent: false, status: 404 },
		mail: null,
	});
	expect(error.mock.calls.join()).not.toContain('hidden');
	vi.restoreAllMocks();
});

test('if nobody would be notified, it says what to configure', async () => {
	const { status, body } = await send({});
	expect([status, body['data']]).toEqual([
		200,
		{ ok: false, message: 'Alerts have no recipient. Set the secret ALERT_WEBHOOK_URL or turn on email', webhook: null, mail: null },
	]);
});

test('it is only for operators', async () => {
	expect((await send(receiver.bindings, stranger)).status).toBe(403);
	expect(await receiver.posted()).toEqual([]);
});
