import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { aCoupon } from '../support/coupons.ts';
import { aCustomFunnel, customEvent, outcomes, sendCustom } from '../support/custom-webhook.ts';
import { aClick, aFunnel, aLead, aSale, balanceOf, type Funnel, rows, track } from '../support/funnel.ts';
import { inboxOf, tickAt, work } from '../support/inbox.ts';
import { accept } from '../support/members.ts';
import { tokenOf } from '../support/portal.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { aMember, api, aProgram, type Owner, signUp, unique } from '../support/world.ts';

// Archiving a program (decision 59). A sale earns 20 %.

interface Archivable {
	readonly id: number;
	readonly owner: Pick<Owner, 'token'>;
}

const ask = (of: Archivable, verb: 'archive' | 'restore', { token } = of.owner) =>
	api<{ active: boolean; archived_at: string | null }>(`/api/v1/programs/${of.id}/${verb}`, { method: 'POST', token });

async function archive(of: Archivable): Promise<void> {
	const { status, text } = await ask(of, 'archive');
	if (status !== 200) throw new Error(`Archiving answered ${status}: ${text}`);
}

async function listOf({ token }: Pick<Owner, 'token'>, search = ''): Promise<number[]> {
	return (await api<{ id: number }[]>(`/api/v1/programs${search}`, { token })).body.data.map(({ id }) => id);
}

const usd = (amount_cents: number) => ({ amount_cents, currency: 'USD' });
const managed = <Data = Record<string, unknown>>(of: Funnel, path: string, call: { method?: string; body?: unknown } = {}) =>
	api<Data>(`/api/v1/programs/${of.id}${path}`, { token: of.owner.token, ...call });

