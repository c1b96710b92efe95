import { beforeAll, describe, expect, test } from 'vitest';
import { accept } from '../support/members.ts';
import { aPartner, aShop, balancesOf, type Shop, statusesOf, type TestPartner } from '../support/ledger.ts';
import { tick } from '../support/deliver.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

interface Invited extends TestPartner {
	readonly invitation_url: string;
}

let owner: Owner;
let shop: Shop;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const change = (partner: TestPartner, body: object) =>
	api<TestPartner & { status_reason: string | null }>(`${shop.path}/partners/${partner.id}`, { method: 'PATCH', token: owner.token, body });

const changeAll = (partnerIds: readonly number[], body: object, token = owner.token) =>
	api(`${shop.path}/partners/status`, { token, body: { partner_ids: partnerIds, ...body } });

async function click(shortLink: string | undefined) {
	const { status, text } = await api('/api/v1/track/click', { body: { affiliate_url: `https://shop.example/?aff=${shortLink}` } });
	const answer: { click_id?: string; error?: string } = JSON.parse(text);
	return { status, ...answer };
}

async function sell(fields: object) {
	const { status, text } = await api('/api/v1/track/sale', {
		token: shop.apiToken,
		body: { transaction_id: unique('txn'), amount_cents: 1_000, ...fields },
	});
	const answer: { commission_id: number | null; message?: string; error?: string } = JSON.parse(text);
	return { status, ...answer };
}

async function aReader() {
	const partner = await aPartner(shop);
	const { body } = await api<Invited>(`${shop.path}/partners/${partner.id}/invitation`, { method: 'POST', token: owner.token });
	const person = await signUp();
	await accept({ token: body.data.invitation_url.split('/').at(-1) ?? '' }, person);
	const received = async () => {
		await tick();
		const notifications = await api<{ kind: string; message: string }[]>('/api/v1/notifications', { token: person.token });
		return notifications.body.data.map(({ kind, message }) => [kind, message.split('.').at(-1)?.trim() || message.split('. ').at(-1)]);
	};
	return { partner, person, received };
}

