import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/domain/calendar.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { contextAt, daysAgo, linkIdOf, mintClickId } from '../support/clock.ts';
import { deliver } from '../support/deliver.ts';
import { aSaleWithoutItsCommission } from '../support/failing-commissions.ts';
import { aClick, aFunnel, aLead, aPaidSale, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { aStory, aStripeFunnel, send } from '../support/inbox.ts';
import { repairCommissions } from '../../src/sales/repair-commissions.ts';
import { api, signUp, unique } from '../support/world.ts';

interface Explained {
	readonly conclusion: string;
	readonly steps: readonly { readonly kind: string; readonly text: string }[];
	readonly decision: { readonly earned_cents: number | null; readonly rules: readonly { readonly used: boolean }[] } | null;
	readonly commission: { readonly amount_cents: number } | null;
}

interface Found extends Explained {
	readonly click: { readonly genuine: boolean } | null;
	readonly customers: readonly unknown[];
	readonly sales: readonly Explained[];
	readonly refusals: readonly { readonly code: string }[];
	readonly events: readonly { readonly state: string }[];
}

async function explain(funnel: Funnel, query: Record<string, string>): Promise<Found> {
	const { status, body, text } = await api<Found>(`/api/v1/programs/${funnel.id}/explain?${new URLSearchParams(query).toString()}`, {
		token: funnel.owner.token,
	});
	if (status !== 200) throw new Error(`Explaining answered ${status}: ${text}`);
	return body.data;
}

async function explainCommission(funnel: Funnel, commissionId: number | null): Promise<Explained> {
	const { status, body } = await api<Explained>(`/api/v1/programs/${funnel.id}/commissions/${commissionId}/explanation`, {
		token: funnel.owner.token,
	});
	expect(status).toBe(200);
	return body.data;
}

describe('a commission', () => {
	test('is explained from the click to the payout', async () => {
		const funnel = await aFunnel({ time_zone: 'Asia/Tokyo' });
		const { commissionId } = await aPaidSale(funnel);
		const { conclusion, steps, decision, commission } = await explainCommission(funnel, commissionId);
		expect(conclusion).toMatch(
			/ earned 20\.00 USD, of which 15\.00 USD is left\. The sale was partly refunded\. The rest was paid in payout \d+$/,
		);
		const kinds = steps.map(({ kind }) => kind);
		expect(kinds.slice(0, 9)).toEqual(['click', 'lead', 'sale', 'decision', 'decision', 'decision', 'decision', 'commission', 'ledger']);
		expect(kinds.slice(9).toSorted()).toEqual(['ledger', 'ledger', 'payout', 'refund']);
		expect(steps.map(({ text }) => text)).toContain('20 % of 100.00 USD is 20.00 USD');
		expect(steps.map(({ text }) => text)).toContain('Refunded 25.00 USD: 5.00 USD deducted');
		expect([decision?.earned_cents, commission?.amount_cents]).toEqual([2_000, 2_000]);
	});

	test('created later is decided from the facts of its time, despite later changes', async () => {
		const funnel = await aFunnel();
		const { transactionId } = await aSaleWithoutItsCommission(funnel);
		expect((await explain(funnel, { transaction_id: transactionId })).conclusion).toContain('could not be created yet');
		const [rule] = (await api<{ id: number }[]>(`/api/v1/programs/${funnel.id}/commission-rules`, { token: funnel.owner.token })).body.data;
		const change = { method: 'PATCH', token: funnel.owner.token, body: { percent: 50 } };
		await api(`/api/v1/programs/${funnel.id}/commission-rules/${rule?.id}`, change);
		await api(`/api/v1/programs/${funnel.id}`, { ...change, body: { cookie_window_days: 1 } });
		await repairCommissions(contextAt(Date.now()), 100);
		const [sale] = (await explain(funnel, { transaction_id: transactionId })).sales;
		expect([sale?.decision?.earned_cents, sale?.commission?.amount_cents]).toEqual([2_000, 2_000]);
		expect(sale?.steps.map(({ text }) => text)).toContain('20 % of 100.00 USD is 20.00 USD');
	});

	test('of a sale without stored facts has no decision', async () => {
		const funnel = await aFunnel();
		const { commissionId } = await aSale(funnel);
		await rows('UPDATE affiliate_sale_events SET decision_facts = NULL, revision = revision + 1 WHERE program_id = ?', funnel.id);
		const { decision, steps, commission } = await explainCommission(funnel, commissionId);
		expect([decision, commission?.amount_cents]).toEqual([null, 2_000]);
		expect(steps.map(({ text }) => text).join()).toContain('recorded before the facts of decisions were stored');
	});

	test('of another program is not found, and non-members get nothing', async () => {
		const [funnel, other, stranger] = [await aFunnel(), await aFunnel(), await signUp()];
		const { commissionId, transactionId } = await aSale(funnel);
		const paths = [`commissions/${commissionId}/explanation`, `explain?transaction_id=${transactionId}`];
		for (const path of paths) {
			expect((await api(`/api/v1/programs/${funnel.id}/${path}`, { token: stranger.token })).status).toBe(403);
			expect((await api(`/api/v1/programs/${funnel.id}/${path}`)).status).toBe(401);
		}
		expect((await api(`/api/v1/programs/${other.id}/${paths[0]}`, { token: other.owner.token })).status).toBe(404);
		const found = await explain(other, { transaction_id: transactionId });
		expect([found.sales, found.conclusion]).toEqual([[], expect.stringMatching(/^Another program has recorded a sale with this id/)]);
	});
});

/** The sale earns nothing. */
async function saleBy(funnel: Funnel, fields: object): Promise<string> {
	const transaction_id = unique('txn');
	const { status, body } = await track('sale', { transaction_id, amount_cents: 10_000, ...fields }, funnel.apiToken);
	expect([status, body['commission_id']]).toEqual([200, null]);
	return (await explain(funnel, { transaction_id })).conclusion;
}

describe('a sale earned nothing', () => {
	test('because the window had ended', async () => {
		const funnel = await aFunnel();
		const click_id = await mintClickId(await linkIdOf(funnel), { clickedAt: daysAgo(72) - MINUTE_MS });
		expect(await saleBy(funnel, { click_id })).toMatch(/ earned nothing: the window of 60 days ended 12 days before it was paid, on /);
	});

	test('because the partner was suspended', async () => {
		const funnel = await aFunnel();
		const customer_key = await aLead(funnel);
		const path = `/api/v1/programs/${funnel.id}/partners/${funnel.partnerId}`;
		await api(path, { method: 'PATCH', token: funnel.owner.token, body: { status: 'suspended' } });
		expect(await saleBy(funnel, { customer_key })).toMatch(/ earned nothing: its partner was suspended when it was recorded$/);
	});

	test('because there was no rule, or none in the currency', async () => {
		const [bare, flat] = [await aFunnel({ commission: undefined }), await aFunnel({ commission: { type: 'flat', amount_cents: 5 } })];
		expect(await saleBy(bare, { customer_key: await aLead(bare) })).toMatch(/ earned nothing: no commission rule applied to it$/);
		expect(await saleBy(flat, { customer_key: await aLead(flat), currency: 'EUR' })).toMatch(/flat amounts in currencies other than EUR$/);
	});

	test('because of the renewal limit', async () => {
		const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, recurring_months: 0 } });
		const renewing = { customer_key: await aLead(funnel), subscription_id: unique('sub') };
		await aSale(funnel, renewing);
		expect(await saleBy(funnel, { ...renewing, is_recurring: true })).toMatch(
			/: the rule pays only for first payments, and the first sale /,
		);
	});

	test('because it was a test', async () => {
		const funnel = await aFunnel();
		const transaction_id = unique('txn');
		await track('sale', { transaction_id, amount_cents: 5, additional_data: { test_mode: true } }, funnel.apiToken);
		const { conclusion, sales } = await explain(funnel, { transaction_id });
		expect([conclusion, sales]).toEqual([
			expect.stringMatching(/ is a test and earns nothing$/),
			[expect.objectContaining({ customer: null, partner: null, decision: null, rule: null, commission: null, payout: null })],
		]);
	});
});

