import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { metered, type Spent } from '../../../testing/d1/metered.ts';
import { aPartnerWith, askDecision, startDecision } from '../../support/decision-runs.ts';
import { aShop, type Shop } from '../../support/ledger.ts';
import { deliverSlice, readRun, type TestRun } from '../../support/pay-runs.ts';
import { signUp } from '../../support/world.ts';

// How many D1 rows a run costs (decision 65): each slice reads at most 5,000, and 20 for each row that it writes.

let shop: Shop;
/** One commission, between those of two partners with many. */
let quiet: Awaited<ReturnType<typeof aPartnerWith>>;

beforeAll(async () => {
	shop = await aShop(await signUp(), 30);
	await aPartnerWith(shop, 4_000);
	quiet = await aPartnerWith(shop, 1);
	await aPartnerWith(shop, 3_000);
});

async function costOfStart(body: object): Promise<Spent & { readonly id: number | undefined }> {
	const DB = metered(env.DB);
	const { id } = await askDecision(shop, body, shop.owner.token, { DB });
	return { ...DB.spent(), id };
}

async function costsOf(run: Pick<TestRun, 'id'>): Promise<Spent[]> {
	const costs: Spent[] = [];
	do {
		const DB = metered(env.DB);
		await deliverSlice(shop, run, { DB });
		costs.push(DB.spent());
	} while ((await readRun(shop, run.id)).state === 'running');
	return costs;
}

function expectWithinBudget(costs: readonly Spent[]): void {
	for (const { rowsRead, rowsWritten, trips } of costs) {
		expect(rowsRead).toBeLessThanOrEqual(5_000 + 20 * rowsWritten);
		expect(trips).toBeLessThanOrEqual(3);
	}
}

test('the start counts each undecided commission that matches once', async () => {
	const wrong = { decision: 'approve', expected_count: 99_999 };
	expect((await costOfStart({ ...wrong, filter: {} })).rowsRead).toBeLessThan(7_001 + 30);
	expect((await costOfStart({ ...wrong, filter: { partner_id: quiet.id } })).rowsRead).toBeLessThan(50);
});

test('a search without a match starts within a bound, and then reads window by window', async () => {
	const asked = { filter: { search: 'nobody' }, expected_count: 1 };
	const { rowsRead, id = 0 } = await costOfStart({ ...asked, decision: 'approve' });
	expect(rowsRead).toBeLessThan(4 * 2_500 + 50);
	const costs = await costsOf({ id });
	expect(await readRun(shop, id)).toMatchObject({ state: 'done', counts: { counted: 0 } });
	expectWithinBudget(costs);
	expect(costs).toHaveLength(Math.ceil(7_001 / 900));
});

test('the only commission of a partner is found by the partner', async () => {
	const run = await startDecision(shop, { decision: 'approve', filter: { partner_id: quiet.id }, expected_count: 1 });
	const [cost, ...more] = await costsOf(run);
	expect(more).toEqual([]);
	expect(cost?.rowsRead).toBeLessThan(60);
});

test('thousands are approved and then rejected within the budget of each slice', async () => {
	const approval = await startDecision(shop, { decision: 'approve', filter: { status: 'pending' }, expected_count: 7_000 });
	const approved = await costsOf(approval);
	expectWithinBudget(approved);
	const rejection = await startDecision(shop, { decision: 'reject', filter: {}, expected_count: 7_001 });
	const rejected = await costsOf(rejection);
	expectWithinBudget(rejected);
	expect([approved.length, rejected.length]).toEqual([14, 15]);
	// A single rejection writes a commission, a ledger entry with its index, an account and an outbox row.
	expect(rejected[0]?.rowsWritten).toBeLessThanOrEqual(500 * 5 + 5);
});
