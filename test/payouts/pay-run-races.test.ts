import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { FAILURE_LIMIT, GRACE_MS, LEASE_MS } from '../../src/domain/run.ts';
import { faultyDb, refusing } from '../../testing/d1/failing.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { atInstant } from '../support/at-instant.ts';
import { tick } from '../support/deliver.ts';
import { rows, track } from '../support/funnel.ts';
import { aShop, type Shop } from '../support/ledger.ts';
import { deliverSlice, fillShop, finishRun, readRun, startRun } from '../support/pay-runs.ts';
import { expectSoundLedgers } from '../support/sound-ledger.ts';
import { api, type Owner, signUp } from '../support/world.ts';

// Nobody is paid twice, even if requests race or a consumer dies (decision 64).

let owner: Owner;

beforeAll(async () => {
	owner = await signUp();
});

const times = <Made>(count: number, make: (index: number) => Made) => Array.from({ length: count }, (_, index) => make(index));

/** Every ledger is sound, each payout equals its ledger entries, and nothing payable is left. */
async function expectPaidOnce(shop: Shop): Promise<void> {
	const accounts = await rows<{ id: number }>('SELECT id FROM partner_programs WHERE program_id = ?', shop.id);
	await expectSoundLedgers(accounts.map(({ id }) => id));
	const unsound = await rows(
		`SELECT p.id FROM payouts p WHERE p.program_id = ? AND (
			p.due_cents - p.surplus_cents <> coalesce((SELECT -sum(applied_cents) FROM ledger_entries WHERE payout_id = p.id AND kind = 'payout'), 0)
			OR p.recovered_cents - p.surplus_cents <> coalesce((SELECT sum(applied_cents) FROM ledger_entries WHERE payout_id = p.id AND kind IN ('recovery', 'surplus')), 0))`,
		shop.id,
	);
	expect(unsound).toEqual([]);
	const twice = await rows(
		"SELECT e.commission_id FROM ledger_entries e JOIN commissions c ON c.id = e.commission_id WHERE c.program_id = ? AND e.kind = 'payout' GROUP BY e.commission_id HAVING count(*) > 1",
		shop.id,
	);
	expect(twice).toEqual([]);
	expect(await rows("SELECT id FROM commissions WHERE program_id = ? AND status = 'approved'", shop.id)).toEqual([]);
}

const SIZE = inject('fullSize') ? { partners: 3_000, commissions: 50_000, waves: 10 } : { partners: 40, commissions: 400, waves: 1 };

test('a hundred refunds at a time race the slices of a run: the ledgers are exact, and each account is paid once', async () => {
	const shop = await aShop(owner);
	const transactions = await fillShop(shop, SIZE);
	const run = await startRun(shop);
	const refund = (index: number) =>
		track('refund', { transaction_id: transactions[index * 4], ...(index % 2 === 0 ? {} : { refund_amount_cents: 50 }) }, shop.apiToken);
	for (let wave = 0; wave < SIZE.waves; wave += 1) {
		const refunding = Promise.all(times(100, (index) => refund(100 * wave + index)));
		const [refunds] = await Promise.all([refunding, ...times(4, () => deliverSlice(shop, run))]);
		expect(refunds.map(({ status }) => status)).toEqual(times(100, () => 200));
	}
	const done = await finishRun(shop, run);
	const [paid] = await rows<{ n: number; cents: number }>(
		'SELECT count(*) AS n, sum(amount_cents) AS cents FROM payouts WHERE program_id = ?',
		shop.id,
	);
	expect(done).toMatchObject({ state: 'done', counts: { paid: paid?.n }, sums: { USD: paid?.cents } });
	expect(await rows('SELECT partner_program_id FROM payouts WHERE program_id = ? GROUP BY 1 HAVING count(*) > 1', shop.id)).toEqual([]);
	await expectPaidOnce(shop);
});

test('five consumers process each slice at once, and one of them writes it', async () => {
	const shop = await aShop(owner);
	await fillShop(shop, { partners: 250, commissions: 500 });
	const run = await startRun(shop);
	for (let now = run; now.state === 'running'; now = await readRun(shop, run.id)) {
		await Promise.all(times(5, () => deliverSlice(shop, run)));
	}
	expect(await readRun(shop, run.id)).toMatchObject({ state: 'done', counts: { paid: 250, commissions: 500 } });
	expect(await rows('SELECT count(*) AS n FROM payouts WHERE program_id = ?', shop.id)).toEqual([{ n: 250 }]);
	await expectPaidOnce(shop);
});

