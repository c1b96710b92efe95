import { describe, expect, test } from 'vitest';
import { connected, customEvent, type CustomFunnel, sendCustom } from '../support/custom-webhook.ts';
import { applyWaiting } from '../support/effects.ts';
import { balanceOf, rows, sharedOwner } from '../support/funnel.ts';
import { anEarnedCommission, aRefund, aShop, type Earned, ledgerOf, type Shop, standingsOf } from '../support/ledger.ts';
import { aReversalFact, reportReversal, undone } from '../support/payments.ts';
import { aSignedInPartner, type SignedInPartner } from '../support/portal.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api } from '../support/world.ts';

// A reinstatement never pays more than was earned (decision 51). Tested over HTTP with a signed webhook; the partner earns the whole sale.

interface World {
	readonly shop: Shop;
	readonly partner: SignedInPartner;
	readonly funnel: CustomFunnel;
}

async function aWorld(): Promise<World> {
	const shop = await aShop(await sharedOwner());
	const partner = await aSignedInPartner(shop);
	return { shop, partner, funnel: await webhookOf(shop, partner) };
}

function webhookOf(shop: Shop, partner: SignedInPartner): Promise<CustomFunnel> {
	const shortLink = partner.links[0]?.short_link ?? '';
	return connected({ ...shop, partnerId: partner.id, partnerProgramId: partner.partner_program_id, shortLink });
}