describe('a suspended partner', () => {
	test('gets no clicks and earns nothing; a resumed one earns from later clicks', async () => {
		const partner = await aPartner(shop);
		const shortLink = partner.links[0]?.short_link;
		const { click_id } = await click(shortLink);
		const customer_key = unique('customer');
		await sell({ click_id, customer_key });
		const { body } = await change(partner, { status: 'suspended', reason: 'Bids on our name' });
		expect(body.data).toMatchObject({ status: 'suspended', status_reason: 'Bids on our name' });
		expect(await click(shortLink)).toMatchObject({ status: 400, error: 'Referral link not found' });
		expect(await sell({ customer_key })).toMatchObject({
			status: 200,
			commission_id: null,
			message: expect.stringContaining('the partner is suspended'),
		});
		expect((await change(partner, { status: 'active' })).body.data.status_reason).toBeNull();
		expect(await click(shortLink)).toMatchObject({ status: 200 });
		expect((await sell({ customer_key })).commission_id).not.toBeNull();
		expect(await balancesOf(shop, partner)).toEqual({ USD: 2_000 });
	});

	test('is notified of the reason once per change', async () => {
		const { partner, received } = await aReader();
		await change(partner, { status: 'suspended', reason: 'Under review' });
		await change(partner, { status: 'suspended', reason: 'Under review' });
		expect(await received()).toEqual([['membership_suspended', expect.stringContaining('Reason: Under review')]]);
		await changeAll([partner.id], { status: 'active', reason: 'All is well' });
		expect((await received()).map(([kind]) => kind)).toEqual(['membership_resumed', 'membership_suspended']);
		await api(`${shop.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
		await api(`${shop.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
		expect((await received()).map(([kind]) => kind)).toEqual(['membership_ended', 'membership_resumed', 'membership_suspended']);
	});

	test('gets the reason of each change, however soon the next follows', async () => {
		const { partner, received } = await aReader();
		await change(partner, { status: 'suspended', reason: 'Under review' });
		await change(partner, { status: 'active', reason: 'All is well' });
		await changeAll([partner.id], { status: 'ended', reason: 'Moved away' });
		expect(await received()).toEqual([
			['membership_ended', expect.stringContaining('Moved away')],
			['membership_resumed', expect.stringContaining('All is well')],
			['membership_suspended', expect.stringContaining('Under review')],
		]);
	});

	test('earns from a concurrent sale or has a reason for it, and the ledger is sound', async () => {
		const partner = await aPartner(shop);
		const { click_id } = await click(partner.links[0]?.short_link);
		const customer_key = unique('customer');
		await sell({ click_id, customer_key });
		const [, ...sales] = await Promise.all([
			change(partner, { status: 'suspended' }),
			...Array.from({ length: 6 }, () => sell({ customer_key })),
		]);
		expect(statusesOf(sales)).toEqual([200, 200, 200, 200, 200, 200]);
		const earned = sales.filter(({ commission_id: id }) => id !== null).length;
		for (const { commission_id: id, message } of sales) if (id === null) expect(message).toContain('the partner is suspended');
		expect(await balancesOf(shop, partner)).toEqual({ USD: 1_000 * (earned + 1) });
		expect((await sell({ customer_key })).commission_id).toBeNull();
	});
});

describe('a membership that has ended', () => {
	test('keeps commissions and balances, and its links have no partner; a returning partner gets new ones', async () => {
		const partner = await aPartner(shop);
		const shortLink = partner.links[0]?.short_link;
		const { click_id } = await click(shortLink);
		const customer_key = unique('customer');
		await sell({ click_id, customer_key });
		expect((await changeAll([partner.id], { status: 'ended', reason: 'Moved away' })).status).toBe(200);
		expect(await balancesOf(shop, partner)).toEqual({ USD: 1_000 });
		expect(await click(shortLink)).toMatchObject({ status: 400 });
		expect(await sell({ customer_key })).toMatchObject({ status: 400, error: 'No partner-program relationship found for this customer' });
		const again = await aPartner(shop, { email: partner.email });
		expect(again).toMatchObject({ id: partner.id, status: 'active', status_reason: null, partner_program_id: partner.partner_program_id });
		expect(again.links.map(({ short_link: link }) => link)).not.toContain(shortLink);
		expect(await click(shortLink)).toMatchObject({ status: 400 });
		expect((await click(again.links[0]?.short_link)).status).toBe(200);
		expect(await balancesOf(shop, partner)).toEqual({ USD: 1_000 });
		expect((await sell({ customer_key })).commission_id).not.toBeNull();
	});
});

describe('a change of several memberships', () => {
	test('applies to all or none', async () => {
		const [first, second, gone] = [await aPartner(shop), await aPartner(shop), await aPartner(shop)];
		const foreign = await aPartner(await aShop(owner));
		const statuses = async () => {
			const { body } = await api<TestPartner[]>(`${shop.path}/partners?limit=200`, { token: owner.token });
			return [first, second].map(({ id }) => body.data.find((partner) => partner.id === id)?.status);
		};
		expect((await changeAll([first.id, foreign.id], { status: 'suspended' })).body).toEqual({ error: `Partner ${foreign.id} not found` });
		await changeAll([gone.id], { status: 'ended' });
		expect((await changeAll([first.id, gone.id], { status: 'suspended' })).status).toBe(409);
		expect(await statuses()).toEqual(['active', 'active']);
		expect((await changeAll([first.id, second.id], { status: 'suspended' })).body).toEqual({ success: true, data: null });
		expect(await statuses()).toEqual(['suspended', 'suspended']);
		const [ended, resumed] = await Promise.all([
			changeAll([first.id, second.id], { status: 'ended' }),
			changeAll([first.id, second.id], { status: 'active' }),
		]);
		expect(ended.status).toBe(200);
		expect([200, 409]).toContain(resumed.status);
		expect(await statuses()).toEqual(['ended', 'ended']);
	});

	test('is for owners and admins', async () => {
		const partner = await aPartner(shop);
		const [member, admin, stranger] = await Promise.all([aMember(owner, 'member'), aMember(owner, 'admin'), signUp()]);
		const by = async (token: string) => (await changeAll([partner.id], { status: 'suspended' }, token)).status;
		expect([await by('ses_nobody'), await by(stranger.token), await by(member.token), await by(admin.token)]).toEqual([401, 403, 403, 200]);
		expect((await changeAll([partner.id], { status: 'paused' })).body).toEqual({ error: 'status must be one of active, suspended, ended' });
		expect((await change(partner, { reason: 'Why' })).body).toEqual({ error: 'reason needs a status' });
	});
});
