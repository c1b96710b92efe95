import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectProcessor } from '../../src/processor/connect-processor.ts';
import { findEndpoint } from '../../src/processor/endpoint.ts';
import { openSecrets } from '../../src/secrets.ts';
import { contextAt } from '../support/clock.ts';
import { rows, sharedOwner } from '../support/funnel.ts';
import { signingSecret } from '../../testing/stripe/sign.ts';
import { aMember, api, aProgram, type Owner, signUp, type TestProgram } from '../support/world.ts';

interface Connection {
	readonly connected: boolean;
	readonly webhook_url: string;
	readonly events: readonly string[];
	readonly secret_hints: readonly (string | null)[];
	readonly amount_basis: string | null;
	readonly created_at: string | null;
	readonly updated_at: string | null;
}

let owner: Owner;
let program: TestProgram;
beforeAll(async () => {
	owner = await sharedOwner();
	program = await aProgram(owner);
});

const pathOf = ({ id }: TestProgram) => `/api/v1/programs/${id}/stripe`;
const put = (of: TestProgram, body: unknown, token = owner.token) => api<Connection>(pathOf(of), { method: 'PUT', token, body });
const read = (of: TestProgram, token = owner.token) => api<Connection>(pathOf(of), { token });
const remove = (of: TestProgram, token = owner.token) => api(pathOf(of), { method: 'DELETE', token });
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

test('the webhook address and events are shown before there is a secret, because Stripe creates it only then', async () => {
	const { status, body } = await read(await aProgram(owner));
	expect([status, body.data]).toEqual([
		200,
		{
			connected: false,
			webhook_url: expect.stringMatching(/^http:\/\/service\.test\/webhooks\/stripe\/\d+$/),
			events: expect.arrayContaining(['checkout.session.completed', 'invoice.paid', 'invoice_payment.paid', 'charge.refunded']),
			secret_hints: [],
			amount_basis: null,
			created_at: null,
			updated_at: null,
		},
	]);
});

test('a secret is accepted, encrypted, and never shown again', async () => {
	const place = await aProgram(owner);
	const secret = signingSecret();
	const answer = await put(place, { webhook_secret: secret });
	expect([answer.status, answer.body.data]).toMatchObject([
		200,
		{ connected: true, secret_hints: [`whsec_...${secret.slice(-4)}`], amount_basis: 'net', created_at: instant, updated_at: instant },
	]);
	expect((await read(place)).body.data).toEqual(answer.body.data);
	for (const { text } of [answer, await read(place)]) expect(text).not.toContain(secret);
	const [stored] = await rows<{ sealed_secrets: string }>('SELECT sealed_secrets FROM processor_endpoints WHERE program_id = ?', place.id);
	expect(stored?.sealed_secrets).not.toContain(secret.slice(6));
	const audited = await rows(
		'SELECT user_id, action, detail FROM audit_entries WHERE program_id = ? AND action LIKE ?',
		place.id,
		'stripe.%',
	);
	expect(audited).toEqual([{ user_id: owner.userId, action: 'stripe.connect', detail: '{"secrets":1}' }]);
});

test('while a secret is rotated, several are accepted, each once; fields left out stay unchanged', async () => {
	const place = await aProgram(owner);
	const [old, fresh] = [signingSecret(), signingSecret()];
	await put(place, { webhook_secret: old, amount_basis: 'gross' });
	const hints = [`whsec_...${fresh.slice(-4)}`, `whsec_...${old.slice(-4)}`];
	expect((await put(place, { webhook_secrets: [fresh, old, fresh] })).body.data).toMatchObject({
		secret_hints: hints,
		amount_basis: 'gross',
	});
	expect((await put(place, { webhook_secret: fresh, amount_basis: 'net' })).body.data).toMatchObject({
		secret_hints: [hints[0]],
		amount_basis: 'net',
	});
});

test('a secret that the Worker can no longer decrypt is listed without its hint', async () => {
	const place = await aProgram(owner);
	const ctx = contextAt(Date.now());
	const managed = {
		id: place.id,
		workspaceId: owner.workspaceId,
		name: '',
		currency: 'USD',
		timeZone: 'UTC',
		cookieWindowDays: 1,
		clickRetentionDays: null,
		active: true,
		archivedAt: null,
		payoutMinimumCents: 0,
	};
	await connectProcessor(
		{ ...ctx, secrets: openSecrets('a-secret-that-was-dropped') },
		{ ...managed, role: 'owner', actor: { ...owner, name: 'Ada', address: null } },
		{ name: 'stripe' },
		{ secrets: [{ secret: signingSecret(), isTest: undefined }], amountBasis: undefined },
	);
	expect(await findEndpoint(ctx, place.id, 'stripe')).toMatchObject({ secrets: [{ hint: null }] });
	expect((await read(place)).body.data.secret_hints).toEqual([null]);
});

