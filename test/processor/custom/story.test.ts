import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/domain/calendar.ts';
import { aCustomFunnel, customEvent, type CustomEvent, type CustomFunnel, outcomes, sendCustom } from '../../support/custom-webhook.ts';
import { backendSells, inboxOf, tickAt, work } from '../../support/inbox.ts';
import { aClick, aLead, balanceOf, rows, track } from '../../support/funnel.ts';
import { expectSoundLedger } from '../../support/sound-ledger.ts';
import { api, unique } from '../../support/world.ts';

// Complete timelines through the custom webhook, over HTTP with real signatures. A sale earns 20 %.

interface Ids {
	readonly payment: string;
	readonly subscription: string;
	readonly customer: string;
}

const idsOf = async (funnel: CustomFunnel): Promise<Ids> => ({
	payment: unique('order'),
	subscription: unique('plan'),
	customer: await aLead(funnel),
});
const usd = (amount_cents: number) => ({ amount_cents, currency: 'USD' });
const paid = ({ payment, customer }: Ids, more: Record<string, unknown> = {}) =>
	customEvent('payment', { payment_id: payment, customer_key: customer, ...usd(10_000), ...more });
const renewed = ({ subscription }: Ids, payment: string, more: Record<string, unknown> = {}) =>
	customEvent('renewal', { payment_id: payment, subscription_id: subscription, ...usd(10_000), ...more });
const refunded = ({ payment }: Ids, refund_id: string, cents: number, status?: string) =>
	customEvent('refund', { refund_id, payment_id: payment, ...usd(cents), ...(status === undefined ? {} : { status }) });
const disputed = ({ payment }: Ids, status?: string, cents = 10_000) =>
	customEvent('dispute', { dispute_id: `d-${payment}`, payment_id: payment, ...usd(cents), ...(status === undefined ? {} : { status }) });

/** A dispute that is won and, a minute later, lost. */
const wonThen = (ids: Ids, status: string) => {
	const at = Date.now();
	const data = { dispute_id: `d-${ids.payment}`, payment_id: ids.payment, ...usd(10_000) };
	return [customEvent('dispute', { ...data, status: 'won' }, { at }), customEvent('dispute', { ...data, status }, { at: at + 60_000 })];
};

const salesOf = ({ id }: CustomFunnel) =>
	rows<{ processor_event_id: string; amount_cents: number; refunded_cents: number; currency: string }>(
		'SELECT processor_event_id, amount_cents, refunded_cents, currency FROM affiliate_sale_events WHERE program_id = ? ORDER BY processor_event_id',
		id,
	);

/** Sends the events shuffled, some of them twice. */
async function sendShuffled(funnel: CustomFunnel, events: readonly CustomEvent[], order: readonly number[]): Promise<void> {
	const byOrder = events.toSorted((one, other) => (order[events.indexOf(one)] ?? 0) - (order[events.indexOf(other)] ?? 0));
	await sendCustom(funnel, ...byOrder, ...byOrder.slice(0, 2));
	await tickAt(Date.now() + HOUR_MS);
}