describe('there is no sale', () => {
	test('because it was refused three times', async () => {
		const funnel = await aFunnel();
		const sale = { transaction_id: unique('txn'), amount_cents: 5, customer_key: unique('nobody') };
		for (let call = 0; call < 3; call += 1) await track('sale', sale, funnel.apiToken);
		await expect
			.poll(async () => (await explain(funnel, { transaction_id: sale.transaction_id })).conclusion)
			.toMatch(
				/^The sale was refused with 400 on .* \(3 times since .*\): Customer not found\. Provide customer_key or click_id\. Nobody /,
			);
		const { refusals, customers } = await explain(funnel, { customer_key: sale.customer_key });
		expect([refusals.map(({ code }) => code), customers]).toEqual([['sale_customer_not_found'], []]);
		expect((await explain(funnel, { payment_id: sale.transaction_id })).refusals).toHaveLength(1);
	});

	test('because a Stripe event waits for its customer', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ metadata: { tracker_customer_key: unique('late') } });
		const event = story.checkout.completed();
		await send(funnel, event);
		for (const payment_id of [story.first.ids.paymentIntent, story.ids.session, event.id]) {
			const { conclusion, events } = await explain(funnel, { payment_id });
			expect(conclusion).toMatch(
				/^Event evt_\w+ \(checkout\.session\.completed\) is waiting: no customer has its customer_key or click_id yet; report the lead\. The next attempt is on /,
			);
			expect(events.map(({ state }) => state)).toEqual(['waiting']);
		}
	});

	test('because nothing with the id arrived', async () => {
		const funnel = await aFunnel();
		const { conclusion, steps } = await explain(funnel, { transaction_id: unique('nothing') });
		expect([conclusion, steps]).toEqual([
			expect.stringMatching(/^Nothing with this transaction_id was reported in this program\. Check that /),
			[],
		]);
	});
});

