import { beforeAll, describe, expect, test } from 'vitest';
import { aPartner, aShop, type Shop } from '../support/ledger.ts';
import { api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;
let shop: Shop;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner, 7);
});

const get = (path: string, of = shop) => api<Record<string, unknown>>(`${of.path}/commission-rules${path}`, { token: owner.token });

describe('a dry run', () => {
	test('returns the rule and the commission of a sale, and writes nothing', async () => {
		expect((await get('/dry-run?amount_cents=4900&currency=eur')).body.data).toEqual({
			currency: 'EUR',
			rule: expect.objectContaining({ percent: 100, hold_days: 7, partner_id: null, group_id: null, product_id: null }),
			commission: { amount_cents: 4_900, status: 'pending' },
			reason: null,
		});
		expect((await api(`${shop.path}/commissions`, { token: owner.token })).body.data).toEqual([]);
	});

	test('says why a sale would earn nothing', async () => {
		const own = await aShop(owner);
		const partner = await aPartner(own);
		const body = { status: 'suspended' };
		await api(`${own.path}/partners/${partner.id}`, { method: 'PATCH', token: owner.token, body });
		const suspended = await get(`/dry-run?amount_cents=1&partner_id=${partner.id}`, own);
		expect(suspended.body.data).toEqual({ currency: 'USD', rule: null, commission: null, reason: 'the partner is suspended' });
		const { body: rules } = await api<{ id: number }[]>(`${own.path}/commission-rules`, { token: owner.token });
		await api(`${own.path}/commission-rules/${rules.data[0]?.id}`, { method: 'DELETE', token: owner.token });
		expect((await get('/dry-run?amount_cents=1', own)).body.data).toMatchObject({ reason: 'no commission rule applies to this sale' });
	});

	test.each([
		['', 'amount_cents must be an integer from 1 to 99999999999'],
		['?amount_cents=0', 'amount_cents must be an integer from 1 to 99999999999'],
		['?amount_cents=1.5', 'amount_cents must be an integer from 1 to 99999999999'],
		['?amount_cents=100000000000', 'amount_cents must be an integer from 1 to 99999999999'],
		['?amount_cents=1&partner_id=999999999', 'partner_id must be a partner of this program'],
		['?amount_cents=1&partner_id=1&group_id=1', 'Send partner_id or group_id, not both'],
		['?amount_cents=1&partner=1', 'Unknown query parameter: partner'],
	])('is refused: %s', async (search, error) => {
		const { status, body } = await get(`/dry-run${search}`);
		expect([status, body]).toEqual([400, { error }]);
	});
});

describe('the versions of a rule', () => {
	test('are paged, newest first, even after it is archived', async () => {
		const own = await aShop(owner);
		const { body } = await api<{ id: number }[]>(`${own.path}/commission-rules`, { token: owner.token });
		const ruleId = body.data[0]?.id;
		const path = `${own.path}/commission-rules/${ruleId}`;
		await api(path, { method: 'PATCH', token: owner.token, body: { percent: 30 } });
		await api(path, { method: 'PATCH', token: owner.token, body: { type: 'flat', amount_cents: 5 } });
		await api(path, { method: 'DELETE', token: owner.token });
		const shared = { recurring_months: null, hold_days: 0, created_at: expect.stringMatching(/Z$/) };
		const first = await api(`${path}/versions?limit=2`, { token: owner.token });
		expect(first.body.data).toEqual([
			{ version: 3, type: 'flat', amount_cents: 5, currency: 'USD', ...shared },
			{ version: 2, type: 'percent', percent: 30, ...shared },
		]);
		const rest = await api(`${path}/versions?cursor=${first.body.meta.next_cursor}`, { token: owner.token });
		expect(rest.body.data).toEqual([{ version: 1, type: 'percent', percent: 100, ...shared }]);
		const elsewhere = await api(`${shop.path}/commission-rules/${ruleId}/versions`, { token: owner.token });
		expect([elsewhere.status, elsewhere.body]).toEqual([404, { error: 'Commission rule not found' }]);
	});
});
