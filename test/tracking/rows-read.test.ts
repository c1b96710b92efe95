import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { bearer, trackWith } from '../support/bindings.ts';
import { aClick, aFunnel, type Funnel } from '../support/funnel.ts';
import { metered } from '../../testing/d1/metered.ts';
import { unique } from '../support/world.ts';

// A call reads the same number of rows however many exist, because each look-up uses an index.

const CALLS = ['lead', 'sale', 'refund', 'again'] as const;
type ReadRows = Record<(typeof CALLS)[number], number>;

/** How many rows the calls of a new customer's life read. */
async function lifeOf(funnel: Funnel): Promise<ReadRows> {
	const [click_id, customer_key, transaction_id] = [await aClick(funnel), unique('c'), unique('txn')];
	const read = async (route: string, body: object) => {
		const DB = metered(env.DB);
		const { status, body: answer } = await trackWith({ DB }, route, body, bearer(funnel.apiToken));
		expect(status, JSON.stringify(answer)).toBe(200);
		return DB.spent().rowsRead;
	};
	return {
		lead: await read('lead', { click_id, customer_key }),
		sale: await read('sale', { customer_key, transaction_id, amount_cents: 5_000 }),
		refund: await read('refund', { transaction_id, refund_amount_cents: 100, refund_id: 'r1' }),
		again: await read('refund', { transaction_id, refund_amount_cents: 100, refund_id: 'r2' }),
	};
}

test('a lead, a sale and refunds read no more rows if there are many', async () => {
	const funnel = await aFunnel();
	await lifeOf(funnel);
	const first = await lifeOf(funnel);
	for (let count = 0; count < 12; count += 1) await lifeOf(funnel);
	const last = await lifeOf(funnel);
	// A seek may read the next row too; twelve more rows would be a scan.
	for (const call of CALLS) expect(last[call], call).toBeLessThanOrEqual(first[call] + 3);
});