describe('invalid connections are refused', () => {
	const secret = 'whsec_0123456789abcdef0123456789abcdef';
	const wrong = 'must be a signing secret of Stripe: "whsec_" and what follows it';
	test.each<[sent: unknown, error: string]>([
		[{}, 'Send either webhook_secret or webhook_secrets'],
		[{ amount_basis: 'net' }, 'Send either webhook_secret or webhook_secrets'],
		[{ webhook_secret: secret, webhook_secrets: [secret] }, 'Send either webhook_secret or webhook_secrets'],
		[{ webhook_secret: '' }, `webhook_secret ${wrong}`],
		[{ webhook_secret: 'sk_live_0123456789abcdef0123456789abcdef' }, `webhook_secret ${wrong}`],
		[{ webhook_secret: 'whsec_short' }, `webhook_secret ${wrong}`],
		[{ webhook_secret: `whsec_${'x'.repeat(201)}` }, `webhook_secret ${wrong}`],
		[{ webhook_secret: `${secret}\n` }, `webhook_secret ${wrong}`],
		[{ webhook_secret: null }, `webhook_secret ${wrong}`],
		[{ webhook_secrets: secret }, 'webhook_secrets must be a list of signing secrets'],
		[{ webhook_secrets: [] }, 'webhook_secrets must have at least one'],
		[{ webhook_secrets: Array(6).fill(secret) }, 'webhook_secrets must have at most 5'],
		[{ webhook_secrets: [secret, 7] }, `webhook_secrets.1 ${wrong}`],
		[{ webhook_secret: secret, amount_basis: 'brutto' }, 'amount_basis must be "net" (without tax) or "gross"'],
		[{ webhook_secret: secret, secret }, 'Unknown field: secret'],
	])('%j', async (sent, error) => {
		const { status, body } = await put(program, sent);
		expect([status, body]).toEqual([400, { error }]);
		expect((await read(program)).body.data.connected).toBe(false);
	});
});

test('Stripe is disconnected, once', async () => {
	const place = await aProgram(owner);
	await put(place, { webhook_secret: signingSecret() });
	expect((await remove(place)).body).toEqual({ success: true, data: null });
	expect(await rows('SELECT * FROM processor_endpoints WHERE program_id = ?', place.id)).toEqual([]);
	const again = await remove(place);
	expect([again.status, again.body]).toEqual([404, { error: 'Stripe is not connected' }]);
	const audited = await rows("SELECT action FROM audit_entries WHERE program_id = ? AND action LIKE 'stripe.%' ORDER BY id", place.id);
	expect(audited).toEqual([{ action: 'stripe.connect' }, { action: 'stripe.disconnect' }]);
});

test('owners and admins connect, members read, outsiders see nothing', async () => {
	const place = await aProgram(owner);
	const [admin, member, stranger] = [await aMember(owner, 'admin'), await aMember(owner, 'member'), await signUp()];
	const body = { webhook_secret: signingSecret() };
	expect((await put(place, body, admin.token)).status).toBe(200);
	expect((await read(place, member.token)).status).toBe(200);
	expect([(await put(place, body, member.token)).status, (await remove(place, member.token)).status]).toEqual([403, 403]);
	for (const token of [stranger.token]) {
		expect([(await read(place, token)).status, (await put(place, body, token)).status, (await remove(place, token)).status]).toEqual([
			403, 403, 403,
		]);
	}
	expect([(await read(place, 'nobody')).status, (await put(place, body, 'nobody')).status]).toEqual([401, 401]);
	expect((await put({ id: 999_999_999, apiToken: '' }, body)).status).toBe(404);
	expect((await remove(place, admin.token)).status).toBe(200);
});

test('concurrent requests leave one complete connection', async () => {
	const place = await aProgram(owner);
	const secrets = Array.from({ length: 4 }, signingSecret);
	const answers = await Promise.all(secrets.map((secret) => put(place, { webhook_secret: secret })));
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
	const { results } = await env.DB.prepare('SELECT sealed_secrets FROM processor_endpoints WHERE program_id = ?').bind(place.id).all();
	expect(results).toHaveLength(1);
});