test('payouts outside the run race its slices: each commission is paid once', async () => {
	const shop = await aShop(owner);
	await fillShop(shop, { partners: 150, commissions: 300 });
	const run = await startRun(shop);
	const pay = () => api<unknown[]>(`${shop.path}/payouts`, { token: owner.token, body: {} });
	const [first, second] = await Promise.all([pay(), pay(), deliverSlice(shop, run), deliverSlice(shop, run)]);
	const done = await finishRun(shop, run);
	const ofRequests = first.body.data.length + second.body.data.length;
	expect(ofRequests + (done.counts['paid'] ?? 0)).toBe(150);
	await expectPaidOnce(shop);
});

describe('a consumer', () => {
	test('that dies before it writes leaves a run that the cron job continues', async () => {
		const shop = await aShop(owner);
		await fillShop(shop, { partners: 120, commissions: 120 });
		const run = await startRun(shop);
		const began = Date.now();
		await deliverSlice(shop, run, { DB: faultyDb(env.DB, (trip) => (trip > 1 ? 'never arrives' : undefined)) });
		expect(await readRun(shop, run.id)).toMatchObject({ state: 'running', counts: {} });
		const sent = async (at: number) => {
			const EFFECTS = holdingQueue<{ kind: string; runId?: number }>();
			await atInstant(at, () => tick({ EFFECTS }));
			return EFFECTS.held.some(({ kind, runId }) => kind === 'run' && runId === run.id);
		};
		expect(await sent(began + LEASE_MS)).toBe(false);
		const later = began + LEASE_MS + GRACE_MS + 10_000;
		expect(await sent(later)).toBe(true);
		const done = await atInstant(later, () => finishRun(shop, run));
		expect(done).toMatchObject({ state: 'done', counts: { paid: 120 } });
		await expectPaidOnce(shop);
	});

	test('that loses the answer to its slice does not pay it again', async () => {
		const shop = await aShop(owner);
		await fillShop(shop, { partners: 120, commissions: 120 });
		const run = await startRun(shop);
		await deliverSlice(shop, run, { DB: faultyDb(env.DB, (trip) => (trip === 2 ? 'loses its answer' : undefined)) });
		expect(await readRun(shop, run.id)).toMatchObject({ state: 'running', counts: { paid: 100 } });
		expect(await finishRun(shop, run)).toMatchObject({ state: 'done', counts: { paid: 120 } });
		await expectPaidOnce(shop);
	});

	test('that has lost its lease cannot write', async () => {
		const shop = await aShop(owner);
		await fillShop(shop, { partners: 120, commissions: 120 });
		const run = await startRun(shop);
		const slow = faultyDb(env.DB, async (trip) => {
			if (trip === 2) await atInstant(Date.now() + LEASE_MS + 1, () => finishRun(shop, run));
			return undefined;
		});
		await deliverSlice(shop, run, { DB: slow });
		expect(await readRun(shop, run.id)).toMatchObject({ state: 'done', counts: { paid: 120 } });
		expect(await rows('SELECT count(*) AS n FROM payouts WHERE program_id = ?', shop.id)).toEqual([{ n: 120 }]);
		await expectPaidOnce(shop);
	});

	test('whose slice keeps failing ends the run, and the next run pays', async () => {
		const shop = await aShop(owner);
		await fillShop(shop, { partners: 3, commissions: 3 });
		const run = await startRun(shop);
		let now = Date.now();
		for (let failure = 1; failure <= FAILURE_LIMIT; failure += 1) {
			expect(await readRun(shop, run.id)).toMatchObject({ state: 'running' });
			await atInstant(now, () => deliverSlice(shop, run, { DB: refusing(env.DB, 'INSERT INTO payouts') }));
			now += 2 ** failure * 60_000;
		}
		expect(await readRun(shop, run.id)).toMatchObject({ state: 'failed', failure_reason: 'Failed 8 times in a row' });
		expect(await finishRun(shop, await startRun(shop))).toMatchObject({ state: 'done', counts: { paid: 3 } });
		await expectPaidOnce(shop);
	});
});
