import { expect, test } from 'vitest';
import { aFunnel, aSale, type Funnel, track } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

async function hasSales({ id, owner }: Funnel): Promise<boolean> {
	return (await api<{ has_sales: boolean }>(`/api/v1/programs/${id}`, { token: owner.token })).body.data.has_sales;
}

test('a program has sales from its first real one on, not from tests', async () => {
	const [funnel, other] = await Promise.all([aFunnel(), aFunnel()]);
	expect(await hasSales(funnel)).toBe(false);
	const { status } = await api('/api/v1/cli/test-event', { token: funnel.apiToken, body: { type: 'chain' } });
	expect(status).toBe(200);
	await track('sale', { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: 'nobody' }, funnel.apiToken);
	expect(await hasSales(funnel)).toBe(false);
	await aSale(funnel);
	expect(await hasSales(funnel)).toBe(true);
	expect(await hasSales(other)).toBe(false);
});
