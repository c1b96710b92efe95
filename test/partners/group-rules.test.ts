import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPartner, aShop, type Shop, statusesOf, type TestPartner } from '../support/ledger.ts';
import { api, type Owner, signUp, unique } from '../support/world.ts';

interface Group {
	readonly id: number;
}

let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
});

async function aGroup(of: Shop, name = unique('Group')): Promise<Group> {
	const { status, text, body } = await api<Group>(`${of.path}/groups`, { token: owner.token, body: { name } });
	if (status !== 201) throw new Error(`Adding a group answered ${status}: ${text}`);
	return body.data;
}

const move = (of: Shop, groupId: number, ids: readonly number[]) =>
	api(`${of.path}/groups/${groupId}/partners`, { token: owner.token, body: { partner_ids: ids } });

const change = (of: Shop, partner: TestPartner, body: object) =>
	api<TestPartner>(`${of.path}/partners/${partner.id}`, {
		method: 'PATCH',
		token: owner.token,
		body,
	});

async function aRule(of: Shop, body: object): Promise<number> {
	const { status, text, body: answer } = await api<{ id: number }>(`${of.path}/commission-rules`, { token: owner.token, body });
	if (status !== 201) throw new Error(`Adding a rule answered ${status}: ${text}`);
	return answer.data.id;
}

/** What a sale of 100.00 after a click earns, in cents. */
async function earnedBy(of: Shop, partner: TestPartner, productId?: string): Promise<number | null> {
	const clicked = await api<never>('/api/v1/track/click', {
		body: { affiliate_url: `https://shop.example/?aff=${partner.links[0]?.short_link}` },
	});
	const { click_id }: { click_id: string } = JSON.parse(clicked.text);
	const sold = await api('/api/v1/track/sale', {
		token: of.apiToken,
		body: { transaction_id: unique('txn'), amount_cents: 10_000, click_id, product_id: productId },
	});
	const { commission_id }: { commission_id: number | null } = JSON.parse(sold.text);
	return env.DB.prepare('SELECT amount_cents FROM commissions WHERE id = ?').bind(commission_id).first<number>('amount_cents');
}

describe('rules of a group', () => {
	test("rank after the partner's rules and before everyone's; the partner scope outranks the product", async () => {
		const own = await aShop(owner);
		const group = await aGroup(own);
		const partner = await aPartner(own, { group_id: group.id });
		const other = await aPartner(own);
		/** From the least specific rule to the most specific; the default is 100 %. */
		const scopes = [
			{ product_id: 'pro' },
			{ group_id: group.id },
			{ group_id: group.id, product_id: 'pro' },
			{ partner_id: partner.id },
			{ partner_id: partner.id, product_id: 'pro' },
		];
		expect(await earnedBy(own, partner, 'pro')).toBe(10_000);
		let ofOther = 10_000;
		let elsewhere = 10_000;
		for (const [index, scope] of scopes.entries()) {
			const percent = index + 1;
			await aRule(own, { type: 'percent', percent, ...scope });
			expect(await earnedBy(own, partner, 'pro')).toBe(percent * 100);
			if (!('product_id' in scope)) elsewhere = percent * 100;
			if (Object.keys(scope).join() === 'product_id') ofOther = percent * 100;
			expect(await earnedBy(own, partner, 'gift')).toBe(elsewhere);
			expect(await earnedBy(own, other, 'pro')).toBe(ofOther);
		}
	});

	test('apply to sales after a move and leave earlier commissions unchanged', async () => {
		const own = await aShop(owner);
		const [gold, silver] = [await aGroup(own), await aGroup(own)];
		await aRule(own, { type: 'percent', percent: 30, group_id: gold.id });
		await aRule(own, { type: 'flat', amount_cents: 777, group_id: silver.id });
		const partner = await aPartner(own, { group_id: gold.id });
		expect(await earnedBy(own, partner)).toBe(3_000);
		await move(own, silver.id, [partner.id]);
		expect(await earnedBy(own, partner)).toBe(777);
		await change(own, partner, { group_id: null });
		expect(await earnedBy(own, partner)).toBe(10_000);
		const { results } = await env.DB.prepare('SELECT amount_cents FROM commissions WHERE partner_program_id = ? ORDER BY id')
			.bind(partner.partner_program_id)
			.all();
		expect(results.map(({ amount_cents: cents }) => cents)).toEqual([3_000, 777, 10_000]);
	});

	test('are unique per scope, even in a race, and never combined with a partner', async () => {
		const own = await aShop(owner);
		const group = await aGroup(own);
		const partner = await aPartner(own);
		const make = (body: object) =>
			api(`${own.path}/commission-rules`, { token: owner.token, body: { type: 'percent', percent: 1, group_id: group.id, ...body } });
		for (const scope of [{}, { product_id: 'p' }]) {
			expect(statusesOf(await Promise.all([1, 2, 3].map(() => make(scope))))).toEqual([201, 409, 409]);
		}
		const error = 'Send partner_id or group_id, not both: a rule is for a partner or for a group';
		expect((await make({ partner_id: partner.id })).body).toEqual({ error });
		const foreign = await aGroup(await aShop(owner));
		expect((await make({ group_id: foreign.id })).body).toEqual({ error: 'group_id must be a group of this program' });
		const added = await api(`${own.path}/partners`, {
			token: owner.token,
			body: { name: 'P', email: `${unique('p')}@partners.example`, group_id: foreign.id },
		});
		expect([added.status, added.body]).toEqual([400, { error: 'group_id must be a group of this program' }]);
		expect((await change(own, partner, { group_id: foreign.id })).status).toBe(400);
	});

	test('give the same result in a dry run as in a sale, for any set of rules', async () => {
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(fc.nat(4), { maxLength: 5 }), fc.boolean(), fc.boolean(), async (chosen, isInGroup, isPro) => {
				const own = await aShop(owner);
				const group = await aGroup(own);
				const partner = await aPartner(own, isInGroup ? { group_id: group.id } : {});
				const scopes = [
					{ product_id: 'pro' },
					{ group_id: group.id },
					{ group_id: group.id, product_id: 'pro' },
					{ partner_id: partner.id },
					{ partner_id: partner.id, product_id: 'pro' },
				];
				for (const index of chosen) await aRule(own, { type: 'percent', percent: index + 1, ...scopes[index] });
				const product = isPro ? '&product_id=pro' : '';
				const tried = await api<{ commission: { amount_cents: number }; rule: { percent: number } }>(
					`${own.path}/commission-rules/dry-run?amount_cents=10000&partner_id=${partner.id}${product}`,
					{ token: owner.token },
				);
				const earned = await earnedBy(own, partner, isPro ? 'pro' : undefined);
				expect(tried.body.data.commission.amount_cents).toBe(earned);
				const applying = chosen.filter(
					(index) => (isInGroup || !('group_id' in (scopes[index] ?? {}))) && (isPro || index === 1 || index === 3),
				);
				expect(tried.body.data.rule.percent).toBe(applying.length === 0 ? 100 : Math.max(...applying) + 1);
			}),
			{ numRuns: 12 },
		);
	});
});
