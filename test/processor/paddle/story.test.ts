import { describe, expect, test } from 'vitest';
import { aClick, aLead, balanceOf, rows, track } from '../../support/funnel.ts';
import { inboxOf, tickAt } from '../../support/inbox.ts';
import { aPaddleFunnel, aPaddleStory, outcomeOf, sendFromPaddle as send } from '../../support/paddle.ts';
import { expectSoundLedger } from '../../support/sound-ledger.ts';
import { paddleStory } from '../../../testing/paddle/story.ts';
import { api } from '../../support/world.ts';

// Paddle's notifications over HTTP, each with its outcome and reason in the inbox.

const RECORDED = /^applied: Sale \d+ recorded, commission \d+$/;
const DAY_MS = 86_400_000;

describe('a subscription', () => {
	test('records sales for its first payment and renewals, and its end', async () => {
		const funnel = await aPaddleFunnel();
		const story = await aPaddleStory(funnel, { mode: 'subscription', amount: 11_900, tax: 1900, interval: 'annual' });
		const [created, paid, first, renewal] = [
			story.subscription.created(),
			story.first.paid(),
			story.first.completed(),
			story.renew().completed(),
		];
		const ended = story.subscription.canceled();
		await send(funnel, [created, paid, first, renewal, ended]);
		expect(await outcomeOf(funnel, created)).toBe(
			'applied: Subscription began: its transactions make the sales. Stored for later payments: customer_key',
		);
		expect(await outcomeOf(funnel, paid)).toBe('ignored: transaction.paid is not read');
		expect(await outcomeOf(funnel, first)).toMatch(RECORDED);
		expect(await outcomeOf(funnel, renewal)).toMatch(RECORDED);
		expect(await outcomeOf(funnel, ended)).toBe('applied: The end of the subscription is recorded');
		const sales = await rows(
			`SELECT processor_event_id AS transaction_id, amount_cents, charged_cents, sale_type, is_recurring, subscription_id, subscription_interval, product_id
			FROM affiliate_sale_events WHERE program_id = ? ORDER BY id`,
			funnel.id,
		);
		const both = {
			amount_cents: 10_000,
			charged_cents: 10_000,
			sale_type: 'subscription',
			subscription_id: story.ids.subscription,
			subscription_interval: 'annual',
			product_id: story.ids.product,
		};
		expect(sales).toMatchObject([
			{ ...both, transaction_id: story.first.id, is_recurring: 0 },
			{ ...both, is_recurring: 1 },
		]);
		expect(await balanceOf(funnel)).toBe(4_000);
		await expectSoundLedger(funnel);
	});

	test('that is changed earns no flat commission for the rest of its period', async () => {
		const funnel = await aPaddleFunnel({ commission: { type: 'flat', amount_cents: 700, currency: 'USD' } });
		const story = await aPaddleStory(funnel, { mode: 'subscription' });
		const change = story.renew({ origin: 'subscription_update', isProration: true, amount: 3_000 }).completed();
		const anew = story.renew({ origin: 'subscription_update' }).completed();
		await send(funnel, [story.first.completed(), change, anew, story.renew().completed()]);
		expect(await outcomeOf(funnel, change)).toContain('this is a proration');
		expect(await balanceOf(funnel)).toBe(2_100);
	});

	test('with a trial makes its customer a lead, and its payments earn', async () => {
		const funnel = await aPaddleFunnel();
		const story = paddleStory({ mode: 'subscription', trialDays: 14, customData: { tracker_customer_key: await aLead(funnel) } });
		const [free, began, renewal] = [story.first.completed(), story.subscription.created(), story.renew().completed()];
		await send(funnel, [free, began, renewal]);
		expect(await outcomeOf(funnel, free)).toBe(
			'applied: Trial, or transaction that a discount or credit paid. Stored for later payments: customer_key',
		);
		expect(await outcomeOf(funnel, began)).toBe('applied: The customer is a lead already, or has bought');
		expect(await outcomeOf(funnel, renewal)).toMatch(RECORDED);
	});

	test('creates the lead if there is none, by the click in its custom data', async () => {
		const funnel = await aPaddleFunnel();
		const customData = { tracker_customer_key: 'trial_1', tracker_click_id: await aClick(funnel) };
		const began = paddleStory({ mode: 'subscription', trialDays: 14, customData }).subscription.created();
		await send(funnel, [began]);
		expect(await outcomeOf(funnel, began)).toMatch(/^applied: Lead \d+ recorded$/);
	});

	test('is attributed when its custom data arrives later', async () => {
		const funnel = await aPaddleFunnel();
		const nobody = paddleStory({ mode: 'subscription' });
		const [first, renewal] = [nobody.first.completed(), nobody.renew().completed()];
		await send(funnel, [first, renewal]);
		expect(await outcomeOf(funnel, first)).toMatch(/^ignored: /);
		const updated = nobody.subscription.updated();
		const later = new Date(Date.parse(renewal.occurred_at) + 60_000).toISOString();
		const named = { ...updated, occurred_at: later, data: { ...updated.data, custom_data: { tracker_customer_key: await aLead(funnel) } } };
		await send(funnel, [named]);
		await tickAt(Date.now() + 120_000);
		expect(await outcomeOf(funnel, first)).toMatch(RECORDED);
		expect(await outcomeOf(funnel, renewal)).toMatch(RECORDED);
	});

	test.each<[what: string, customData: object | null]>([
		['null', null],
		['of which only our keys were removed', { plan: 'gold' }],
	])('whose renewal has custom data %s is not attributed, though earlier events had the keys', async (_what, custom_data) => {
		const funnel = await aPaddleFunnel();
		const story = await aPaddleStory(funnel, { mode: 'subscription' });
		await send(funnel, [story.first.completed(), story.subscription.created()]);
		const renewal = story.renew().completed();
		const bare = { ...renewal, data: { ...renewal.data, custom_data, created_at: new Date(Date.now() + 60_000).toISOString() } };
		await send(funnel, [bare]);
		expect(await outcomeOf(funnel, bare)).toMatch(/^waiting: waits: renewal not attributed: its subscription has no tracker metadata\. /);
		expect(await balanceOf(funnel)).toBe(2_000);
		const next = story.renew().completed();
		await send(funnel, [next]);
		expect(await outcomeOf(funnel, next)).toMatch(RECORDED);
	});

	test('whose renewals have none follows its first sale if the program allows it', async () => {
		const funnel = await aPaddleFunnel({ renewals_follow_checkout: true });
		const story = await aPaddleStory(funnel, { mode: 'subscription' });
		const renewal = story.renew({ origin: 'subscription_charge', amount: 2_000 }).completed();
		const bare = { ...renewal, data: { ...renewal.data, custom_data: null } };
		await send(funnel, [story.first.completed(), bare]);
		expect(await outcomeOf(funnel, bare)).toMatch(RECORDED);
		expect(await balanceOf(funnel)).toBe(2_400);
	});
});