describe('a payment from Stripe', () => {
	test('is found by any of its ids', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel, { mode: 'subscription' });
		await send(funnel, story.checkout.completed(), story.first.invoicePaid(), story.first.chargeSucceeded());
		for (const payment_id of [story.first.ids.invoice, story.ids.session, story.ids.subscription]) {
			const { sales, conclusion } = await explain(funnel, { payment_id: payment_id ?? '' });
			expect([sales.length, conclusion]).toEqual([1, expect.stringMatching(/ earned 20\.00 USD\. Approved immediately/)]);
			expect(sales[0]?.decision?.rules.map(({ used }) => used)).toEqual([true]);
		}
	});
});

describe('a click', () => {
	test('with an invented id is unknown', async () => {
		const { conclusion, click } = await explain(await aFunnel(), { click_id: 'cust_1_2' });
		expect([conclusion, click]).toEqual([
			expect.stringMatching(/^This click id was not created by this service/),
			expect.objectContaining({ genuine: false }),
		]);
	});

	test('without its row has no customers', async () => {
		const funnel = await aFunnel();
		const click_id = await mintClickId(await linkIdOf(funnel));
		const { conclusion, click, steps } = await explain(funnel, { click_id });
		expect(conclusion).toMatch(/^Nobody has signed up or bought after this click\. Its window of 60 days ends on /);
		expect(click).toMatchObject({ genuine: true, stored: false, short_link: funnel.shortLink, partner_name: 'Pat Partner' });
		expect(steps[0]?.text).toMatch(/The id is genuine, but its page and country are not stored$/);
	});

	test('is found in test mode, but not in another program', async () => {
		const [funnel, other] = [await aFunnel(), await aFunnel()];
		const tried = await mintClickId(await linkIdOf(funnel), { isTest: true });
		expect((await explain(funnel, { click_id: tried })).conclusion).toMatch(/^This click was made in test mode/);
		const found = await explain(other, { click_id: await aClick(funnel) });
		expect([found.conclusion, found.click]).toEqual([
			expect.stringMatching(/^This click is not on a link of this program/),
			{ genuine: false, test: false, clicked_at: null, short_link: null, partner_name: null, stored: false, coupon_code: null },
		]);
	});

	test('signed with a removed secret is found by its row', async () => {
		const funnel = await aFunnel();
		const [referralLinkId, clickedAt] = [await linkIdOf(funnel), Date.now()];
		const clickId = await mintClickId(referralLinkId, { secret: 'a-secret-that-is-gone', clickedAt });
		const job = { version: 1, kind: 'click', clickId, programId: funnel.id, referralLinkId, isTest: false, isBot: true, clickedAt };
		const page = { pageUrl: null, pageTitle: null, referrerUrl: null, sessionId: null, userAgent: null, language: null, timezone: null };
		await deliver('affiliate-clicks', [{ body: { ...job, ...page, country: null } }]);
		expect((await explain(funnel, { click_id: clickId })).steps[0]?.text).toContain('A crawler made it');
	});

	test('lists its customers and their sales, newest first', async () => {
		const funnel = await aFunnel();
		const click_id = await aClick(funnel);
		for (const customer_key of [unique('first'), unique('second')]) await aSale(funnel, { click_id, customer_key });
		const { conclusion, customers, sales } = await explain(funnel, { click_id });
		expect([customers.length, sales.length]).toEqual([2, 2]);
		expect(conclusion).toMatch(/^2 sales have this id\. The newest: Sale \d+ \(txn.* earned 20\.00 USD/);
	});
});

describe('a customer', () => {
	test('without a sale is found', async () => {
		const funnel = await aFunnel();
		expect((await explain(funnel, { customer_key: await aLead(funnel) })).conclusion).toMatch(
			/^No sale of this customer was reported\. Its window of 60 days ends on /,
		);
		const direct = unique('direct');
		await track('lead', { customer_key: direct }, funnel.apiToken);
		expect((await explain(funnel, { customer_key: direct })).conclusion).toMatch(
			/No partner referred this customer, so their sales are refused with 400$/,
		);
	});

	test('with hundreds of sales shows ten', async () => {
		const funnel = await aFunnel();
		const customer_key = await aLead(funnel);
		for (let sale = 0; sale < 12; sale += 1) await aSale(funnel, { customer_key });
		expect((await explain(funnel, { customer_key })).sales).toHaveLength(10);
	});
});

test('exactly one id is required', async () => {
	const { id, owner } = await aFunnel();
	for (const query of ['', '?transaction_id=a&click_id=b', '?transaction_id=']) {
		const { status, body } = await api(`/api/v1/programs/${id}/explain${query}`, { token: owner.token });
		expect([status, body.error]).toEqual([400, 'Send exactly one of transaction_id, click_id, customer_key, payment_id']);
	}
});

test('the facts of a sale contain no personal data and are short', async () => {
	const funnel = await aFunnel();
	await aSale(funnel, { customer_key: await aLead(funnel), subscription_id: 'sub_anna', product_id: 'anna' });
	const [sale] = await rows<{ decision_facts: string }>('SELECT decision_facts FROM affiliate_sale_events WHERE program_id = ?', funnel.id);
	expect(sale?.decision_facts).not.toMatch(/anna|cust_|customer-|txn/);
	expect(sale?.decision_facts.length).toBeLessThan(200);
});
