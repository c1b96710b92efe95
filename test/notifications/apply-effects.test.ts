import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { applyEffects } from '../../src/notifications/apply-effects.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { reverseSale } from '../../src/refunds/reverse-sale.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { tick } from '../support/deliver.ts';
import { aHeldRefund, aHeldSale, applyHeld, countedOf, keysOf, reportedOf } from '../support/effects.ts';
import { aFunnel, aPartner, aSale, type Funnel, rows } from '../support/funnel.ts';
import { aReversalFact, reportReversal, undone } from '../support/payments.ts';
import { aMember, api, aProgram, signUp } from '../support/world.ts';

// The effects of a committed change, metrics and in-app notifications, are each applied once (contract, section 3, side effects 2 and 3).

let funnel: Funnel;
beforeEach(async () => {
	funnel = await aFunnel();
});

async function notifiedPartner({ partnerId }: { readonly partnerId: number }) {
	const found = await rows<{ kind: string; detail: string }>(
		'SELECT kind, detail FROM notifications WHERE partner_id = ? ORDER BY id',
		partnerId,
	);
	return found.map(({ kind, detail }): Record<string, unknown> => ({ kind, ...JSON.parse(detail) }));
}

function pay(place: Funnel, commissionId: unknown) {
	return api(`/api/v1/programs/${place.id}/payouts`, { token: place.owner.token, body: { commission_ids: [commissionId] } });
}

function context(DB: D1Database = env.DB, now?: number) {
	return openContext({ ...env, DB, EFFECTS: holdingQueue() }, { waitUntil: () => undefined }, now);
}

async function warnedOf({ id }: { readonly id: number }) {
	const found = await rows<{ user_id: number; detail: string }>(
		"SELECT user_id, detail FROM notifications WHERE program_id = ? AND kind = 'manual_review' ORDER BY id",
		id,
	);
	return found.map(({ user_id, detail }): Record<string, unknown> => ({ user_id, ...JSON.parse(detail) }));
}

/** A new workspace with an owner, an admin, a member and a former admin. */
async function aStaffedFunnel() {
	const owner = await signUp();
	const program = await aProgram(owner, { commission: { type: 'percent', percent: 20 } });
	const place: Funnel = { ...program, owner, ...(await aPartner(owner, program.id)) };
	const [admin, , former] = [await aMember(owner, 'admin'), await aMember(owner, 'member'), await aMember(owner, 'admin')];
	await env.DB.prepare('UPDATE members SET deactivated_at = 1 WHERE user_id = ? AND workspace_id = ?')
		.bind(former.userId, owner.workspaceId)
		.run();
	return { place, readers: [owner.userId, admin.userId] };
}

describe('metrics', () => {
	test('add up sales, commissions, refunds and deductions per currency, and reports include them', async () => {
		const sale = await aHeldSale(funnel);
		const euros = await aHeldSale(funnel, { currency: 'EUR', amount_cents: 999 });
		const refund = await aHeldRefund(funnel, sale.transactionId, { refund_amount_cents: 2_500 });
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], ['EUR 1 999 0 200 0', 'USD 1 10000 2500 2000 500']]);
		await applyHeld(sale, euros, refund);
		expect(await countedOf(funnel)).toEqual(await reportedOf(funnel));
		const cent = await aHeldSale(funnel, { amount_cents: 1 });
		const all = ['EUR 1 999 0 200 0', 'USD 2 10001 2500 2000 500'];
		expect(await reportedOf(funnel)).toEqual(all);
		await applyHeld(cent);
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([all, all]);
	});

	test('count a sale without commission, and its refund', async () => {
		const place = await aFunnel({ commission: undefined });
		const sale = await aHeldSale(place);
		const refund = await aHeldRefund(place, sale.transactionId);
		const all = ['USD 1 10000 10000 0 0'];
		expect([await countedOf(place), await reportedOf(place)]).toEqual([[], all]);
		await applyHeld(sale, refund);
		expect([await countedOf(place), await reportedOf(place)]).toEqual([['USD 0 0 10000 0 0'], all]);
		await tick();
		expect([await countedOf(place), await reportedOf(place)]).toEqual([all, all]);
		expect(await notifiedPartner(place)).toEqual([]);
	});

	test('are the same in every order of messages', async () => {
		const sale = await aHeldSale(funnel);
		const refund = await aHeldRefund(funnel, sale.transactionId);
		const all = ['USD 1 10000 10000 2000 2000'];
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], all]);
		await applyHeld(refund);
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([['USD 0 0 10000 0 2000'], all]);
		await applyHeld(sale);
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([all, all]);
	});
});