describe('an archived program', () => {
	test('records no click, lead or sale, and its key gets 401', async () => {
		const funnel = await aFunnel();
		const [clickId, customerKey] = [await aClick(funnel), await aLead(funnel)];
		await archive(funnel);

		const click = await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });
		expect([click.status, click.body]).toEqual([400, { error: 'Referral link not found' }]);
		const refused = { error: 'Invalid API key: the token matches no active program' };
		const sale = { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: customerKey };
		for (const [route, body] of [
			['lead', { customer_key: unique('customer') }],
			['sale', sale],
			['refund', { transaction_id: 'any' }],
		] as const) {
			const answer = await track(route, body, funnel.apiToken);
			expect([answer.status, answer.body]).toEqual([401, refused]);
		}
		expect((await track('lead', { click_id: clickId })).status).toBe(400);
		expect((await api('/api/v1/cli/status', { token: funnel.apiToken })).status).toBe(401);
		expect((await api(`/r/${funnel.shortLink}`)).status).toBe(404);
	});

	test("applies a processor's refunds and disputes, but records no lead or sale", async () => {
		const funnel = await aCustomFunnel();
		const [order, disputed, customer] = [unique('order'), unique('order'), await aLead(funnel)];
		const paid = (payment_id: string) => customEvent('payment', { payment_id, customer_key: customer, ...usd(10_000) });
		await sendCustom(funnel, paid(order), paid(disputed));
		await archive(funnel);

		const lateOrder = unique('order');
		const late = paid(lateOrder);
		const signup = customEvent('signup', { customer_key: unique('customer'), click_id: 'cust_1_1' });
		const again = customEvent('payment', { payment_id: order, customer_key: customer, ...usd(10_000) });
		const refund = customEvent('refund', { refund_id: 'r1', payment_id: order, ...usd(5_000) });
		const dispute = customEvent('dispute', { dispute_id: 'd1', payment_id: disputed, ...usd(10_000) });
		const ofLate = customEvent('refund', { refund_id: 'r2', payment_id: lateOrder, ...usd(5_000) });
		await sendCustom(funnel, late, signup, again, refund, dispute, ofLate);

		const received = await outcomes(funnel);
		const isArchived = 'ignored: Not recorded: the program is archived. Restore it, then replay the event';
		expect([received.get(late.id), received.get(signup.id)]).toEqual([isArchived, isArchived]);
		expect(received.get(again.id)).toMatch(/^applied: Already recorded as sale/);
		expect(received.get(refund.id)).toMatch(/^applied: Refund of 50\.00 USD of sale/);
		expect(received.get(dispute.id)).toMatch(/^applied: Dispute of 100\.00 USD of sale/);
		expect(received.get(ofLate.id)).toMatch(/^ignored: Nothing to deduct: no sale of this payment is recorded/);
		expect(await balanceOf(funnel)).toBe(1_000);

		const won = customEvent('dispute', { dispute_id: 'd1', payment_id: disputed, ...usd(10_000), status: 'won' });
		await sendCustom(funnel, won);
		expect(await balanceOf(funnel)).toBe(3_000);

		expect((await ask(funnel, 'restore')).status).toBe(200);
		const [event] = (await inboxOf(funnel)).filter(({ event_id }) => event_id === late.id);
		await managed(funnel, `/processor-events/${event?.id}/replay`, { method: 'POST' });
		await tickAt(Date.now());
		expect((await outcomes(funnel)).get(late.id)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
		await expectSoundLedger(funnel);
	});

	test('ignores test events, and events that were waiting for their lead when it was archived', async () => {
		const funnel = await aCustomFunnel();
		const payment = (more: object) =>
			customEvent('payment', { payment_id: unique('order'), customer_key: unique('c'), ...usd(1_000), ...more });
		const waiting = payment({});
		await sendCustom(funnel, waiting);
		expect((await outcomes(funnel)).get(waiting.id)).toMatch(/^waiting: /);
		await archive(funnel);
		const tested = customEvent('payment', { payment_id: unique('order'), customer_key: unique('c'), ...usd(1_000) }, { test: true });
		await sendCustom(funnel, tested);
		await tickAt(Date.now() + DAY_MS);
		const received = await outcomes(funnel);
		for (const { id } of [waiting, tested]) expect(received.get(id)).toMatch(/^ignored: Not recorded: the program is archived/);
		const [status] = await rows<{ count: number }>('SELECT count(*) AS count FROM affiliate_sale_events WHERE program_id = ?', funnel.id);
		expect(status).toEqual({ count: 0 });
	});

	test("still pays, reports, erases and shows its partner's earnings", async () => {
		const funnel = await aFunnel();
		const customerKey = await aLead(funnel);
		const { commissionId } = await aSale(funnel, { customer_key: customerKey });
		await aSale(funnel);
		const invited = await managed<{ invitation_url: string }>(funnel, `/partners/${funnel.partnerId}/invitation`, { method: 'POST' });
		await archive(funnel);

		const person = await signUp();
		expect((await accept({ token: tokenOf(invited.body.data) }, person)).status).toBe(201);
		const own = `/api/v1/partner-programs/${funnel.partnerProgramId}`;
		const overview = await api<{ program: object; balances: object }>(own, { token: person.token });
		expect(overview.body.data).toMatchObject({
			program: { active: false, archived_at: expect.any(String) },
			balances: { USD: { available: 4_000 } },
		});
		expect((await api<{ partner_accounts: unknown }>('/api/v1/me', { token: person.token })).body.data).toMatchObject({
			partner_accounts: [{ partner_programs: [{ status: 'active', program: { id: funnel.id } }] }],
		});
		expect((await managed(funnel, '/commissions/reject', { body: { commission_ids: [commissionId], reason: 'Own order' } })).status).toBe(
			200,
		);
		const payout = await managed<{ id: number; amount_cents: number }[]>(funnel, '/payouts', { body: {} });
		expect([payout.status, payout.text]).toEqual([201, expect.stringContaining('2000')]);
		const report = await api(`/api/tracking/performance/${funnel.id}?period=7d`, { token: funnel.owner.token });
		expect(report.text).toContain('"totalRevenue":200');
		expect((await managed(funnel, '/customers/erase', { body: { customer_key: customerKey } })).status).toBe(200);
		await expectSoundLedger(funnel);
	});

	test('keeps its short link, coupon and page address reserved', async () => {
		const funnel = await aFunnel();
		const slug = unique('page');
		await managed(funnel, '/application-form', { method: 'PATCH', body: { applications: 'automatic', slug } });
		expect((await api(`/api/v1/public/programs/${slug}`)).status).toBe(200);
		const { code } = await aCoupon(funnel);
		await archive(funnel);

		const [page, applied] = [
			await api(`/api/v1/public/programs/${slug}`),
			await api(`/api/v1/public/programs/${slug}/applications`, { body: { name: 'Ines', email: `${unique('ines')}@blog.example` } }),
		];
		expect([page.status, applied.status]).toEqual([404, 404]);
		const other = await aFunnel();
		const taken = await managed(other, '/links', { body: { partner_id: other.partnerId, short_link: funnel.shortLink } });
		expect(taken.status).toBe(409);
		expect((await managed(other, '/application-form', { method: 'PATCH', body: { slug } })).status).toBe(409);

		await ask(funnel, 'restore');
		expect((await api(`/api/v1/public/programs/${slug}`)).status).toBe(200);
		expect((await managed<{ code: string }[]>(funnel, '/coupons')).body.data).toMatchObject([{ code, archived_at: null }]);
	});

	test('refuses new partners, links and coupons, and cannot be activated by its settings', async () => {
		const funnel = await aFunnel();
		await archive(funnel);
		const error = `The program is archived. Restore it first: POST /api/v1/programs/${funnel.id}/restore`;
		for (const [path, call] of [
			['/partners', { body: { name: 'New', email: `${unique('new')}@people.example` } }],
			['/links', { body: { partner_id: funnel.partnerId } }],
			['/coupons', { body: { partner_id: funnel.partnerId, code: unique('code') } }],
			['/test-chain', { body: {} }],
			['', { method: 'PATCH', body: { active: true } }],
		] as const) {
			const { status, body } = await managed(funnel, path, call);
			expect([path, status, body]).toEqual([path, 409, { error }]);
		}
		const renamed = await managed(funnel, '', { method: 'PATCH', body: { name: 'Books of 2025' } });
		expect([renamed.status, renamed.body.data]).toMatchObject([200, { name: 'Books of 2025', active: false }]);
	});

	test('cannot approve applications, and its partner cannot create links', async () => {
		const funnel = await aFunnel({ domain: `${unique('shop')}.example` });
		const slug = unique('page');
		await managed(funnel, '/application-form', { method: 'PATCH', body: { applications: 'by_approval', slug } });
		await api(`/api/v1/public/programs/${slug}/applications`, { body: { name: 'Ines', email: `${unique('ines')}@blog.example` } });
		const invited = await managed<{ invitation_url: string }>(funnel, `/partners/${funnel.partnerId}/invitation`, { method: 'POST' });
		const person = await signUp();
		await accept({ token: tokenOf(invited.body.data) }, person);
		await archive(funnel);

		const [application] = (await managed<{ id: number }[]>(funnel, '/applications')).body.data;
		expect((await managed(funnel, `/applications/${application?.id}/approve`, { method: 'POST' })).status).toBe(409);
		expect((await managed(funnel, `/applications/${application?.id}/decline`, { method: 'POST' })).status).toBe(200);
		const domain = (await managed<{ domain: string }>(funnel, '')).body.data.domain;
		const link = await api(`/api/v1/partner-programs/${funnel.partnerProgramId}/links`, {
			token: person.token,
			body: { destination_url: `https://${domain}/page` },
		});
		expect([link.status, link.body]).toEqual([409, { error: 'The program is archived and accepts no new links' }]);
	});

	test('has a status that expects no traffic', async () => {
		const funnel = await aFunnel();
		await archive(funnel);
		const { body } = await managed<{ status: { checks: { name: string }[] }; readiness: unknown }>(funnel, '/status');
		expect(JSON.stringify(body.data)).not.toContain('No click has arrived');
		expect(JSON.stringify(body.data)).toContain('dead_letters');
		const chain = await managed(funnel, '/test-chain');
		expect(chain.text).toContain('The program is archived, so nothing is recorded. Restore it first');
	});

	test('is listed separately', async () => {
		const owner = await signUp();
		const [kept, gone] = [await aProgram(owner), await aProgram(owner)];
		await archive({ ...gone, owner });
		expect(await listOf(owner)).toEqual([kept.id]);
		expect(await listOf(owner, '?archived=false')).toEqual([kept.id]);
		expect(await listOf(owner, '?archived=true')).toEqual([gone.id]);
		await ask({ ...gone, owner }, 'restore');
		expect(await listOf(owner)).toEqual([gone.id, kept.id]);
	});
});

