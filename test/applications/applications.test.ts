import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { anApplication, anOpenShop, apply, changeForm, decide, listed, type OpenShop, page } from '../support/applications.ts';
import { limitOf } from '../../testing/limits.ts';
import { callWith } from '../support/bindings.ts';
import { tick } from '../support/deliver.ts';
import { aPartner, aShop, statusesOf } from '../support/ledger.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

let owner: Owner;
let shop: OpenShop;
beforeAll(async () => {
	owner = await signUp();
	shop = await anOpenShop(owner);
});

const told = async ({ token }: Owner) =>
	(await api<{ kind: string; message: string; detail: object }[]>('/api/v1/notifications', { token })).body.data;

describe('the form', () => {
	test('is closed at first, and gets its slug from the name of the program', async () => {
		const own = await aShop(owner);
		const form = await api(`${own.path}/application-form`, { token: owner.token });
		expect(form.body.data).toEqual({ slug: null, applications: 'closed', description: null, terms: null, group_id: null });
		const opened = await changeForm(own, { applications: 'automatic', description: 'Beans' });
		expect(opened.body.data).toEqual({
			slug: expect.stringMatching(/^program-[a-z0-9-]+$/),
			applications: 'automatic',
			description: 'Beans',
			terms: null,
			group_id: null,
		});
	});

	test('has a unique slug, even in a race', async () => {
		const slug = unique('slug');
		const shops = await Promise.all([aShop(owner), aShop(owner), aShop(owner)]);
		expect(statusesOf(await Promise.all(shops.map((own) => changeForm(own, { slug }))))).toEqual([200, 409, 409]);
		const named = await Promise.all(
			[1, 2].map(async () => {
				const { body } = await api<{ id: number }>('/api/v1/programs', { token: owner.token, body: { name: `Same ${slug}` } });
				return changeForm({ ...shop, path: `/api/v1/programs/${body.data.id}` }, { applications: 'automatic' });
			}),
		);
		expect(new Set(named.map(({ body }) => body.data.slug)).size).toBe(2);
	});

	test('versions its terms: a new text is a new version, and the accepted one is recorded', async () => {
		const own = await anOpenShop(owner, { terms: 'Be honest.' });
		expect((await apply(own)).body).toEqual({ error: 'accepted_terms_version is required: read and accept the terms, version 1' });
		expect((await anApplication(own, { accepted_terms_version: 1 })).terms_version).toBe(1);
		expect((await changeForm(own, { terms: 'Be honest.' })).body.data.terms).toMatchObject({ version: 1 });
		expect((await changeForm(own, { terms: 'Be kind.' })).body.data.terms).toMatchObject({ version: 2, text: 'Be kind.' });
		const old = await apply(own, { accepted_terms_version: 1 });
		expect([old.status, old.body]).toEqual([409, { error: 'The terms have changed: read and accept version 2' }]);
		expect((await changeForm(own, { terms: null })).body.data.terms).toBeNull();
		expect((await anApplication(own)).terms_version).toBeNull();
		expect((await listed(own)).map(({ terms_version: version }) => version)).toEqual([null, 1]);
	});

	test.each([
		[{}, 'Send at least one field to change'],
		[{ slug: 'ab' }, 'slug must be 3 to 63 of the characters a-z 0-9 - and must not begin or end with -'],
		[{ slug: 'Shop' }, 'slug must be 3 to 63 of the characters a-z 0-9 - and must not begin or end with -'],
		[{ applications: 'open' }, 'applications must be one of closed, by_approval, automatic'],
		[{ group_id: 999_999_999 }, 'group_id must be a group of this program'],
		[{ terms: 'x'.repeat(20_001) }, 'terms must be at most 20000 characters'],
	])('refuses %j', async (body, error) => {
		const { status, body: answer } = await changeForm(shop, body);
		expect([status, answer]).toEqual([400, { error }]);
	});
});

describe('the page', () => {
	test('shows everyone what a new partner gets, and no more', async () => {
		const own = await anOpenShop(owner, { description: 'Beans', terms: 'Be honest.' });
		const { status, body } = await page(own);
		expect([status, body.data]).toEqual([
			200,
			{
				name: expect.any(String),
				domain: null,
				description: 'Beans',
				applications: 'by_approval',
				terms: { version: 1, text: 'Be honest.', since: expect.stringMatching(/Z$/) },
				rate: { type: 'percent', percent: 100, recurring_months: null, hold_days: 0 },
				rates: [{ product_id: null, type: 'percent', percent: 100, recurring_months: null, hold_days: 0 }],
				currency: 'USD',
				cookie_window_days: 60,
				payout_minimum_cents: 0,
			},
		]);
		const group = await api<{ id: number }>(`${own.path}/groups`, { token: owner.token, body: { name: 'New ones' } });
		const rule = { type: 'percent', percent: 7, group_id: group.body.data.id };
		await api(`${own.path}/commission-rules`, { token: owner.token, body: rule });
		await changeForm(own, { group_id: group.body.data.id });
		expect((await page(own)).body.data['rate']).toMatchObject({ percent: 7 });
		await api(`${own.path}/groups/${group.body.data.id}`, { method: 'DELETE', token: owner.token });
		expect((await page(own)).body.data['rate']).toMatchObject({ percent: 100 });
	});

	test('is the same 404 if it is closed, unknown, or the program is inactive', async () => {
		const [closed, resting] = [await anOpenShop(owner, { applications: 'closed' }), await anOpenShop(owner)];
		await api(resting.path, { method: 'PATCH', token: owner.token, body: { active: false } });
		for (const slug of [closed.slug, resting.slug, 'nobody-has-this', 'NOT A SLUG'].map(encodeURIComponent)) {
			for (const answer of [await page({ slug }), await apply({ slug })]) {
				expect([answer.status, answer.body]).toEqual([404, { error: 'Program page not found' }]);
			}
		}
	});
});