describe('the partner gets a notification', () => {
	test('about a commission, its partial refund and its full refund', async () => {
		const sale = await aHeldSale(funnel);
		const part = await aHeldRefund(funnel, sale.transactionId, { refund_amount_cents: 2_500, refund_reason: 'Scratched', refund_id: 'r1' });
		const rest = await aHeldRefund(funnel, sale.transactionId, { refund_id: 'r2' });
		await applyHeld(sale);
		await applyHeld(part);
		await applyHeld(rest);
		const ids = { commission_id: sale.body['commission_id'], sale_id: sale.body['sale_id'], currency: 'USD' };
		expect(await notifiedPartner(funnel)).toEqual([
			{ kind: 'commission_created', ...ids, amount_cents: 2_000, status: expect.any(String) },
			{ kind: 'commission_reversed', ...ids, deduction_cents: 500, status: 'refunded', reason: 'Scratched' },
			{ kind: 'commission_reversed', ...ids, deduction_cents: 1_500, status: 'reversed', reason: null },
		]);
	});

	test("about a processor's refund and about its failure, and the metrics follow", async () => {
		const { transactionId } = await aHeldSale(funnel);
		const fact = aReversalFact([transactionId], 2_500, {}, { reason: 'requested by customer' });
		await reportReversal(funnel, fact);
		await reportReversal(funnel, undone(fact));
		const keys = await keysOf(funnel);
		const all = ['USD 1 10000 0 2000 0'];
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], all]);
		await Promise.all([applyEffects(context(), keys), applyEffects(context(), keys.toReversed())]);
		expect((await notifiedPartner(funnel)).filter(({ kind }) => kind !== 'commission_created')).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ kind: 'commission_reversed', deduction_cents: 500, reason: 'requested by customer' }),
				expect.objectContaining({
					kind: 'commission_reinstated',
					deduction_cents: 500,
					reason: 'The refund failed at the payment processor',
				}),
			]),
		);
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([all, all]);
	});

	test('but no other partner of the program does', async () => {
		const other = await aPartner(funnel.owner, funnel.id);
		await applyHeld(await aHeldSale(funnel));
		expect(await notifiedPartner(other)).toEqual([]);
	});

	test('about a rejection and about a payout', async () => {
		const [one, two] = [await aHeldSale(funnel), await aHeldSale(funnel)];
		await api(`/api/v1/programs/${funnel.id}/commissions/reject`, {
			token: funnel.owner.token,
			body: { commission_ids: [one.body['commission_id']], reason: 'Own purchase' },
		});
		await pay(funnel, two.body['commission_id']);
		await expect.poll(() => notifiedPartner(funnel), { timeout: 300_000 }).toHaveLength(2);
		expect(await notifiedPartner(funnel)).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ kind: 'commission_rejected', reason: 'Own purchase', amount_cents: 2_000 }),
				expect.objectContaining({ kind: 'payout_made', amount_cents: 2_000, recovered_cents: 0 }),
			]),
		);
	});
});

