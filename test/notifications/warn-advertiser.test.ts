import { expect, test } from 'vitest';
import { atInstant } from '../support/at-instant.ts';
import { deliver } from '../support/deliver.ts';
import { rows, sharedOwner } from '../support/funnel.ts';
import { aPartner, anEarnedCommission, aRefund, aShop, type Earned, type Shop } from '../support/ledger.ts';
import { api, signUp } from '../support/world.ts';

// The simulation found this: the order was taken from the clocks of the two requests.

async function payOut(shop: Shop, { commissionId }: Earned): Promise<void> {
	const { status, text } = await api(`${shop.path}/payouts`, { token: shop.owner.token, body: { commission_ids: [commissionId] } });
	expect(status, text).toBe(201);
}

async function warningsOf({ commissionId, saleId }: Earned): Promise<number> {
	// The queue may have applied the refund and deleted its row already.
	const waiting = await rows<{ program_id: number; id: string }>(
		"SELECT o.program_id, o.id FROM outbox o JOIN refund_events r ON r.id = o.subject_id AND r.sale_id = ? WHERE o.kind = 'sale_refunded'",
		saleId,
	);
	const named = waiting.map(({ program_id, id }) => [program_id, id]);
	if (named.length > 0) await deliver('affiliate-effects', [{ body: { version: 2, kind: 'effects', rows: named } }]);
	const warnings = await rows(
		"SELECT id FROM notifications WHERE kind = 'manual_review' AND json_extract(detail, '$.commission_id') = ?",
		commissionId,
	);
	return warnings.length;
}

test('a refund of a paid commission warns the advertiser', async () => {
	// Uses a new owner, because the shared workspace has more admins, each of whom would be warned.
	const shop = await aShop(await signUp());
	const earned = await anEarnedCommission(shop, await aPartner(shop), { amountCents: 1_000 });
	await payOut(shop, earned);
	await aRefund(shop, earned, 400);
	expect(await warningsOf(earned)).toBe(1);
});

test('a refund does not warn if the rest of the commission is paid later, even in the same millisecond', async () => {
	const shop = await aShop(await sharedOwner());
	const earned = await anEarnedCommission(shop, await aPartner(shop), { amountCents: 1_000 });
	await atInstant(Date.now(), async () => {
		await aRefund(shop, earned, 400);
		await payOut(shop, earned);
	});
	expect(await warningsOf(earned)).toBe(0);
});
