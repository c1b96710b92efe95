import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { atInstant } from '../support/at-instant.ts';
import { linkIdOf, mintClickId } from '../support/clock.ts';
import { aClick, aFunnel, aLead, aPartner, aSale, balanceOf, type Funnel, rows, sharedOwner, track } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

const EARNED = 'Sale recorded and commission created.';
const EXPIRED = 'Sale recorded. No commission was created: the attribution window has expired.';
const PAST_LIMIT = "Sale recorded. No commission was created: the commission rule's limit on recurring payments is reached.";
const NO_RULE = 'Sale recorded. No commission was created: no commission rule applies to this sale.';

/** Noon UTC. */
function at(year: number, month: number, day: number): number {
	return Date.UTC(year, month - 1, day, 12);
}

function sell(funnel: Funnel, sale: Record<string, unknown>) {
	return track('sale', { transaction_id: unique('txn'), amount_cents: 10_000, ...sale }, funnel.apiToken);
}

/** The effects message about the sale's commission. */
async function messageOf(funnel: Funnel, sale: Record<string, unknown>): Promise<unknown> {
	const { status, body } = await sell(funnel, sale);
	expect([status, body['success']]).toEqual([200, true]);
	expect(body['commission_id'] === null).toBe(body['message'] !== EARNED);
	return body['message'];
}

async function addRule(funnel: Funnel, rule: Record<string, unknown>): Promise<void> {
	const { status, text } = await api(`/api/v1/programs/${funnel.id}/commission-rules`, { token: funnel.owner.token, body: rule });
	expect(status, text).toBe(201);
}

test('a sale to a lead earns the partner a commission', async () => {
	const funnel = await aFunnel();
	const { status, body } = await sell(funnel, { amount_cents: 9_999, customer_key: await aLead(funnel) });
	expect(body).toEqual({ success: true, sale_id: expect.any(Number), commission_id: expect.any(Number), message: EARNED });
	expect(status).toBe(200);
	expect(await balanceOf(funnel)).toBe(2_000);
});

describe('the attribution window', () => {
	const now = Date.now();

	test.each([
		[1, 1 * DAY_MS, true],
		[1, 1 * DAY_MS + 1, false],
		[60, 60 * DAY_MS - 1, true],
		[60, 60 * DAY_MS, true],
		[60, 60 * DAY_MS + 1, false],
		[30, 0, true],
	])('of %i days, with a sale %i ms after the click: earns %s', async (days, age, earns) => {
		const funnel = await aFunnel({ cookie_window_days: days });
		const clickId = await mintClickId(await linkIdOf(funnel), { clickedAt: now - age });
		const message = await atInstant(now, () => messageOf(funnel, { click_id: clickId }));
		expect(message).toBe(earns ? EARNED : EXPIRED);
		expect(await rows('SELECT inside_window, commission_state FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([
			{ inside_window: Number(earns), commission_state: earns ? 'made' : 'none' },
		]);
		expect(await balanceOf(funnel)).toBe(earns ? 2_000 : 0);
	});

	test("starts at the known customer's stored click, even if the sale brings a later one", async () => {
		const funnel = await aFunnel();
		const customerKey = unique('customer');
		const old = await mintClickId(await linkIdOf(funnel), { clickedAt: now - 61 * DAY_MS });
		await track('lead', { click_id: old, customer_key: customerKey }, funnel.apiToken);
		expect(await messageOf(funnel, { customer_key: customerKey, click_id: await aClick(funnel) })).toBe(EXPIRED);
		expect(await rows('SELECT status, click_id FROM customers WHERE customer_key = ?', customerKey)).toEqual([
			{ status: 'conversion', click_id: old },
		]);
	});

	test("is the program's window at the time of the sale", async () => {
		const funnel = await aFunnel({ cookie_window_days: 10 });
		const clickId = await mintClickId(await linkIdOf(funnel), { clickedAt: now - 20 * DAY_MS });
		expect(await messageOf(funnel, { click_id: clickId })).toBe(EXPIRED);
		await api(`/api/v1/programs/${funnel.id}`, { token: funnel.owner.token, method: 'PATCH', body: { cookie_window_days: 21 } });
		expect(await messageOf(funnel, { click_id: clickId })).toBe(EARNED);
	});
});

