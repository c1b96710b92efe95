import { describe, expect, test } from 'vitest';
import { aCustomFunnel, customEvent, outcomes, receiveCustom, sendCustom } from '../support/custom-webhook.ts';
import { aTracker } from '../support/faulty-network.ts';
import { aClick, aFunnel, aLead, type Funnel, rows, track } from '../support/funnel.ts';
import { aStory, aStripeFunnel, backendSells, outcomeOf, receive, send } from '../support/inbox.ts';
import { api, unique } from '../support/world.ts';

// If an id is repeated with different facts, the differences are listed. An exact repetition is not (decision 54).

const ERROR = 'Duplicate transaction_id. This sale has already been recorded.';
const SILENT = { error: ERROR, message: 'The sale is recorded. Do not send it again.', statusCode: 409 };

interface WireRefusal {
	readonly code: string;
	readonly message: string;
	readonly operation: string;
	readonly transaction_id: string | null;
	readonly amount_cents: number | null;
	readonly routine: boolean;
}

async function answerOf({ apiToken }: Funnel, sale: object) {
	const { status, body } = await track('sale', sale, apiToken);
	return { status, body };
}

const refusalsOf = async ({ id, owner }: Funnel) => (await api<WireRefusal[]>(`/api/v1/programs/${id}/refusals`, owner)).body.data;

async function aFunnelWithSale() {
	const funnel = await aFunnel();
	const sale = { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: await aLead(funnel) };
	expect(await track('sale', sale, funnel.apiToken)).toMatchObject({ status: 200 });
	return { funnel, sale };
}

const usd = (amount_cents: number) => ({ amount_cents, currency: 'USD' });

describe('a sale under a transaction_id that the program has used', () => {
	test('is not listed if it is the same sale', async () => {
		const { funnel, sale } = await aFunnelWithSale();
		for (const again of [sale, { ...sale, currency: 'usd' }, { ...sale, product_id: 'pro', click_id: await aClick(funnel) }])
			expect(await answerOf(funnel, again)).toEqual({ status: 409, body: SILENT });
		expect(await refusalsOf(funnel)).toEqual([]);
	});

	test('is not listed if it came by a click or a coupon', async () => {
		const funnel = await aFunnel();
		const sale = { transaction_id: unique('txn'), amount_cents: 10_000, click_id: await aClick(funnel) };
		expect(await track('sale', sale, funnel.apiToken)).toMatchObject({ status: 200 });
		expect(await answerOf(funnel, sale)).toEqual({ status: 409, body: SILENT });
		expect(await track('sale', { ...sale, click_id: await aClick(funnel) }, funnel.apiToken)).toMatchObject({
			body: { differs: ['customer'] },
		});
	});

	test('names the differing facts without revealing the customer, and is listed', async () => {
		const { funnel, sale } = await aFunnelWithSale();
		const other = await aLead(funnel);
		const again = { ...sale, amount_cents: 4_900, currency: 'EUR', customer_key: other };
		const { status, body } = await track('sale', again, funnel.apiToken);
		expect({ status, body }).toEqual({
			status: 409,
			body: {
				error: ERROR,
				message:
					'This transaction_id is already recorded with different data: 100.00 USD is recorded and you sent 49.00 EUR, and the sale belongs to another customer. Nothing was changed. Send a different payment under its own transaction_id.',
				statusCode: 409,
				differs: ['amount_cents', 'currency', 'customer'],
			},
		});
		expect(JSON.stringify(body)).not.toContain(sale.customer_key);
		await expect
			.poll(() => refusalsOf(funnel))
			.toMatchObject([
				{
					operation: 'sale',
					code: 'transaction_recorded_differently',
					message: expect.stringMatching(/^Duplicate transaction_id\. .* recorded with different data: 100\.00 USD/),
					transaction_id: sale.transaction_id,
					amount_cents: 4_900,
					routine: false,
				},
			]);
		expect(await rows('SELECT amount_cents FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([
			{ amount_cents: 10_000 },
		]);
	});

	test('reveals nothing to another program', async () => {
		const { sale } = await aFunnelWithSale();
		const funnel = await aFunnel();
		const again = { ...sale, amount_cents: 1, customer_key: await aLead(funnel) };
		expect(await answerOf(funnel, again)).toEqual({
			status: 409,
			body: {
				error: ERROR,
				message: 'Another program has used this transaction_id. Ids are unique across all programs, so add your own prefix to them.',
				statusCode: 409,
			},
		});
	});

	test('reaches users of the SDK', async () => {
		const { funnel, sale } = await aFunnelWithSale();
		const tracker = aTracker(funnel);
		expect(await tracker.sale(sale)).toMatchObject({ recorded: true, duplicate: true, differs: [] });
		expect(await tracker.sale({ ...sale, amount_cents: 1 })).toMatchObject({
			recorded: true,
			duplicate: true,
			differs: ['amount_cents'],
			message: expect.stringContaining('100.00 USD is recorded and you sent 0.01 USD'),
		});
	});
});