describe('archiving and restoring', () => {
	test('are for owners and are audited', async () => {
		const owner = await signUp();
		const program = { ...(await aProgram(owner)), owner };
		const admin = await aMember(owner, 'admin');
		const stranger = await signUp();
		for (const verb of ['archive', 'restore'] as const) {
			expect((await ask(program, verb, admin)).status).toBe(403);
			expect((await ask(program, verb, stranger)).status).toBe(403);
		}
		await archive(program);
		await ask(program, 'restore');
		const { results } = await env.DB.prepare(
			"SELECT action, subject_id FROM audit_entries WHERE program_id = ? AND action IN ('program.archive', 'program.restore') ORDER BY id",
		)
			.bind(program.id)
			.all();
		expect(results).toEqual([
			{ action: 'program.archive', subject_id: program.id },
			{ action: 'program.restore', subject_id: program.id },
		]);
	});

	test.each([true, false])('restore the program as it was: active %s', async (active) => {
		const owner = await signUp();
		const program = { ...(await aProgram(owner)), owner };
		await api(`/api/v1/programs/${program.id}`, { method: 'PATCH', token: owner.token, body: { active } });
		const archived = await ask(program, 'archive');
		expect(archived.body.data).toMatchObject({ active: false, archived_at: expect.any(String) });
		const restored = await ask(program, 'restore');
		expect([restored.status, restored.body.data]).toMatchObject([200, { active, archived_at: null }]);
	});

	test('answer 409 if already done, and in a race one succeeds', async () => {
		const owner = await signUp();
		const program = { ...(await aProgram(owner)), owner };
		expect(await ask(program, 'restore')).toMatchObject({ status: 409, body: { error: 'The program is not archived' } });
		const answers = await Promise.all(Array.from({ length: 8 }, () => ask(program, 'archive')));
		expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
		expect(answers.find(({ status }) => status === 409)?.body.error).toBe('The program is already archived');
		const restored = await Promise.all(Array.from({ length: 8 }, () => ask(program, 'restore')));
		expect(restored.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(restored.find(({ status }) => status === 200)?.body.data.active).toBe(true);
	});

	test('settle an event that arrives at the same time', async () => {
		const funnel = await aCustomFunnel();
		const event = customEvent('payment', { payment_id: unique('order'), customer_key: await aLead(funnel), ...usd(10_000) });
		const { receiveCustom } = await import('../support/custom-webhook.ts');
		const { messages } = await receiveCustom(funnel, event);
		await Promise.all([archive(funnel), work(messages)]);
		await tickAt(Date.now() + DAY_MS);
		expect((await outcomes(funnel)).get(event.id)).toMatch(/^(?:applied: Sale|ignored: Not recorded: the program is archived)/);
		await expectSoundLedger(funnel);
	});
});