describe('refunds', () => {
	test('count from their request, without the share of tax', async () => {
		const funnel = await aPaddleFunnel();
		const { first } = await aPaddleStory(funnel, { amount: 11_900, tax: 1900 });
		const [part, more] = [first.refund(2_975), first.refund(5_950)];
		await send(funnel, [first.completed(), part.created()]);
		expect(await balanceOf(funnel)).toBe(1_500);
		await send(funnel, [part.updated('approved'), more.created()]);
		expect(await balanceOf(funnel)).toBe(500);
		await send(funnel, [first.refund(2_975).created('approved')]);
		expect(await balanceOf(funnel)).toBe(0);
		expect(await rows('SELECT amount_cents, refunded_cents FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([
			{ amount_cents: 10_000, refunded_cents: 10_000 },
		]);
		await expectSoundLedger(funnel);
	});

	test('that Paddle rejects reinstate the commission', async () => {
		const funnel = await aPaddleFunnel();
		const { first } = await aPaddleStory(funnel);
		const refund = first.refund();
		await send(funnel, [first.completed(), refund.created()]);
		expect(await balanceOf(funnel)).toBe(0);
		const rejected = refund.updated('rejected');
		await send(funnel, [rejected]);
		expect(await outcomeOf(funnel, rejected)).toMatch(/^applied: Refund failed, 100\.00 USD of sale \d+ counts again/);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('of tax alone, and credits to the balance, deduct nothing', async () => {
		const funnel = await aPaddleFunnel();
		const story = await aPaddleStory(funnel, { mode: 'subscription', amount: 11_900, tax: 1900 });
		const [tax, credit] = [story.first.refund(1900, 1900).created(), story.first.credit(5_950).created()];
		// An amount paid from the balance is not a sale: in total, the customer has paid for one and a half periods.
		await send(funnel, [story.first.completed(), tax, credit, story.renew({ credit: 5_950 }).completed()]);
		expect(await outcomeOf(funnel, tax)).toBe('ignored: refund of nothing but tax');
		expect(await outcomeOf(funnel, credit)).toBe('ignored: credit: what it pays later is not a sale, so nothing is deducted now');
		expect(await balanceOf(funnel)).toBe(3_000);
	});

	test('that the backend reports too count once', async () => {
		const funnel = await aPaddleFunnel();
		const { first } = await aPaddleStory(funnel);
		const refund = first.refund(2_500);
		await send(funnel, [first.completed()]);
		const reported = { transaction_id: first.id, refund_amount_cents: 2_500, refund_id: refund.id };
		await track('refund', reported, funnel.apiToken);
		await send(funnel, [refund.created(), refund.updated('approved')]);
		expect(await balanceOf(funnel)).toBe(1_500);
	});
});

describe('a chargeback', () => {
	test('reverses the commission, and reinstates it when it is won', async () => {
		for (const wonBy of ['status', 'adjustment'] as const) {
			const funnel = await aPaddleFunnel();
			const { first } = await aPaddleStory(funnel);
			const chargeback = first.dispute();
			await send(funnel, [first.completed(), chargeback.created()]);
			expect(await balanceOf(funnel)).toBe(0);
			await send(funnel, [wonBy === 'status' ? chargeback.updated('reversed') : first.dispute('chargeback_reverse').created()]);
			expect(await balanceOf(funnel)).toBe(2_000);
			await expectSoundLedger(funnel);
		}
	});

	test('that was won counts again if another one of the transaction follows', async () => {
		for (const wonBy of ['status', 'adjustment'] as const) {
			const funnel = await aPaddleFunnel();
			const { first } = await aPaddleStory(funnel);
			const chargeback = first.dispute();
			const won = wonBy === 'status' ? chargeback.updated('reversed') : first.dispute('chargeback_reverse').created();
			const again = first.dispute().created();
			await send(funnel, [first.completed(), chargeback.created(), won]);
			expect(await balanceOf(funnel)).toBe(2_000);
			await send(funnel, [again, chargeback.updated('approved')]);
			expect(await balanceOf(funnel)).toBe(0);
			await expectSoundLedger(funnel);
		}
	});

	test('counts after a warning that led to nothing', async () => {
		const funnel = await aPaddleFunnel();
		const { first } = await aPaddleStory(funnel);
		const warned = [first.dispute('chargeback_warning').created(), first.dispute('chargeback_warning_reverse').created()];
		await send(funnel, [first.completed(), ...warned]);
		expect(await balanceOf(funnel)).toBe(2_000);
		await send(funnel, [first.dispute().created()]);
		expect(await balanceOf(funnel)).toBe(0);
	});
});

describe('late or missing events', () => {
	test('a refund and a renewal wait for the first payment', async () => {
		const funnel = await aPaddleFunnel();
		const story = await aPaddleStory(funnel, { mode: 'subscription' });
		const [refund, renewal] = [story.first.refund(5_000).created(), story.renew().completed()];
		await send(funnel, [refund, renewal]);
		expect(await outcomeOf(funnel, refund)).toBe('waiting: waits: no sale of this payment is recorded yet');
		expect(await outcomeOf(funnel, renewal)).toMatch(/^waiting: waits: it renews a subscription whose first payment is not recorded yet/);
		await send(funnel, [story.first.completed()]);
		await tickAt(Date.now() + 120_000);
		expect(await outcomeOf(funnel, refund)).toMatch(/^applied: Refund of 50\.00 USD/);
		expect(await outcomeOf(funnel, renewal)).toMatch(RECORDED);
		expect(await balanceOf(funnel)).toBe(3_000);
	});

	test('an event that waited in vain ends with its reason, and can be replayed once the cause is fixed', async () => {
		const funnel = await aPaddleFunnel();
		const { first } = paddleStory({ customData: { tracker_customer_key: 'late_1' } });
		const completed = first.completed();
		await send(funnel, [completed]);
		await tickAt(Date.now() + 5 * DAY_MS);
		expect(await outcomeOf(funnel, completed)).toBe(
			'expired: not attributed: no customer has its customer_key or click_id, and no lead arrived',
		);
		await track('lead', { click_id: await aClick(funnel), customer_key: 'late_1' }, funnel.apiToken);
		const [{ id } = { id: 0 }] = await inboxOf(funnel);
		const { status } = await api(`${funnel.path}/processor-events/${id}/replay`, { method: 'POST', token: funnel.owner.token });
		expect(status).toBe(200);
		await tickAt(Date.now() + 120_000);
		expect(await outcomeOf(funnel, completed)).toMatch(RECORDED);
	});
});

describe('metadata', () => {
	test('of another program is refused', async () => {
		const funnel = await aPaddleFunnel();
		const customData = { tracker_customer_key: await aLead(funnel), program_id: String(funnel.id + 1) };
		const completed = paddleStory({ customData }).first.completed();
		await send(funnel, [completed]);
		expect(await outcomeOf(funnel, completed)).toMatch(/^refused: /);
		expect(await balanceOf(funnel)).toBe(0);
	});

	test('may name a click alone', async () => {
		const funnel = await aPaddleFunnel();
		const customData = { tracker_click_id: await aClick(funnel) };
		const completed = paddleStory({ customData, at: Date.now() + 60_000 }).first.completed();
		await send(funnel, [completed]);
		expect(await outcomeOf(funnel, completed)).toMatch(RECORDED);
	});
});

test('an event from the sandbox makes test records and changes nothing real', async () => {
	const funnel = await aPaddleFunnel();
	const { first } = await aPaddleStory(funnel);
	const [completed, refund] = [first.completed(), first.refund().created()];
	await send(funnel, [completed, refund], funnel.testSecret);
	expect(await outcomeOf(funnel, completed)).toMatch(/^applied: Test record: nothing real has changed\./);
	expect((await inboxOf(funnel)).map(({ test: isTest }) => isTest)).toEqual([true, true]);
	expect(await balanceOf(funnel)).toBe(0);
	const again = first.completed();
	await send(funnel, [again]);
	expect(await outcomeOf(funnel, again)).toMatch(RECORDED);
});
