import fc from 'fast-check';
import { beforeAll, expect, inject, test } from 'vitest';
import type { SaleReceipt } from '../../../src/sdk/index.ts';
import { tick } from '../../support/deliver.ts';
import { callAll, callersOf, type End, expectHonest, Tally } from '../../support/faulty-calls.ts';
import { aTracker } from '../../support/faulty-network.ts';
import { aClick, aFunnel, aLead, aSale, balanceOf, type Funnel, rows } from '../../support/funnel.ts';
import { expectSoundLedger } from '../../support/sound-ledger.ts';
import { unique } from '../../support/world.ts';

// Whatever happens to a call's attempts, its result is true: nothing is recorded twice or lost, and a failure is reported.

const RUNS = { numRuns: inject('thorough') ? 50 : 30 };

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

test('no sale is recorded twice or lost, and each has its commission', async () => {
	const tally = new Tally();
	const attributed = await aLead(funnel);
	const unattributed = unique('direct');
	await aTracker(funnel).lead({ customer_key: unattributed });
	await fc.assert(
		fc.asyncProperty(callersOf(4), async (callers) => {
			// A known customer twice, an unknown visitor, and a customer without a partner.
			const known = { customer_key: attributed };
			const buyers = [known, known, { click_id: await aClick(funnel) }, { customer_key: unattributed }];
			const txn = unique('txn');
			const ends = await callAll(funnel, callers, (tracker, id) =>
				tracker.sale({ transaction_id: `${txn}-${id}`, amount_cents: 10_000, ...buyers[id] }),
			);
			await tick();
			for (const [id, of] of ends) {
				const sales = await salesWith(`${txn}-${id}`);
				expectHonest(of, sales.length, tally);
				expect(sales.map(({ commissions }) => commissions)).toEqual(sales.map(() => 1));
				expect(of.filter(isNew).length).toBeLessThanOrEqual(1);
				if (of.some(isOwnDuplicate)) tally.note('a duplicate of its own');
			}
			const all = await rows('SELECT id FROM affiliate_sale_events WHERE program_id = ?', funnel.id);
			expect(await balanceOf(funnel)).toBe(all.length * 2_000);
		}),
		RUNS,
	);
	await expectSoundLedger(funnel);
	const open = ['failed, open: recorded', 'failed, open: not recorded'];
	tally.expectAll('told: recorded', 'told: not recorded', 'failed: not recorded', ...open, 'a duplicate of its own');
});

test('no lead is recorded twice or lost', async () => {
	const tally = new Tally();
	await fc.assert(
		fc.asyncProperty(callersOf(3), async (callers) => {
			const customer_key = unique('customer');
			const leads = [
				{ customer_key: `${customer_key}-0`, click_id: await aClick(funnel) },
				{ customer_key: `${customer_key}-1` },
				{ click_id: await aClick(funnel) },
			] as const;
			const ends = await callAll(funnel, callers, (tracker, id) => tracker.lead(leads[id] ?? { customer_key }));
			for (const [id, of] of ends) {
				const customers = await leadsWith(leads[id] ?? {});
				expectHonest(of, customers.length, tally);
				expect(customers).toEqual(customers.map(() => ({ status: 'lead', is_attributed: id === 1 ? 0 : 1, leads: 1 })));
			}
		}),
		RUNS,
	);
	tally.expectAll('told: recorded', 'failed: not recorded', 'failed, open: recorded', 'failed, open: not recorded');
});

test('no refund is deducted twice or lost', async () => {
	const tally = new Tally();
	await fc.assert(
		fc.asyncProperty(callersOf(4), async (callers) => {
			// Three partial refunds of one sale, each with an id, and a refund of another sale without one.
			const [parted, single] = [await aSale(funnel), await aSale(funnel)];
			const part = { transaction_id: parted.transactionId, refund_amount_cents: 1_999 };
			const ends = await callAll(funnel, callers, async (tracker, id) => {
				const receipt = await tracker.refund(id === 3 ? { transaction_id: single.transactionId } : { ...part, refund_id: `part-${id}` });
				expect(['refunded', 'reversed', 'skipped']).toContain(receipt.status);
				return { recorded: true };
			});
			for (const [id, of] of ends) {
				const refundId = id === 3 ? null : `part-${id}`;
				const saleId = id === 3 ? single.saleId : parted.saleId;
				expectHonest(of, (await rows('SELECT id FROM refund_events WHERE sale_id = ? AND refund_id IS ?', saleId, refundId)).length, tally);
			}
		}),
		RUNS,
	);
	await expectSoundLedger(funnel);
	tally.expectAll('told: recorded', 'failed: not recorded', 'failed, open: recorded', 'failed, open: not recorded');
});

function salesWith(transactionId: string) {
	return rows<{ commissions: number }>(
		`SELECT (SELECT count(*) FROM commissions c WHERE c.sale_id = s.id AND c.amount_cents = 2000) AS commissions
		FROM affiliate_sale_events s WHERE processor_event_id = ?`,
		transactionId,
	);
}

/** The customers of the lead, with their lead events. */
function leadsWith({ customer_key, click_id }: { readonly customer_key?: string; readonly click_id?: string }) {
	return rows(
		`SELECT status, partner_program_id IS NOT NULL AS is_attributed,
			(SELECT count(*) FROM affiliate_lead_events l WHERE l.customer_id = c.id) AS leads
		FROM customers c WHERE program_id = ? AND ${customer_key === undefined ? 'click_id' : 'customer_key'} = ?`,
		funnel.id,
		customer_key ?? click_id ?? null,
	);
}

function isNew(end: End<SaleReceipt>): boolean {
	return 'receipt' in end && end.receipt.recorded && !end.receipt.duplicate;
}

function isOwnDuplicate(end: End<SaleReceipt>): boolean {
	return 'receipt' in end && end.receipt.duplicate && end.receipt.retried;
}