async function payOut({ shop }: World, commissionId?: number): Promise<number> {
	const body = commissionId === undefined ? {} : { commission_ids: [commissionId] };
	const made = await api<{ amount_cents: number }[]>(`${shop.path}/payouts`, { token: shop.owner.token, body });
	expect(made.status, made.text).toBe(201);
	return made.body.data.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

function disputed({ transactionId }: Earned, status: 'open' | 'won', amount_cents = 2_000) {
	return customEvent('dispute', {
		dispute_id: `d-${transactionId}`,
		payment_id: transactionId,
		amount_cents,
		currency: 'USD',
		status,
	});
}

function refunded({ transactionId }: Earned, status: 'succeeded' | 'failed', amount_cents = 2_000) {
	return customEvent('refund', {
		refund_id: `r-${transactionId}`,
		payment_id: transactionId,
		amount_cents,
		currency: 'USD',
		status,
	});
}

/** X is paid and then reversed. Y covers the debt, so refunding Y deducts nothing. */
async function aForgivenDebt(world: World, undo: typeof disputed | typeof refunded) {
	const { shop, partner, funnel } = world;
	const x = await anEarnedCommission(shop, partner, { amountCents: 2_000 });
	expect(await payOut(world, x.commissionId)).toBe(2_000);
	await sendCustom(funnel, undo === disputed ? disputed(x, 'open') : refunded(x, 'succeeded'));
	const y = await anEarnedCommission(shop, partner, { amountCents: 2_000 });
	await aRefund(shop, y);
	return { x, y };
}

describe('a reinstatement withholds what a clamp forgave', () => {
	test('when the dispute of the paid sale is won: the partner keeps what one sale earned', async () => {
		const world = await aWorld();
		const { shop, partner, funnel } = world;
		const { x } = await aForgivenDebt(world, disputed);
		await sendCustom(funnel, disputed(x, 'won'));
		expect(await ledgerOf(partner)).toEqual([
			'credit 2000 2000 2000',
			'payout -2000 -2000 0',
			'reversal -2000 -2000 -2000',
			'credit 2000 2000 0',
			'reversal -2000 0 0',
			'reinstatement 2000 0 0',
		]);
		expect(await standingsOf(shop, partner)).toMatchObject({ USD: { available: 0, pending: 0, debt: 0 } });
		await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
	});

	test('when the refund of the paid sale fails', async () => {
		const world = await aWorld();
		const { x } = await aForgivenDebt(world, refunded);
		await sendCustom(world.funnel, refunded(x, 'failed'));
		expect((await ledgerOf(world.partner)).at(-1)).toBe('reinstatement 2000 0 0');
	});

	test('only once: later reinstatements are paid in full', async () => {
		const world = await aWorld();
		const { shop, partner, funnel } = world;
		const { x } = await aForgivenDebt(world, disputed);
		const z = await anEarnedCommission(shop, partner, { amountCents: 1_500 });
		await sendCustom(funnel, disputed(z, 'open', 1_500), disputed(x, 'won'), disputed(z, 'won', 1_500));
		expect((await ledgerOf(partner)).slice(-4)).toEqual([
			'credit 1500 1500 1500',
			'reversal -1500 -1500 0',
			'reinstatement 2000 0 0',
			'reinstatement 1500 1500 1500',
		]);
		expect(await payOut(world)).toBe(1_500);
		await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
	});

	test('in part, if the debt was smaller than the refund', async () => {
		const world = await aWorld();
		const { shop, partner, funnel } = world;
		const x = await anEarnedCommission(shop, partner, { amountCents: 2_000 });
		await payOut(world, x.commissionId);
		await sendCustom(funnel, disputed(x, 'open', 500));
		const y = await anEarnedCommission(shop, partner, { amountCents: 2_000 });
		await aRefund(shop, y);
		await sendCustom(funnel, disputed(x, 'won', 500));
		expect((await ledgerOf(partner)).slice(-2)).toEqual(['reversal -2000 -1500 0', 'reinstatement 500 0 0']);
	});

	test('only on that account: another currency and another partner are reinstated in full', async () => {
		const world = await aWorld();
		const { shop, partner } = world;
		await aForgivenDebt(world, disputed);
		const other = await aSignedInPartner(shop);
		for (const [whose, currency] of [
			[partner, 'EUR'],
			[other, 'USD'],
		] as const) {
			const sale = await anEarnedCommission(shop, whose, { amountCents: 900, currency });
			const dispute = aReversalFact([sale.transactionId], 900, { kind: 'dispute' }, { currency });
			await reportReversal(shop, dispute);
			await reportReversal(shop, undone(dispute));
			expect(await balanceOf({ partnerProgramId: whose.partner_program_id }, currency)).toBe(900);
		}
	});

	test('when two disputes are won at once, no more than was forgiven', async () => {
		const world = await aWorld();
		const { shop, partner } = world;
		const sales = [];
		for (const amountCents of [1_000, 1_000]) {
			const sale = await anEarnedCommission(shop, partner, { amountCents });
			await payOut(world, sale.commissionId);
			sales.push(sale);
		}
		const disputes = sales.map(({ transactionId }) => aReversalFact([transactionId], 1_000, { kind: 'dispute' }));
		for (const dispute of disputes) await reportReversal(shop, dispute);
		const y = await anEarnedCommission(shop, partner, { amountCents: 1_500 });
		await aRefund(shop, y);
		await Promise.all(disputes.map((dispute) => reportReversal(shop, undone(dispute))));
		// 1,500 of the debt of 2,000 were forgiven, so the two disputes reinstate 500 in total.
		expect(await balanceOf({ partnerProgramId: partner.partner_program_id })).toBe(0);
		await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
	});
});

test('the partner and the program see how much was withheld, and why', async () => {
	const world = await aWorld();
	const { shop, partner, funnel } = world;
	const { x } = await aForgivenDebt(world, disputed);
	await sendCustom(funnel, disputed(x, 'won'));
	const back = { outcome: 'reinstated', amount_cents: -2_000, deduction_cents: -2_000, withheld_cents: 2_000 };

	const own = await api<{ refunds: object[] }>(`${partner.own}/commissions/${x.commissionId}`, { token: partner.token });
	expect(own.body.data.refunds).toMatchObject([{ outcome: 'reversed', withheld_cents: 0 }, back]);
	const { token } = shop.owner;
	const theirs = await api<{ refunds: object[] }>(`${shop.path}/commissions/${x.commissionId}`, { token });
	expect(theirs.body.data.refunds).toMatchObject([{ outcome: 'reversed', withheld_cents: 0 }, back]);

	const explained = await api<{ steps: { text: string }[] }>(`${shop.path}/commissions/${x.commissionId}/explanation`, { token });
	const texts = explained.body.data.steps.map(({ text }) => text);
	expect(texts).toContain(
		'20.00 USD counts again, as reported by the payment processor because a refund failed or a dispute was won: 20.00 USD reinstated, of which 20.00 USD was withheld',
	);
	expect(texts.find((text) => text.includes('by reinstatement'))).toContain(
		'. 20.00 USD was due, but the rest was withheld for an earlier refund that the balance could not cover',
	);

	await applyWaiting(shop);
	const reported = await rows<{ kind: string; detail: string }>(
		"SELECT kind, detail FROM notifications WHERE partner_id = ? AND kind IN ('commission_reversed', 'commission_reinstated') ORDER BY kind",
		partner.id,
	);
	expect(reported.map(({ kind, detail }) => [kind, JSON.parse(detail).withheld_cents])).toEqual([
		['commission_reinstated', 2_000],
		['commission_reversed', undefined],
		['commission_reversed', undefined],
	]);
	const { body } = await api<{ kind: string; message: string }[]>('/api/v1/notifications?unread=true', { token: partner.token });
	expect(body.data.find(({ kind }) => kind === 'commission_reinstated')?.message).toContain(
		'was reinstated by 20.00 USD. Of that, 20.00 USD was withheld because your balance could not cover an earlier refund.',
	);
});
