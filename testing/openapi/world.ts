import { type ExampleWorld, INVITATIONS } from '../../src/openapi/example-world.ts';
import type { ClickJob } from '../../src/job.ts';
import { INVITATION_MS } from '../../src/domain/people/invitation.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { SIGNERS, signedBy } from './signers.ts';
import { setPage } from '../service/outside.ts';
import type { Service } from '../service/service.ts';

// Creates the world of the examples (src/openapi/example-world.ts) by calls to a service with an empty database.

export const BASE = 'http://service.test';

export interface PreparedWorld extends ExampleWorld {
	readonly service: Service;
	readonly tokens: {
		readonly key: string;
		readonly owner: string;
		readonly partner: string;
		readonly leaver: string;
		readonly guest: string;
	};
}

export async function prepareWorld(service: Service): Promise<PreparedWorld> {
	const call = callOf(service);
	const password = 'correct horse battery';
	const owner = await call('/api/v1/auth/sign-up', { email: 'ada@shop.example', password, name: 'Ada', workspace_name: 'Example shop' });
	const leaver = await call('/api/v1/auth/sign-up', { email: 'leaver@people.example', password, name: 'Lee' });
	const token = textOf(owner, 'token');
	const commission = { type: 'percent', percent: 20 };
	const first = await call('/api/v1/programs', { name: 'Example shop', domain: 'shop.example', commission }, token);
	await call('/api/v1/programs', { name: 'Second shop', domain: 'second.example', commission }, token);
	await call('/api/v1/programs', { name: 'Elsewhere', commission }, textOf(leaver, 'token'));

	for (const name of ['Pat', 'Quinn', 'Robin']) {
		const short = name.toLowerCase();
		await call('/api/v1/programs/1/partners', { name, email: `${short}@partner.example`, short_link: short }, token);
	}
	await call('/api/v1/programs/1/links', { partner_id: 1, short_link: 'pat-summer' }, token);
	await call('/api/v1/programs/1/links', { partner_id: 1, short_link: 'pat-old' }, token);
	for (const code of ['PAT20', 'pat-spring', 'pat-old']) await call('/api/v1/programs/1/coupons', { partner_id: 1, code }, token);
	const held = { type: 'flat', amount_cents: 500, product_id: 'gift-card', hold_days: 30 };
	await call('/api/v1/programs/1/commission-rules', held, token);
	await call('/api/v1/programs/1/commission-rules', { type: 'percent', percent: 5, product_id: 'sticker' }, token);

	const key = textOf(first, 'api_token');
	const clickId = await click(call);
	await call('/api/v1/track/lead', { click_id: clickId, customer_key: 'user-1001' }, key);
	for (const number of [1001, 1002, 1003, 1004, 1005, 1006, 1007]) {
		const product = number >= 1004 && number <= 1006 ? { product_id: 'gift-card' } : {};
		const sale = { transaction_id: `order-${number}`, amount_cents: 9900, customer_key: 'user-1001', ...product };
		await call('/api/v1/track/sale', sale, key);
	}
	await call('/api/v1/track/lead', { customer_key: 'user-zoe', email: 'zoe@people.example' }, key);
	await call('/api/v1/programs/1/payouts', { commission_ids: [7] }, token);
	await call('/api/v1/track/refund', { transaction_id: 'order-1007', refund_reason: 'Returned' }, key);
	await connectProcessors(service, token);
	await proveDomain(service, token);
	await service.tick();
	const newClickIds = [await click(call), await click(call)] as const;
	await service.deliver('affiliate-dead-letters', clickJob(newClickIds[0]));
	await service.deliver('affiliate-dead-letters', { version: 0, kind: 'a kind of old' });
	const guest = await call('/api/v1/auth/sign-up', { email: 'guest@people.example', password, name: 'Gus' });
	await call('/api/v1/programs/1/partners', { name: 'Pia', email: 'pia@partner.example', short_link: 'pia' }, token);
	const invited = await call('/api/v1/programs/1/partners/1/invitation', {}, token);
	const accepted = `${new URL(textOf(invited, 'invitation_url')).pathname}/accept`;
	const partner = textOf(await call(accepted, { name: 'Pat', password }), 'token');
	await fillWorkspace(service);
	await sayWhereToPay(service, partner);
	await setPostback(service, partner);
	await takeApplications(service);
	await startRun(service);
	await call('/api/v1/programs/1/webhooks', { url: 'https://hooks.shop.example/all' }, token);
	await call('/api/v1/programs/1/webhooks/1/test', { type: 'sale.created' }, token);
	const tokens = { key, owner: token, partner, leaver: textOf(leaver, 'token'), guest: textOf(guest, 'token') };
	return { service, tokens, clickId, newClickIds, resetToken: await makeResetLink(service) };
}

