import { describe, expect, test } from 'vitest';
import { rows, sharedOwner } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, receive } from '../support/inbox.ts';
import { signed, signingSecret } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { aMember, api, aProgram, type TestProgram } from '../support/world.ts';
import { post } from '../support/inbox.ts';

const owner = await sharedOwner();
const call = (of: TestProgram, path = '', init: { method?: 'PUT' | 'DELETE'; body?: unknown; token?: string } = {}) =>
	api<Record<string, unknown>>(`/api/v1/programs/${of.id}/processors${path}`, { token: owner.token, ...init });

describe('the routes of each processor', () => {
	test('all are listed, connected or not', async () => {
		const place = await aProgram(owner);
		const listed = await api<readonly Record<string, unknown>[]>(`/api/v1/programs/${place.id}/processors`, { token: owner.token });
		expect(listed.body.data).toContainEqual({
			processor: 'stripe',
			title: 'Stripe',
			secret_form: { prefix: 'whsec_', of_one_mode: false, made_here: false },
			connected: false,
			webhook_url: `http://service.test/webhooks/stripe/${place.id}`,
			events: expect.arrayContaining(['invoice.paid']),
			secrets: [],
			amount_basis: null,
			created_at: null,
			updated_at: null,
		});
	});

	test('a processor connected by one path is connected by the other, with the same secret', async () => {
		const place = await aProgram(owner);
		const secret = signingSecret();
		const connected = await call(place, '/stripe', { method: 'PUT', body: { webhook_secret: secret, amount_basis: 'gross' } });
		const hint = `whsec_...${secret.slice(-4)}`;
		expect([connected.status, connected.body.data]).toMatchObject([
			200,
			{ connected: true, amount_basis: 'gross', secrets: [{ hint, test: null, until: null }] },
		]);
		expect((await call(place, '/stripe')).body.data).toEqual(connected.body.data);
		const older = `/api/v1/programs/${place.id}/stripe`;
		expect((await api(older, { token: owner.token })).body.data).toMatchObject({ connected: true, secret_hints: [hint] });
		expect((await call(place, '/stripe', { method: 'DELETE' })).status).toBe(200);
		expect((await call(place, '/stripe', { method: 'DELETE' })).body).toEqual({ error: 'Stripe is not connected' });
		expect((await api(older, { token: owner.token })).body.data).toMatchObject({ connected: false });
		expect(await rows('SELECT * FROM processor_endpoints WHERE program_id = ?', place.id)).toEqual([]);
	});

	test.each<[body: unknown, error: string]>([
		[{}, 'Send either webhook_secret or webhook_secrets'],
		[{ webhook_secret: signingSecret(), webhook_secrets: [signingSecret()] }, 'Send either webhook_secret or webhook_secrets'],
		[{ webhook_secret: 7 }, 'webhook_secret must be a signing secret'],
		[{ webhook_secret: 'whsec_short' }, 'webhook_secret must be a signing secret of Stripe: "whsec_" and what follows it'],
		[{ webhook_secrets: [signingSecret(), 'x'] }, 'webhook_secrets.1 must be a signing secret of Stripe: "whsec_" and what follows it'],
		[
			{ test_webhook_secrets: [signingSecret()] },
			'test_webhook_secrets is not used with Stripe, whose events name their own mode. Send all its secrets as webhook_secrets',
		],
	])('%j connects nothing', async (body, error) => {
		const place = await aProgram(owner);
		const answer = await call(place, '/stripe', { method: 'PUT', body });
		expect([answer.status, answer.body]).toEqual([400, { error }]);
	});

	test('an unknown processor is a 404, on the routes and as a webhook address', async () => {
		const place = await aProgram(owner);
		for (const init of [{}, { method: 'PUT', body: { webhook_secret: signingSecret() } }, { method: 'DELETE' }] as const)
			expect([(await call(place, '/cash', init)).status, (await call(place, '/toString', init)).status]).toEqual([404, 404]);
		const { body, header } = signed(stripeStory().checkout.completed(), signingSecret(), Date.now());
		expect((await post(`/webhooks/cash/${place.id}`, body, { headers: { 'Stripe-Signature': header } })).status).toBe(404);
	});

	test('members read, and cannot change anything', async () => {
		const place = await aProgram(owner);
		const { token } = await aMember(owner, 'member');
		expect((await call(place, '', { token })).status).toBe(200);
		expect((await call(place, '/stripe', { token })).status).toBe(200);
		const body = { webhook_secret: signingSecret() };
		expect((await call(place, '/stripe', { token, method: 'PUT', body })).status).toBe(403);
		expect((await call(place, '/stripe', { token, method: 'DELETE' })).status).toBe(403);
	});
});

test('the inbox shows the processor of an event, and filters by it', async () => {
	const funnel = await aStripeFunnel();
	await receive(funnel, stripeStory().checkout.completed());
	expect(await inboxOf(funnel, '?processor=stripe')).toMatchObject([{ processor: 'stripe' }]);
	const { status, body } = await api(`${funnel.path}/processor-events?processor=cash`, { token: funnel.owner.token });
	expect([status, body]).toEqual([400, { error: expect.stringMatching(/^processor must be one of stripe/) }]);
});