describe('a payment', () => {
	test.each<[currency: string, cents: number, tax: number, sale: number, commission: number]>([
		['USD', 11_900, 1_900, 10_000, 2_000],
		['JPY', 1_100, 100, 1_000, 200],
		['KWD', 10_005, 0, 10_005, 2_001],
		['UYW', 123_456, 3_456, 120_000, 24_000],
		['ISK', 555, 0, 555, 111],
		['eur', 500, 0, 500, 100],
	])('of %s %i with %i tax is a sale of %i and earns %i', async (currency, amount_cents, tax_cents, sale, commission) => {
		const funnel = await aCustomFunnel();
		const ids = await idsOf(funnel);
		const event = paid(ids, { amount_cents, tax_cents, currency });
		await sendCustom(funnel, event);
		expect((await outcomes(funnel)).get(event.id)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
		expect(await salesOf(funnel)).toMatchObject([
			{ processor_event_id: ids.payment, amount_cents: sale, currency: currency.toUpperCase() },
		]);
		expect(await balanceOf(funnel, currency.toUpperCase())).toBe(commission);
	});

	test('counts with tax and shipping if the program says so, and without both otherwise', async () => {
		const [net, gross] = [await aCustomFunnel(), await aCustomFunnel({}, 'gross')];
		for (const funnel of [net, gross]) await sendCustom(funnel, paid(await idsOf(funnel), { tax_cents: 1_500, shipping_cents: 500 }));
		expect([await balanceOf(net), await balanceOf(gross)]).toEqual([1_600, 2_000]);
	});

	test('of nothing but tax is recorded in the inbox and makes no sale', async () => {
		const funnel = await aCustomFunnel();
		const event = paid(await idsOf(funnel), { tax_cents: 10_000 });
		await sendCustom(funnel, event);
		expect((await outcomes(funnel)).get(event.id)).toBe('ignored: payment of nothing but tax and shipping');
		expect(await salesOf(funnel)).toEqual([]);
	});

	test('is one sale if the backend reports it too', async () => {
		const funnel = await aCustomFunnel();
		const ids = await idsOf(funnel);
		const event = paid(ids);
		await backendSells(funnel, { transaction_id: ids.payment, customer_key: ids.customer });
		await sendCustom(funnel, event);
		expect((await outcomes(funnel)).get(event.id)).toMatch(/^applied: Already recorded as sale/);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('by a click alone creates the customer', async () => {
		const funnel = await aCustomFunnel();
		const event = customEvent('payment', { payment_id: unique('order'), click_id: await aClick(funnel), ...usd(5_000) });
		await sendCustom(funnel, event);
		expect(await balanceOf(funnel)).toBe(1_000);
	});

	test('of an unknown customer waits for the lead, then is recorded', async () => {
		const funnel = await aCustomFunnel();
		const clickId = await aClick(funnel);
		const ids = { payment: unique('order'), subscription: '', customer: unique('customer') };
		const event = paid(ids);
		await sendCustom(funnel, event);
		expect((await outcomes(funnel)).get(event.id)).toMatch(/^waiting: waits: no customer has its customer_key or click_id yet/);
		await track('lead', { click_id: clickId, customer_key: ids.customer }, funnel.apiToken);
		await tickAt(Date.now() + HOUR_MS);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('in test mode changes nothing real, nor does its refund', async () => {
		const funnel = await aCustomFunnel();
		const ids = await idsOf(funnel);
		const data = { payment_id: ids.payment, customer_key: ids.customer, ...usd(10_000) };
		const events = [
			customEvent('payment', data, { test: true }),
			customEvent('refund', { refund_id: 'r', payment_id: ids.payment, ...usd(500) }, { test: true }),
		];
		await sendCustom(funnel, ...events);
		for (const [, outcome] of await outcomes(funnel)) expect(outcome).toMatch(/^applied: Test record: nothing real has changed/);
		expect(await balanceOf(funnel)).toBe(0);
		expect((await inboxOf(funnel)).map(({ test: isTest }) => isTest)).toEqual([true, true]);
	});
});

describe('refunds and disputes, in any order, with repeats', () => {
	const stories: [what: string, eventsOf: (ids: Ids) => CustomEvent[], balance: number, back: number][] = [
		['in full', (ids) => [paid(ids), refunded(ids, 'r1', 10_000)], 0, 10_000],
		['in part', (ids) => [paid(ids), refunded(ids, 'r1', 2_500)], 1_500, 2_500],
		['in several parts', (ids) => [paid(ids), refunded(ids, 'r1', 2_500), refunded(ids, 'r2', 5_000)], 500, 7_500],
		['pending, then through', (ids) => [paid(ids), refunded(ids, 'r1', 2_500, 'pending'), refunded(ids, 'r1', 2_500)], 1_500, 2_500],
		[
			'of which one failed',
			(ids) => [paid(ids), refunded(ids, 'r1', 2_500), refunded(ids, 'r2', 5_000), refunded(ids, 'r2', 5_000, 'failed')],
			1_500,
			2_500,
		],
		['and canceled', (ids) => [paid(ids), refunded(ids, 'r1', 4_000, 'pending'), refunded(ids, 'r1', 4_000, 'canceled')], 2_000, 0],
		['more than was paid', (ids) => [paid(ids), refunded(ids, 'r1', 8_000), refunded(ids, 'r2', 8_000)], 0, 10_000],
		['by a dispute that is lost', (ids) => [paid(ids), disputed(ids), disputed(ids, 'lost')], 0, 10_000],
		['by a dispute that is won', (ids) => [paid(ids), disputed(ids), disputed(ids, 'won')], 2_000, 0],
		['by a dispute that is won, and lost after all', (ids) => [paid(ids), disputed(ids), ...wonThen(ids, 'lost')], 0, 10_000],
		['by a dispute that is won, and opened again', (ids) => [paid(ids), disputed(ids), ...wonThen(ids, 'open')], 0, 10_000],
		['by a part and a dispute over the rest', (ids) => [paid(ids), refunded(ids, 'r1', 4_000), disputed(ids, 'open', 6_000)], 0, 10_000],
		[
			'with tax: a share of what was paid',
			(ids) => [paid(ids, { amount_cents: 12_000, tax_cents: 2_000 }), refunded(ids, 'r1', 6_000)],
			1_000,
			5_000,
		],
	];
	test.each(stories)(
		'%s',
		async (_what, eventsOf, balance, back) => {
			await fc.assert(
				fc.asyncProperty(fc.array(fc.integer(), { minLength: 5, maxLength: 5 }), async (order) => {
					const funnel = await aCustomFunnel();
					const events = eventsOf(await idsOf(funnel));
					await sendShuffled(funnel, events, order);
					expect(await balanceOf(funnel)).toBe(balance);
					expect(await salesOf(funnel)).toMatchObject([{ refunded_cents: back }]);
					for (const [id, outcome] of await outcomes(funnel)) expect(outcome, id).toMatch(/^applied: /);
					await expectSoundLedger(funnel);
				}),
				{ numRuns: inject('thorough') ? 3 : 1 },
			);
		},
		60_000,
	);

	test('of a payment that never arrives expire with a reason, and can be replayed once it has', async () => {
		const funnel = await aCustomFunnel();
		const ids = await idsOf(funnel);
		const refund = refunded(ids, 'r1', 5_000);
		await sendCustom(funnel, refund);
		await tickAt(Date.now() + 5 * DAY_MS);
		expect((await outcomes(funnel)).get(refund.id)).toBe('expired: no sale of this payment was recorded');
		await sendCustom(funnel, paid(ids));
		const [event] = await inboxOf(funnel, `?event_id=${refund.id}`);
		await api(`${funnel.path}/processor-events/${event?.id}/replay`, { method: 'POST', token: funnel.owner.token });
		await work([{ version: 1, kind: 'processor_events', ids: [event?.id] }]);
		expect((await outcomes(funnel)).get(refund.id)).toMatch(/^applied: Refund of 50\.00 USD/);
		expect(await balanceOf(funnel)).toBe(1_000);
	});

	test("do not add up with the backend's report of the same refund", async () => {
		const funnel = await aCustomFunnel();
		const ids = await idsOf(funnel);
		await sendCustom(funnel, paid(ids));
		await track('refund', { transaction_id: ids.payment, refund_amount_cents: 2_500, refund_id: 'r1' }, funnel.apiToken);
		await sendCustom(funnel, refunded(ids, 'r1', 2_500));
		expect(await balanceOf(funnel)).toBe(1_500);
	});
});

describe('a subscription', () => {
	test.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 2, 0]]])("renewals without a customer inherit the first payment's: order %j", async (order) => {
		const funnel = await aCustomFunnel();
		const ids = await idsOf(funnel);
		const events = [paid(ids, { subscription_id: ids.subscription }), renewed(ids, unique('order')), renewed(ids, unique('order'))];
		await sendShuffled(funnel, events, order);
		expect(await balanceOf(funnel)).toBe(6_000);
		for (const [, outcome] of await outcomes(funnel)) expect(outcome).toMatch(/^applied: /);
	});

	test('a renewal without any information waits, and expires with advice on what to send', async () => {
		const funnel = await aCustomFunnel();
		const renewal = renewed({ payment: '', customer: '', subscription: unique('plan') }, unique('order'));
		await sendCustom(funnel, renewal);
		await tickAt(Date.now() + 5 * DAY_MS);
		expect((await outcomes(funnel)).get(renewal.id)).toBe(
			'expired: renewal not attributed: nothing reported whose subscription it is. Send customer_key or click_id with it, or with the signup or first payment of the subscription',
		);
	});

	test('that begins with a trial is a signup, and its first payment a sale', async () => {
		const funnel = await aCustomFunnel();
		const clickId = await aClick(funnel);
		const ids = { payment: unique('order'), customer: unique('customer'), subscription: unique('plan') };
		const trial = customEvent('signup', { customer_key: ids.customer, click_id: clickId, subscription_id: ids.subscription, trial: true });
		await sendCustom(funnel, trial);
		expect((await outcomes(funnel)).get(trial.id)).toMatch(/^applied: Lead \d+ recorded/);
		await sendCustom(funnel, customEvent('payment', { payment_id: ids.payment, subscription_id: ids.subscription, ...usd(10_000) }));
		await sendCustom(funnel, renewed(ids, unique('order')));
		expect(await balanceOf(funnel)).toBe(4_000);
		const end = customEvent('subscription_end', { subscription_id: ids.subscription });
		await sendCustom(funnel, end);
		expect((await outcomes(funnel)).get(end.id)).toBe('applied: The end of the subscription is recorded');
	});

	test('a proration earns a percentage', async () => {
		const funnel = await aCustomFunnel();
		const ids = await idsOf(funnel);
		await sendCustom(
			funnel,
			paid(ids, { subscription_id: ids.subscription }),
			renewed(ids, unique('order'), { amount_cents: 500, proration: true }),
		);
		expect(await balanceOf(funnel)).toBe(2_100);
	});
});