describe('an application', () => {
	test('gets the same answer if the address is new, waiting, declined, or a partner’s', async () => {
		const own = await anOpenShop(owner);
		const partner = await aPartner(own);
		const first = await anApplication(own);
		const declined = await anApplication(own);
		await decide(own, `${declined.id}/decline`);
		const before = (await listed(own)).length;
		const answers = [
			await apply(own, { email: partner.email }),
			await apply(own, { email: first.email.toUpperCase() }),
			await apply(own, { email: declined.email }),
			await apply(own, { fax: 'buy now' }),
		];
		expect((await listed(own)).length).toBe(before);
		answers.push(await apply(own));
		expect((await listed(own)).length).toBe(before + 1);
		expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
		await env.DB.prepare('DELETE FROM partner_applications WHERE id = ?').bind(declined.id).run();
		await env.DB.prepare(
			"INSERT INTO partner_applications (op_id, program_id, name, email, terms_version, status, created_at, decided_at) VALUES ('-', ?, 'D', ?, 0, 'declined', 1, ?)",
		)
			.bind(own.id, declined.email, Date.now() - 31 * 86_400_000)
			.run();
		expect((await anApplication(own, { email: declined.email })).status).toBe('open');
	});

	test('is accepted after the session has ended, while the browser still sends the cookie, but not from a page of another site', async () => {
		const own = await anOpenShop(owner);
		const sent = (headers: Record<string, string>) =>
			api(`/api/v1/public/programs/${own.slug}/applications`, { body: { name: 'Ines', email: `${unique('ines')}@blog.example` }, headers });
		const ended = { Cookie: '__Host-tracker_session=ses_ended' };
		expect((await sent({ ...ended, Origin: 'http://service.test' })).status).toBe(202);
		expect((await sent({ ...ended, Origin: 'https://other.example' })).status).toBe(403);
		expect((await sent({ Authorization: 'Bearer ses_ended' })).status).toBe(401);
		expect(await listed(own)).toHaveLength(1);
	});

	test('waits once for each address, even in a race', async () => {
		const own = await anOpenShop(owner);
		const email = `${unique('race')}@blog.example`;
		expect(statusesOf(await Promise.all([1, 2, 3].map(() => apply(own, { email }))))).toEqual([202, 202, 202]);
		expect(await listed(own)).toHaveLength(1);
	});

	test('notifies owners and admins', async () => {
		const boss = await signUp();
		const own = await aShop(boss);
		const [admin, member] = [await aMember(boss, 'admin'), await aMember(boss, 'member')];
		const { slug } = (await changeForm(own, { applications: 'by_approval', slug: unique('told') })).body.data;
		const { id } = await anApplication({ ...own, slug });
		await tick();
		expect(await told(boss)).toEqual([
			expect.objectContaining({
				kind: 'application_received',
				message: expect.stringMatching(/^Someone applied to become a partner of /),
				detail: { application_id: id, currency: 'USD' },
			}),
		]);
		expect(await told(admin)).toHaveLength(1);
		expect(await told(member)).toEqual([]);
	});

	test('is refused if a thousand are waiting', async () => {
		const own = await anOpenShop(owner);
		await env.DB.prepare(
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
			INSERT INTO partner_applications (op_id, program_id, name, email, terms_version, status, created_at)
			SELECT i, ?, 'N', 'n' || i || '@blog.example', 0, 'open', 1 FROM n`,
		)
			.bind(own.id)
			.run();
		const { status, body } = await apply(own);
		expect([status, body]).toEqual([409, { error: 'This program accepts no more applications for now. Try again in a few days' }]);
	});

	test('is limited per network', async () => {
		const own = await anOpenShop(owner);
		const network = { 'CF-Connecting-IP': `198.18.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}` };
		const SIGN_IN_LIMIT = limitOf(3);
		const call = () =>
			callWith({ SIGN_IN_LIMIT }, `/api/v1/public/programs/${own.slug}/applications`, {
				body: { name: 'N', email: `${unique('n')}@blog.example` },
				headers: network,
			});
		const statuses = [await call(), await call(), await call(), await call()].map(({ status }) => status);
		expect(statuses).toEqual([202, 202, 202, 429]);
	});

	test.each([
		[{ email: 'nobody' }, 'email must be an email address'],
		[{ name: ' ' }, 'name must not be blank'],
		[{ website: 'javascript:alert(1)' }, 'website must be an http or https URL'],
		[{ message: 'x'.repeat(2_001) }, 'message must be at most 2000 characters'],
		[{ phone: '1' }, 'Unknown field: phone'],
	])('is refused: %j', async (fields, error) => {
		const { status, body } = await apply(shop, fields);
		expect([status, body]).toEqual([400, { error }]);
	});
});
