import { beforeAll, expect, test } from 'vitest';
import { aPartner, aRefund, aShop, anEarnedCommission, type Shop } from '../support/ledger.ts';
import { api, type Owner, signUp } from '../support/world.ts';

interface Row {
	readonly id: number;
	readonly [field: string]: unknown;
}

let owner: Owner;
let shop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const read = <Data>(place: Shop, path: string, token = owner.token) => api<Data>(`${place.path}/commissions${path}`, { token });

test('one commission has the fields of its row in the list; that of another program is unknown', async () => {
	const earned = await anEarnedCommission(shop, await aPartner(shop), { amountCents: 1_000 });
	await anEarnedCommission(shop, await aPartner(shop), { amountCents: 300 });
	await aRefund(shop, earned, 400);
	const { status, body } = await read<Row>(shop, `/${earned.commissionId}`);
	expect(status).toBe(200);
	expect(body.data).toEqual((await read<Row[]>(shop, '')).body.data.find(({ id }) => id === earned.commissionId));
	expect(body.data).toMatchObject({ status: 'refunded', amount_cents: 1_000, deducted_cents: 400 });

	const unknown = await read(await aShop(owner), `/${earned.commissionId}`);
	expect([unknown.status, unknown.body.error]).toEqual([404, 'Commission not found']);
	const stranger = await read(shop, `/${earned.commissionId}`, (await signUp()).token);
	expect([stranger.status, stranger.body.error]).toEqual([403, 'You are not an active member of this workspace']);
	const odd = await read(shop, '/x');
	expect([odd.status, odd.body.error]).toEqual([400, 'commissionId in the path must be a positive integer']);
});