describe('a renewal (decision 8)', () => {
	const begin = at(2026, 11, 30);

	/** It began on 2026-11-30, under a rule with this limit. */
	async function aSubscription(recurringMonths: number | null | undefined) {
		const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, recurring_months: recurringMonths } });
		const customerKey = unique('customer');
		const clickId = await mintClickId(await linkIdOf(funnel), { clickedAt: begin - DAY_MS });
		const renew = (now: number, overrides: Record<string, unknown> = {}) =>
			atInstant(now, () => messageOf(funnel, { customer_key: customerKey, subscription_id: 'sub', is_recurring: true, ...overrides }));
		expect(await renew(begin, { click_id: clickId, is_recurring: false })).toBe(EARNED);
		return { funnel, customerKey, renew };
	}

	test('earns forever under a rule without a limit, long after the window', async () => {
		for (const unlimited of [null, undefined]) {
			const { renew } = await aSubscription(unlimited);
			expect(await renew(at(2026, 12, 30))).toBe(EARNED);
			expect(await renew(at(2031, 1, 1))).toBe(EARNED);
		}
	});

	test('earns until the same day of the month in which the limit ends, or the last day of a shorter month', async () => {
		const { renew } = await aSubscription(3);
		expect(await renew(at(2026, 12, 30))).toBe(EARNED);
		expect(await renew(at(2027, 2, 27))).toBe(EARNED);
		expect(await renew(at(2027, 2, 28))).toBe(PAST_LIMIT);
		expect(await renew(at(2028, 2, 28))).toBe(PAST_LIMIT);
	});

	test('under a limit of 12 months earns nothing on the anniversary', async () => {
		const { renew } = await aSubscription(12);
		expect(await renew(at(2027, 11, 29))).toBe(EARNED);
		expect(await renew(at(2027, 11, 30))).toBe(PAST_LIMIT);
	});

	test('earns nothing if the rule pays only the first payment, even inside the window', async () => {
		const { renew, funnel } = await aSubscription(0);
		expect(await renew(begin + 1)).toBe(PAST_LIMIT);
		expect(await renew(at(2027, 11, 30))).toBe(PAST_LIMIT);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('needs the same subscription and customer: any other sale must be inside the window', async () => {
		const { funnel, customerKey, renew } = await aSubscription(null);
		const later = at(2027, 6, 1);
		expect(await renew(later, { subscription_id: 'another' })).toBe(EXPIRED);
		expect(await renew(later, { subscription_id: undefined })).toBe(EXPIRED);
		const clickId = await mintClickId(await linkIdOf(funnel), { clickedAt: begin });
		expect(await renew(later, { customer_key: unique('someone'), click_id: clickId })).toBe(EXPIRED);
		expect(await renew(later, { customer_key: customerKey })).toBe(EARNED);
	});

	test('does not follow a first sale outside the window or in another program', async () => {
		const { renew, customerKey } = await aSubscription(null);
		const other = await aFunnel();
		const clickId = await mintClickId(await linkIdOf(other), { clickedAt: begin - 61 * DAY_MS });
		const sale = { customer_key: customerKey, click_id: clickId, subscription_id: 'sub' };
		expect(await atInstant(begin, () => messageOf(other, sale))).toBe(EXPIRED);
		expect(await atInstant(begin + DAY_MS, () => messageOf(other, sale))).toBe(EXPIRED);
		expect(await renew(at(2028, 1, 1))).toBe(EARNED);
	});

	test('earns whatever happened to the first commission: refunded, rejected, or missing for want of a rule', async () => {
		const later = at(2027, 6, 1);
		const refunded = await aSubscription(null);
		const [first] = await rows<{ processor_event_id: string }>(
			'SELECT processor_event_id FROM affiliate_sale_events WHERE program_id = ?',
			refunded.funnel.id,
		);
		await track('refund', { transaction_id: first?.processor_event_id }, refunded.funnel.apiToken);
		expect(await refunded.renew(later)).toBe(EARNED);

		const rejected = await aSubscription(null);
		const [made] = await rows<{ id: number }>('SELECT id FROM commissions WHERE program_id = ?', rejected.funnel.id);
		const path = `/api/v1/programs/${rejected.funnel.id}/commissions/reject`;
		expect((await api(path, { token: rejected.funnel.owner.token, body: { commission_ids: [made?.id] } })).status).toBe(200);
		expect(await rejected.renew(later)).toBe(EARNED);

		const ruleless = await aFunnel({ commission: undefined });
		const sale = { customer_key: await aLead(ruleless), subscription_id: 'sub' };
		expect(await messageOf(ruleless, sale)).toBe(NO_RULE);
		await addRule(ruleless, { type: 'percent', percent: 10 });
		expect(await atInstant(later, () => messageOf(ruleless, sale))).toBe(EARNED);
	});
});