/** Writes members and invitations into the database, because invitations by API have random tokens. */
async function fillWorkspace({ db }: Service): Promise<void> {
	const insertUser = db.prepare("INSERT INTO users (email, name, password_hash, created_at) VALUES (?, ?, 'none', 0)");
	const now = Date.now();
	const insertMember = db
		.prepare("INSERT INTO members (workspace_id, user_id, role, created_at) SELECT 1, max(id), 'member', ? FROM users")
		.bind(now);
	const insertInvitation = db.prepare(
		"INSERT INTO invitations (token_hash, workspace_id, email, role, invited_by, created_at, expires_at) VALUES (?, 1, ?, 'member', 1, ?, ?)",
	);
	const invite = async (token: string, email: string, createdAt = now) =>
		insertInvitation.bind(await sha256Hex(token), email, createdAt, createdAt + INVITATION_MS);
	await db.batch([
		insertUser.bind('mia@people.example', 'Mia'),
		insertMember,
		insertUser.bind('noa@people.example', 'Noa'),
		insertMember,
		db.prepare('UPDATE invitations SET token_hash = ? WHERE partner_id = 4').bind(await sha256Hex(INVITATIONS.ofPia)),
		await invite(INVITATIONS.ofOtto, 'otto@people.example'),
		await invite(INVITATIONS.ofGuest, 'guest@people.example'),
		await invite('inv_withdrawn', 'nobody@people.example'),
		await invite(INVITATIONS.expired, 'late@people.example', now - INVITATION_MS),
	]);
}

/** Its long lease keeps run 1 running until the examples stop it. */
async function startRun({ db }: Service): Promise<void> {
	const now = Date.now();
	const insert = db.prepare(
		`INSERT INTO runs (program_id, kind, selection, until_id, expected_count, op_id, created_by, created_at, lease_until)
		VALUES (1, 'pay', '{"status":"active","minimum":0}', 9, 2, 'example', 1, ?, ?)`,
	);
	await insert.bind(now, now + 86_400_000).run();
}

/** Writes forms and applications into the database, because calls are limited per minute. */
async function takeApplications({ db }: Service): Promise<void> {
	const insert = db.prepare(
		"INSERT INTO partner_applications (op_id, program_id, name, email, terms_version, status, created_at) VALUES (?, 1, ?, ?, 1, 'open', 0)",
	);
	await db.batch([
		db.prepare(
			"INSERT INTO application_forms (program_id, slug, mode, terms_version) VALUES (1, 'example-shop', 'by_approval', 1), (2, 'second-shop', 'closed', 0)",
		),
		db.prepare("INSERT INTO application_terms (program_id, version, text, created_at) VALUES (1, 1, 'Be honest.', 0)"),
		...['Alba', 'Bela', 'Cleo', 'Dana', 'Edda'].map((name) => insert.bind(name, name, `${name.toLowerCase()}@blog.example`)),
	]);
}

/** Writes the link into the database, as `npm run recover` does. Returns its token. */
async function makeResetLink({ db }: Service): Promise<string> {
	const [token, email] = [`rst_${'0123456789'.repeat(4)}`, 'forgetful@people.example'];
	await db.batch([
		db.prepare("INSERT INTO users (email, name, password_hash, created_at) VALUES (?, 'Fay', 'forgotten', 0)").bind(email),
		db
			.prepare('INSERT INTO password_resets (token_hash, user_id, created_at, expires_at) SELECT ?, id, 0, ? FROM users WHERE email = ?')
			.bind(await sha256Hex(token), Number.MAX_SAFE_INTEGER, email),
	]);
	return token;
}

