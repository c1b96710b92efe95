import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import query from '../../docs/queries/overpaid-accounts.sql?raw';
import { rows, sharedOwner } from '../support/funnel.ts';
import { aPartner, anEarnedCommission, aRefund, aShop, type Earned, type Shop, type TestPartner } from '../support/ledger.ts';
import { aReversalFact, reportReversal, undone } from '../support/payments.ts';
import { api } from '../support/world.ts';

// The query that lists accounts that a reinstatement before decision 51 overpaid.

async function aForgivenDebt(shop: Shop, partner: TestPartner): Promise<{ paid: Earned; dispute: ReturnType<typeof aReversalFact> }> {
	const paid = await anEarnedCommission(shop, partner, { amountCents: 2_000 });
	await api(`${shop.path}/payouts`, { token: shop.owner.token, body: { commission_ids: [paid.commissionId] } });
	const dispute = aReversalFact([paid.transactionId], 2_000, { kind: 'dispute' });
	await reportReversal(shop, dispute);
	await aRefund(shop, await anEarnedCommission(shop, partner, { amountCents: 2_000 }));
	return { paid, dispute };
}

/** Reinstates everything deducted from the commission, as earlier versions did. */
async function reinstateAsBefore({ commissionId }: Earned): Promise<void> {
	await env.DB.batch([
		env.DB.prepare(
			"UPDATE commissions SET status = 'paid', status_before_refund = NULL, deducted_cents = 0, revision = revision + 1 WHERE id = ?",
		).bind(commissionId),
		env.DB.prepare(
			`INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
			SELECT c.partner_program_id, c.currency, 'reinstatement', c.id, 2000, 2000, b.balance_cents + 2000, 'as-before', 0
			FROM commissions c JOIN partner_program_balances b ON b.partner_program_id = c.partner_program_id AND b.currency = c.currency
			WHERE c.id = ?`,
		).bind(commissionId),
	]);
}

test('lists what was overpaid, and nothing that was withheld or recovered since', async () => {
	const shop = await aShop(await sharedOwner());
	const [overpaid, right] = [await aPartner(shop), await aPartner(shop)];
	const reported = () => rows(`SELECT * FROM (${query}) WHERE program_id = ?`, shop.id);

	const fair = await aForgivenDebt(shop, right);
	await reportReversal(shop, undone(fair.dispute));
	expect(await reported()).toEqual([]);

	const { paid } = await aForgivenDebt(shop, overpaid);
	await reinstateAsBefore(paid);
	expect(await reported()).toEqual([
		{
			program_id: shop.id,
			partner_id: overpaid.id,
			partner: overpaid.name,
			currency: 'USD',
			at_most_cents: 2_000,
			commission_ids: String(paid.commissionId),
		},
	]);

	// A later reinstatement in the account recovers a part.
	const next = await anEarnedCommission(shop, overpaid, { amountCents: 500 });
	const dispute = aReversalFact([next.transactionId], 500, { kind: 'dispute' });
	await reportReversal(shop, dispute);
	await reportReversal(shop, undone(dispute));
	expect(await reported()).toMatchObject([{ at_most_cents: 1_500 }]);
});