test('once per currency if several commissions are rejected together', async () => {
	const place = await aFunnel();
	const other = { ...place, ...(await aPartner(place.owner, place.id)) };
	const ids: (number | null)[] = [];
	for (const sale of [{}, {}, { currency: 'EUR' }]) ids.push((await aSale(place, sale)).commissionId);
	ids.push((await aSale(other)).commissionId);
	const body = { commission_ids: ids, reason: 'Own purchases' };
	expect((await api(`/api/v1/programs/${place.id}/commissions/reject`, { token: place.owner.token, body })).status).toBe(200);
	await expect.poll(async () => rejectionsTo(place), { timeout: 300_000 }).toHaveLength(2);
	expect(await rejectionsTo(place)).toEqual([
		{ commission_id: ids[2], sale_id: expect.any(Number), amount_cents: 2_000, currency: 'EUR', reason: 'Own purchases' },
		{ commissions: 2, amount_cents: 4_000, currency: 'USD' },
	]);
	expect(await rejectionsTo(other)).toMatchObject([{ commission_id: ids[3] }]);
});

async function rejectionsTo({ partnerId }: Funnel): Promise<unknown[]> {
	const received = await rows<{ detail: string }>(
		"SELECT detail FROM notifications WHERE partner_id = ? AND kind = 'commission_rejected' ORDER BY detail ->> 'currency'",
		partnerId,
	);
	return received.map(({ detail }) => JSON.parse(detail));
}

describe('the manual-review warning', () => {
	test('is sent for a dispute over a paid commission, but not when it is won', async () => {
		const { place, readers } = await aStaffedFunnel();
		const sale = await aHeldSale(place);
		await pay(place, sale.body['commission_id']);
		const dispute = aReversalFact([sale.transactionId], 10_000, { kind: 'dispute' });
		await reportReversal(place, dispute);
		await reportReversal(place, undone(dispute));
		await applyEffects(context(), await keysOf(place));
		expect(await warnedOf(place)).toEqual(readers.map((user_id) => expect.objectContaining({ user_id, reason: 'Disputed' })));
	});

	test('is sent once to each active owner and admin if the commission was paid before the refund', async () => {
		const { place, readers } = await aStaffedFunnel();
		const sale = await aHeldSale(place);
		expect((await pay(place, sale.body['commission_id'])).status).toBe(201);
		const refund = await aHeldRefund(place, sale.transactionId, { refund_reason: 'Chargeback' });
		await applyHeld(sale, refund);
		await applyHeld(refund);
		const warned = await warnedOf(place);
		expect(warned.map(({ user_id }) => user_id)).toEqual(readers);
		expect(warned[0]).toMatchObject({ deduction_cents: 2_000, currency: 'USD', reason: 'Chargeback', payout_id: expect.any(Number) });
	});

	test('is not sent for an unpaid commission or one paid after the refund', async () => {
		const { place } = await aStaffedFunnel();
		const unpaid = await aHeldSale(place);
		const late = await aHeldSale(place);
		const refunds = [
			await aHeldRefund(place, unpaid.transactionId),
			await aHeldRefund(place, late.transactionId, { refund_amount_cents: 5_000 }),
		];
		expect((await pay(place, late.body['commission_id'])).status).toBe(201);
		await applyHeld(unpaid, late, ...refunds);
		expect(await warnedOf(place)).toEqual([]);
	});

	test('follows the order of commits, not the clocks of the requests', async () => {
		const { place, readers } = await aStaffedFunnel();
		const keyHash = await sha256Hex(place.apiToken);
		const request = { amountCents: 5_000, reason: undefined, refundId: 'r1' };

		const paidFirst = await aHeldSale(place);
		await pay(place, paidFirst.body['commission_id']);
		// This refund was received before the payout but committed after it.
		await reverseSale(context(env.DB, Date.now() - 5_000), keyHash, { ...request, transactionId: paidFirst.transactionId });
		const refundedFirst = await aHeldSale(place);
		await reverseSale(context(env.DB, Date.now() + 5_000), keyHash, { ...request, transactionId: refundedFirst.transactionId });
		await pay(place, refundedFirst.body['commission_id']);

		await applyEffects(context(), await keysOf(place, 'sale_refunded'));
		const warned = await warnedOf(place);
		expect(warned.map(({ user_id, sale_id }) => [user_id, sale_id])).toEqual(readers.map((id) => [id, paidFirst.body['sale_id']]));
	});
});