/** Also sends a Stripe event that the service ignores. */
async function connectProcessors(service: Service, token: string): Promise<void> {
	const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
	for (const [processor, { secret }] of Object.entries(SIGNERS)) {
		const connection = { method: 'PUT', headers, body: JSON.stringify({ webhook_secret: secret }) };
		await expectSuccess(service, new Request(`${BASE}/api/v1/programs/1/processors/${processor}`, connection));
	}
	const customer = { id: 'cus_1', object: 'customer' };
	const body = JSON.stringify({
		object: 'event',
		id: 'evt_customer',
		type: 'customer.created',
		created: 1_795_165_100,
		livemode: true,
		data: { object: customer },
	});
	const address = `${BASE}/webhooks/stripe/1`;
	await expectSuccess(service, new Request(address, { method: 'POST', headers: signedBy('stripe', body), body }));
}

async function sayWhereToPay(service: Service, token: string): Promise<void> {
	const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
	const body = JSON.stringify({ password: 'correct horse battery', method: 'paypal', email: 'pat@people.example' });
	await expectSuccess(service, new Request(`${BASE}/api/v1/partner-accounts/1/payout-details`, { method: 'PUT', headers, body }));
}

async function setPostback(service: Service, token: string): Promise<void> {
	const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
	const body = JSON.stringify({ url: 'https://network.example/postback?cid={sub_id}', events: ['sale'] });
	await expectSuccess(service, new Request(`${BASE}/api/v1/partner-programs/1/postback`, { method: 'PUT', headers, body }));
}

async function proveDomain(service: Service, token: string): Promise<void> {
	const headers = { Authorization: `Bearer ${token}` };
	const { data }: { data: { file: { url: string; content: string } } } = JSON.parse(
		await expectSuccess(service, new Request(`${BASE}/api/v1/programs/1/domain`, { headers })),
	);
	setPage(data.file.url, data.file.content);
}

async function expectSuccess(service: Service, request: Request): Promise<string> {
	const response = await service.fetch(request);
	const text = await response.text();
	if (!response.ok) throw new Error(`${request.method} ${request.url} responded with ${response.status}: ${text}`);
	return text;
}

function clickJob(clickId: string): ClickJob {
	const nothing = { pageTitle: null, referrerUrl: null, sessionId: null, userAgent: null, language: null, timezone: null, country: null };
	const pageUrl = 'https://shop.example/';
	return {
		version: 1,
		kind: 'click',
		clickId,
		programId: 1,
		referralLinkId: 1,
		isTest: false,
		isBot: false,
		clickedAt: 0,
		pageUrl,
		...nothing,
	};
}

type Call = (path: string, body: unknown, token?: string) => Promise<Readonly<Record<string, unknown>>>;

/** The calls must succeed. Returns the response's `data`, or the whole response. */
function callOf(service: Service): Call {
	return async (path, body, token) => {
		const text = await expectSuccess(
			service,
			new Request(`${BASE}${path}`, {
				method: 'POST',
				headers: {
					'Content-Type': 'application/json',
					'User-Agent': 'Mozilla/5.0',
					...(token ? { Authorization: `Bearer ${token}` } : {}),
				},
				body: JSON.stringify(body),
			}),
		);
		const answer: { readonly data?: Readonly<Record<string, unknown>> } = JSON.parse(text);
		return answer.data ?? { ...answer };
	};
}

async function click(call: Call): Promise<string> {
	return textOf(await call('/api/v1/track/click', { affiliate_url: 'https://shop.example/?aff=pat' }), 'click_id');
}

function textOf(answer: Readonly<Record<string, unknown>>, field: string): string {
	const value = answer[field];
	if (typeof value !== 'string') throw new Error(`The answer has no ${field}`);
	return value;
}