describe('the rule that applies (decision 20)', () => {
	test('is the most specific: partner and product, then partner, product, default', async () => {
		const funnel = await aFunnel({ commission: { type: 'percent', percent: 1 } });
		const { partnerId: partner_id } = funnel;
		const earned = async (product_id?: string) => {
			const { commissionId } = await aSale(funnel, product_id === undefined ? {} : { product_id });
			const [row] = await rows<{ amount_cents: number }>('SELECT amount_cents FROM commissions WHERE id = ?', commissionId);
			return row?.amount_cents;
		};
		expect(await earned('pro')).toBe(100);
		await addRule(funnel, { type: 'percent', percent: 2, product_id: 'pro' });
		expect([await earned('pro'), await earned('basic'), await earned()]).toEqual([200, 100, 100]);
		await addRule(funnel, { type: 'flat', amount_cents: 33, partner_id });
		expect([await earned('pro'), await earned('basic'), await earned()]).toEqual([33, 33, 33]);
		await addRule(funnel, { type: 'percent', percent: 4, partner_id, product_id: 'pro' });
		expect([await earned('pro'), await earned('basic'), await earned('Pro')]).toEqual([400, 33, 33]);

		const other = { ...funnel, ...(await aPartner(await sharedOwner(), funnel.id)) };
		await aSale(other, { product_id: 'pro' });
		expect(await balanceOf(other)).toBe(200);
	});

	test('falls back to the next rule if a flat one has another currency', async () => {
		const funnel = await aFunnel({ commission: { type: 'percent', percent: 10 } });
		await addRule(funnel, { type: 'flat', amount_cents: 500, currency: 'EUR', partner_id: funnel.partnerId });
		await aSale(funnel, { currency: 'EUR' });
		await aSale(funnel, { currency: 'USD' });
		expect([await balanceOf(funnel, 'EUR'), await balanceOf(funnel, 'USD')]).toEqual([500, 1_000]);
	});

	test('may be missing, and may yield 0 cents, which is still a commission', async () => {
		const flat = await aFunnel({ commission: { type: 'flat', amount_cents: 500, currency: 'EUR' } });
		expect(await messageOf(flat, { customer_key: await aLead(flat), currency: 'USD' })).toBe(NO_RULE);
		const nothing = await aFunnel({ commission: { type: 'percent', percent: 0 } });
		const { commissionId } = await aSale(nothing);
		expect(await rows('SELECT amount_cents, status FROM commissions WHERE id = ?', commissionId)).toEqual([
			{ amount_cents: 0, status: 'approved' },
		]);
		expect(await rows('SELECT kind, applied_cents FROM ledger_entries WHERE commission_id = ?', commissionId)).toEqual([
			{ kind: 'credit', applied_cents: 0 },
		]);
	});

	test('sets the hold; a commission keeps its version of the rule', async () => {
		const funnel = await aFunnel({ commission: { type: 'percent', percent: 10, hold_days: 14 } });
		const { commissionId } = await aSale(funnel);
		const [rule] = (await api<{ id: number }[]>(`/api/v1/programs/${funnel.id}/commission-rules`, { token: funnel.owner.token })).body.data;
		const changed = { method: 'PATCH', token: funnel.owner.token, body: { percent: 50, hold_days: 0 } };
		expect((await api(`/api/v1/programs/${funnel.id}/commission-rules/${rule?.id}`, changed)).status).toBe(200);
		const { commissionId: nextId } = await aSale(funnel);
		const made = await rows(
			`SELECT c.status, c.amount_cents, (c.hold_until - c.created_at) / ${DAY_MS} AS hold_days, v.version
			FROM commissions c JOIN commission_rule_versions v ON v.id = c.rule_version_id WHERE c.id IN (?, ?) ORDER BY c.id`,
			commissionId,
			nextId,
		);
		expect(made).toEqual([
			{ status: 'pending', amount_cents: 1_000, hold_days: 14, version: 1 },
			{ status: 'approved', amount_cents: 5_000, hold_days: 0, version: 2 },
		]);
	});
});

test('a suspended partner earns nothing, and earns again when resumed', async () => {
	const funnel = await aFunnel();
	const customerKey = await aLead(funnel);
	const suspend = (status: string) =>
		api(`/api/v1/programs/${funnel.id}/partners/${funnel.partnerId}`, { token: funnel.owner.token, method: 'PATCH', body: { status } });
	await suspend('suspended');
	expect(await messageOf(funnel, { customer_key: customerKey })).toBe(
		'Sale recorded. No commission was created: the partner is suspended.',
	);
	await suspend('active');
	expect(await messageOf(funnel, { customer_key: customerKey })).toBe(EARNED);
});