describe('a repeated webhook-id', () => {
	test('with different facts is refused and listed, and changes nothing', async () => {
		const funnel = await aCustomFunnel();
		const customer_key = await aLead(funnel);
		const payment_id = unique('order');
		const event = customEvent('payment', { payment_id, customer_key, ...usd(10_000) });
		await sendCustom(funnel, event);
		const other = {
			...event,
			body: { type: 'payment', timestamp: new Date().toISOString(), data: { payment_id, customer_key, ...usd(4_900) } },
		};
		expect(await receiveCustom(funnel, other)).toMatchObject({
			status: 409,
			body: {
				error: `The webhook-id ${event.id} was already used for a different event: data.amount_cents differ. Nothing was changed. Use a new webhook-id for each event, and resend an event without changes.`,
			},
		});
		await expect
			.poll(() => refusalsOf(funnel))
			.toMatchObject([
				{
					operation: 'sale',
					source: 'webhook',
					code: 'event_differs',
					message: expect.stringContaining(event.id),
					transaction_id: payment_id,
					amount_cents: 4_900,
					routine: false,
				},
			]);
		const refund = customEvent('refund', { refund_id: 'r', payment_id, ...usd(500) });
		expect(await receiveCustom(funnel, { ...event, body: refund.body })).toMatchObject({
			status: 409,
			body: { error: expect.stringMatching(/: type, data\..* differ\. /) },
		});
	});

	test('is not listed if only its format, timestamp or signature differs', async () => {
		const funnel = await aCustomFunnel();
		const data = { payment_id: unique('order'), customer_key: await aLead(funnel), ...usd(10_000) };
		const event = customEvent('payment', data, { at: Date.now() - 60_000 });
		await sendCustom(funnel, event, event);
		const again = { data: { ...data, currency: 'usd', tax_cents: null, note: 'x' }, timestamp: new Date().toISOString(), type: 'payment' };
		expect(await receiveCustom(funnel, { ...event, body: again })).toMatchObject({ status: 200 });
		expect(await refusalsOf(funnel)).toEqual([]);
	});

	test('with a dispute at another time is another event', async () => {
		const funnel = await aCustomFunnel();
		const data = { dispute_id: 'd', payment_id: unique('order'), ...usd(10_000) };
		const event = customEvent('dispute', data, { at: Date.now() - 60_000 });
		await sendCustom(funnel, event, event);
		expect(await receiveCustom(funnel, { ...event, body: customEvent('dispute', data).body })).toMatchObject({ status: 409 });
	});

	test('is accepted from Stripe as before', async () => {
		const funnel = await aStripeFunnel();
		const event = (await aStory(funnel)).checkout.completed();
		await send(funnel, event);
		expect(await receive(funnel, { ...event, pending_webhooks: 7 })).toMatchObject({ status: 200 });
	});
});

describe("a processor's payment under a known id", () => {
	test('with another amount names both amounts', async () => {
		const funnel = await aCustomFunnel();
		const customer_key = await aLead(funnel);
		const transaction_id = unique('order');
		await backendSells(funnel, { transaction_id, customer_key, amount_cents: 10_000 });
		const paid = (cents: number) =>
			customEvent('payment', { payment_id: transaction_id, customer_key, amount_cents: cents, currency: 'USD' });
		const [other, same] = [paid(4_900), paid(10_000)];
		await sendCustom(funnel, other, same);
		const told = await outcomes(funnel);
		expect(told.get(other.id)).toMatch(
			/^applied: Already recorded as sale \d+ of 100\.00 USD. This payment says 49\.00 USD, which changes nothing$/,
		);
		expect(told.get(same.id)).toMatch(/^applied: Already recorded as sale \d+$/);
	});

	test("is not listed if only Stripe's tax differs", async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel);
		await send(funnel, story.checkout.completed(), story.first.paymentIntentSucceeded());
		expect(await outcomeOf(funnel, story.first.paymentIntentSucceeded())).not.toContain('this payment says');
	});
});
