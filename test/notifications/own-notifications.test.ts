import { expect, test } from 'vitest';
import { tick } from '../support/deliver.ts';
import { anEarnedCommission, aPartner, aShop } from '../support/ledger.ts';
import { aSignedInPartner } from '../support/portal.ts';
import { api, signUp } from '../support/world.ts';

test('a partner sees only their own notifications of one program', async () => {
	const owner = await signUp();
	const [shop, second] = [await aShop(owner), await aShop(owner)];
	const partner = await aSignedInPartner(shop);
	const there = await aPartner(second, { email: partner.email });
	await anEarnedCommission(shop, partner, { amountCents: 100 });
	await anEarnedCommission(second, there, { amountCents: 200 });
	await tick();
	const of = (id: number, token = partner.token) =>
		api<{ program: { id: number } }[]>(`/api/v1/notifications?partner_program_id=${id}`, { token });
	const received = await of(partner.partner_program_id);
	expect([received.status, received.body.data.map(({ program }) => program.id), received.body.meta]).toEqual([
		200,
		[shop.id],
		{ next_cursor: null, previous_cursor: null, unread_count: 1 },
	]);
	expect((await of(there.partner_program_id)).body.data.map(({ program }) => program.id)).toEqual([second.id]);
	const all = await api<unknown[]>('/api/v1/notifications', { token: partner.token });
	expect([all.body.data.length, all.body.meta]).toEqual([2, { next_cursor: null, previous_cursor: null, unread_count: 2 }]);
	expect(await of(partner.partner_program_id, owner.token)).toMatchObject({ status: 404, body: { error: 'Partner program not found' } });

	const readAll = (body: object, token = partner.token) =>
		api<{ unread_count: number }>('/api/v1/notifications', { token, method: 'PATCH', body });
	expect(await readAll({ partner_program_id: partner.partner_program_id }, owner.token)).toMatchObject({ status: 404 });
	const marked = await readAll({ partner_program_id: partner.partner_program_id });
	expect([marked.status, marked.body.data]).toEqual([200, { unread_count: 0 }]);
	const unread = await api<{ program: { id: number } }[]>('/api/v1/notifications?unread=true', { token: partner.token });
	expect(unread.body.data.map(({ program }) => program.id)).toEqual([second.id]);
});
