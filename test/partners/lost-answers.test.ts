import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { managedBy } from '../support/managed.ts';
import { type Context, openContext } from '../../src/context.ts';
import { approveCommissions } from '../../src/commissions/approve-commissions.ts';
import { payCommissions } from '../../src/payouts/pay-commissions.ts';
import { receiveApplication } from '../../src/applications/receive-application.ts';
import { rejectCommissions } from '../../src/commissions/reject-commissions.ts';
import { faultyDb } from '../../testing/d1/failing.ts';
import { anOpenShop } from '../support/applications.ts';
import { rows } from '../support/funnel.ts';
import { aPartner, aShop, anEarnedCommission, balancesOf, ledgerOf, type Shop } from '../support/ledger.ts';
import { type Owner, signUp, unique } from '../support/world.ts';

// D1 commits, but the response is lost. The retried batch must recognize its own work.

let owner: Owner;

beforeAll(async () => {
	owner = await signUp();
});

/** The first write commits but loses its response. */
function contextThatLosesAnAnswer(): Context & { lost: () => boolean } {
	let isLost = false;
	const DB = faultyDb(env.DB, (trip) => {
		isLost = true;
		return trip === 1 ? 'loses its answer' : undefined;
	});
	return { ...openContext({ ...env, DB }, { waitUntil: () => {} }), lost: () => isLost };
}

async function aCommission(holdDays: number) {
	const shop: Shop = await aShop(owner, holdDays);
	const partner = await aPartner(shop);
	const ctx = contextThatLosesAnAnswer();
	const { commissionId } = await anEarnedCommission(shop, partner, { amountCents: 900 });
	return { shop, partner, ctx, commissionId, program: await managedBy(owner, shop) };
}

test.each([undefined, 900])('a payout is made once and returned (minimum %s)', async (minimumCents) => {
	const { shop, partner, ctx, commissionId, program } = await aCommission(0);
	const paid = await payCommissions(ctx, program, minimumCents === undefined ? { commissionIds: [commissionId] } : { minimumCents });
	expect(ctx.lost()).toBe(true);
	expect(paid).toMatchObject([{ amountCents: 900, commissionIds: [commissionId] }]);
	expect(await balancesOf(shop, partner)).toEqual({ USD: 0 });
	expect(await ledgerOf(partner)).toEqual(['credit 900 900 900', 'payout -900 -900 0']);
});

test('an approval is returned', async () => {
	const { ctx, commissionId, program } = await aCommission(30);
	expect(await approveCommissions(ctx, program, [commissionId])).toEqual([{ id: commissionId, status: 'approved' }]);
	expect(ctx.lost()).toBe(true);
});

test('a rejection deducts the credit once and is returned', async () => {
	const { partner, ctx, commissionId, program } = await aCommission(30);
	expect(await rejectCommissions(ctx, program, [commissionId], undefined)).toEqual([{ id: commissionId, status: 'rejected' }]);
	expect(ctx.lost()).toBe(true);
	expect(await ledgerOf(partner)).toEqual(['credit 900 900 900', 'rejection -900 -900 0']);
});

test('an application is stored and audited once', async () => {
	const ctx = contextThatLosesAnAnswer();
	const shop = await anOpenShop(owner);
	const email = `${unique('ines')}@blog.example`;
	await receiveApplication(ctx, shop.slug, { name: 'Ines', email, termsVersion: undefined, applicant: undefined });
	expect(ctx.lost()).toBe(true);
	const [application, ...more] = await rows<{ id: number }>('SELECT id FROM partner_applications WHERE email = ?', email);
	expect(more).toEqual([]);
	const noted = await rows("SELECT id FROM audit_entries WHERE action = 'application.receive' AND subject_id = ?", application?.id);
	expect(noted).toHaveLength(1);
});
