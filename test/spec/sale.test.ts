import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { bearer, trackWith } from '../support/bindings.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { aClick, aFunnel, aLead, aPartner, aSale, balanceOf, type Funnel, rows, sharedOwner, track } from '../support/funnel.ts';
import { api, aProgram, signUp, unique } from '../support/world.ts';

// Contract, 4.3 and section 7; decisions 11 to 12.

let funnel: Funnel;
let customerKey: string;
beforeAll(async () => {
	funnel = await aFunnel();
	customerKey = await aLead(funnel);
});

/** Valid unless the overrides make it invalid. */
function sell(overrides: Record<string, unknown> = {}, key = funnel.apiToken) {
	return track('sale', { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: customerKey, ...overrides }, key);
}

async function storedSale(saleId: unknown) {
	const [sale] = await rows('SELECT * FROM affiliate_sale_events WHERE id = ?', saleId);
	return sale ?? {};
}

describe('a sale that is refused with 400', () => {
	const TRANSACTION = 'transaction_id is required and must be a string';
	const AMOUNT = 'amount_cents is required and must be a positive integer';
	test.each([
		[{ transaction_id: undefined }, TRANSACTION],
		[{ transaction_id: null }, TRANSACTION],
		[{ transaction_id: 17 }, TRANSACTION],
		[{ transaction_id: '' }, TRANSACTION],
		[{ transaction_id: ' \t ' }, TRANSACTION],
		[{ transaction_id: ['txn'] }, TRANSACTION],
		[{ transaction_id: 'x'.repeat(256) }, 'transaction_id must be at most 255 characters'],
		[{ transaction_id: 'line\nbreak' }, 'transaction_id must not contain control characters'],
		[{ transaction_id: '\ud800' }, 'transaction_id must be well-formed Unicode'],
		[{ amount_cents: undefined }, AMOUNT],
		[{ amount_cents: null }, AMOUNT],
		[{ amount_cents: 0 }, AMOUNT],
		[{ amount_cents: -1 }, AMOUNT],
		[{ amount_cents: 1.5 }, AMOUNT],
		[{ amount_cents: '100' }, AMOUNT],
		[{ amount_cents: true }, AMOUNT],
		[{ amount_cents: 100_000_000_000 }, AMOUNT],
		[{ amount_cents: 1e300 }, AMOUNT],
		[{ transaction_id: 5, amount_cents: 0, currency: 'nope' }, TRANSACTION],
		[{ amount_cents: 0, currency: 'nope', customer_key: 5 }, AMOUNT],
		[{ currency: 'ZZZ' }, 'currency must be an ISO 4217 code, e.g. USD'],
		[{ currency: 840 }, 'currency must be an ISO 4217 code, e.g. USD'],
		[{ customer_key: 5 }, 'customer_key must be a string'],
		...['undefined', 'null', 'NaN', '[object Object]'].map((customer_key): [Record<string, unknown>, string] => [
			{ customer_key },
			'customer_key must be your own id of the customer: this is a missing value that was turned into text, and all such customers would share it',
		]),
		[{ click_id: {} }, 'click_id must be a string'],
		[{ sale_type: 'gift' }, 'sale_type must be payment or subscription'],
		[{ is_recurring: 'yes' }, 'is_recurring must be true or false'],
		[{ subscription_interval: 'daily' }, 'subscription_interval must be monthly, quarterly or annual'],
		[{ line_items: 'a shirt' }, 'line_items must be an object'],
		[{ product_id: 'x'.repeat(256) }, 'product_id must be at most 255 characters'],
		[{ additional_data: 'test' }, 'additional_data must be an object'],
		[{ additional_data: { test_mode: 'true' } }, 'additional_data.test_mode must be true or false'],
		[{ additional_data: { test_mode: 1 } }, 'additional_data.test_mode must be true or false'],
		[{ customer_key: undefined }, 'Customer not found. Provide customer_key or click_id.'],
		[{ customer_key: '' }, 'Customer not found. Provide customer_key or click_id.'],
		[{ customer_key: 'nobody' }, 'Customer not found. Provide customer_key or click_id.'],
		[{ customer_key: undefined, click_id: 'cust_1_2' }, 'Customer not found. Provide customer_key or click_id.'],
		[{ customer_key: 'nobody', click_id: 'cust_1_2' }, 'Customer not found. Provide customer_key or click_id.'],
	])('%j: %s', async (overrides, error) => {
		const { status, body } = await sell(overrides);
		expect([status, body]).toEqual([400, { error }]);
	});

	test.each(['no JSON', '[]', 'null', '"text"'])('a body that is %s', async (text) => {
		expect((await track('sale', text, funnel.apiToken)).status).toBe(400);
	});

	test('a customer who is unknown, or belongs to another program or tenant', async () => {
		const sister = await aFunnel();
		const sistersKey = await aLead(sister);
		const elsewhere = 'No affiliate attribution found for this customer in this program';
		expect((await sell({ customer_key: sistersKey })).body).toEqual({ error: elsewhere });
		expect((await sell({ customer_key: undefined, click_id: await aClick(sister) })).body).toEqual({ error: elsewhere });

		const stranger = await signUp();
		const program = await aProgram(stranger);
		const partner = await aPartner(stranger, program.id);
		const strangers = { ...program, ...partner, owner: stranger };
		expect((await sell({ customer_key: await aLead(strangers) })).body).toEqual({
			error: 'Customer not found. Provide customer_key or click_id.',
		});
		expect((await sell({ customer_key: undefined, click_id: await aClick(strangers) })).body).toEqual({ error: elsewhere });
	});

	test('a customer without a partner', async () => {
		const key = unique('direct');
		expect((await track('lead', { customer_key: key }, funnel.apiToken)).status).toBe(200);
		expect((await sell({ customer_key: key })).body).toEqual({ error: 'partnerId required to create commission' });
	});

	test('a customer or click whose membership has ended', async () => {
		const by = await sharedOwner();
		const gone = { ...funnel, ...(await aPartner(by, funnel.id)) };
		const [key, clickId] = [await aLead(gone), await aClick(gone)];
		await api(`/api/v1/programs/${funnel.id}/partners/${gone.partnerId}`, { token: by.token, method: 'DELETE' });
		const error = 'No partner-program relationship found for this customer';
		expect((await sell({ customer_key: key })).body).toEqual({ error });
		expect((await sell({ customer_key: undefined, click_id: clickId })).body).toEqual({ error });
	});

	test('stores nothing, and leaves its transaction_id free', async () => {
		const transactionId = unique('txn');
		for (const wrong of [{ amount_cents: 0 }, { currency: 'ZZZ' }, { customer_key: 'nobody' }]) {
			expect((await sell({ transaction_id: transactionId, ...wrong })).status).toBe(400);
		}
		const direct = unique('direct');
		await track('lead', { customer_key: direct }, funnel.apiToken);
		expect((await sell({ transaction_id: transactionId, customer_key: direct })).status).toBe(400);
		expect(await rows('SELECT id FROM affiliate_sale_events WHERE processor_event_id = ?', transactionId)).toEqual([]);
		expect(await rows('SELECT status, first_purchase_date FROM customers WHERE customer_key = ?', direct)).toEqual([
			{ status: 'lead', first_purchase_date: null },
		]);
		expect((await sell({ transaction_id: transactionId })).status).toBe(200);
	});
});

describe('who may report a sale', () => {
	test.each([
		[{}, 'Authorization header is required: Authorization: Bearer <API_KEY>'],
		[{ Authorization: 'Basic abc' }, 'Authorization header is required: Authorization: Bearer <API_KEY>'],
		[{ Authorization: 'Bearer  ' }, 'Authorization header is required: Authorization: Bearer <API_KEY>'],
		[{ Authorization: 'Bearer wrong' }, 'Invalid API key: the token matches no active program'],
	])('%j is refused with 401, before any error in the body', async (headers, error) => {
		for (const body of [{ transaction_id: unique('txn'), amount_cents: 1, customer_key: customerKey }, {}, 'no JSON']) {
			const answer = await track('sale', body, undefined, headers);
			expect([answer.status, answer.body]).toEqual([401, { error }]);
		}
	});

	test('the key of an inactive program', async () => {
		const asleep = await aFunnel();
		const key = await aLead(asleep);
		await env.DB.prepare('UPDATE programs SET active = 0 WHERE id = ?').bind(asleep.id).run();
		expect((await sell({ customer_key: key }, asleep.apiToken)).status).toBe(401);
	});
});

describe('a transaction_id', () => {
	test('is accepted once: then 409 says not to send it again, whatever else the repeat contains', async () => {
		const { transactionId } = await aSale(funnel);
		const refusal = {
			error: 'Duplicate transaction_id. This sale has already been recorded.',
			message: expect.any(String),
			statusCode: 409,
		};
		for (const repeat of [{}, { amount_cents: 1 }, { customer_key: 'nobody' }, { customer_key: undefined }]) {
			const { status, body } = await sell({ transaction_id: transactionId, ...repeat });
			expect([status, body]).toMatchObject([409, refusal]);
		}
		expect((await sell({ transaction_id: transactionId, amount_cents: 0 })).status).toBe(400);
		expect((await sell({ transaction_id: transactionId, sale_type: 'gift' })).status).toBe(400);
	});

	test('is unique over all programs; another program is advised to prefix its ids', async () => {
		const { transactionId } = await aSale(funnel);
		const other = await aFunnel();
		const { status, body } = await sell({ transaction_id: transactionId, customer_key: await aLead(other) }, other.apiToken);
		expect([status, body['error'], body['statusCode']]).toEqual([
			409,
			'Duplicate transaction_id. This sale has already been recorded.',
			409,
		]);
		expect(body['message']).toMatch(/prefix/);
		expect(await balanceOf(other)).toBe(0);
	});

	test('is compared exactly: case, surrounding spaces and scripts matter; 255 characters fit', async () => {
		const id = unique('txn');
		for (const transactionId of [id, id.toUpperCase(), ` ${id}`, `${id}\u00e9`, `${id}e\u0301`, `${id}${'x'.repeat(255 - id.length)}`]) {
			expect((await sell({ transaction_id: transactionId })).status, transactionId).toBe(200);
		}
	});
});

describe('the record', () => {
	test('has the defaults', async () => {
		const { body } = await sell();
		expect(await storedSale(body['sale_id'])).toMatchObject({
			program_id: funnel.id,
			is_test: 0,
			partner_program_id: funnel.partnerProgramId,
			amount_cents: 10_000,
			currency: 'USD',
			sale_type: 'payment',
			is_recurring: 0,
			subscription_id: null,
			subscription_interval: null,
			product_id: null,
			line_items: null,
			inside_window: 1,
			commission_state: 'made',
			refunded_cents: 0,
			sale_day: new Date().toISOString().slice(0, 10),
		});
	});

	test('has every field that was sent; null and blank count as missing, unknown fields are ignored', async () => {
		const lineItems = { shirt: { quantity: 2, price: 19.99 }, note: 'für Ünal 🎁', nested: [[1], { deep: null }] };
		const details = {
			currency: 'eur',
			sale_type: 'subscription',
			is_recurring: true,
			subscription_id: 'sub_1',
			subscription_interval: 'annual',
			product_id: 'pro',
		};
		const { body } = await sell({ ...details, line_items: lineItems, colour: 'red', additional_data: { test_mode: false, more: 1 } });
		const sale = await storedSale(body['sale_id']);
		expect(sale).toMatchObject({ ...details, currency: 'EUR', is_recurring: 1 });
		expect(JSON.parse(String(sale['line_items']))).toEqual(lineItems);

		const blank = {
			currency: null,
			sale_type: null,
			is_recurring: null,
			product_id: ' ',
			line_items: null,
			additional_data: { test_mode: null },
		};
		const { status, body: plain } = await sell({ ...blank, click_id: '' });
		expect(status).toBe(200);
		expect(await storedSale(plain['sale_id'])).toMatchObject({ currency: 'USD', sale_type: 'payment', product_id: null });
	});

	test.each([
		[1, 'USD', 0],
		[3, 'USD', 1],
		[99_999_999_999, 'USD', 20_000_000_000],
		[1_234, 'jpy', 247],
		[1_234, 'Kwd', 247],
		[12, 'USD', 2],
		[13, 'USD', 3],
	])('for %i %s the partner gets a fifth, half up: %i', async (amountCents, currency, commissionCents) => {
		const place = await aFunnel();
		const { status, body } = await sell({ amount_cents: amountCents, currency, customer_key: await aLead(place) }, place.apiToken);
		expect([status, body['commission_id']]).toEqual([200, expect.any(Number)]);
		expect(await balanceOf(place, currency.toUpperCase())).toBe(commissionCents);
		expect(await storedSale(body['sale_id'])).toMatchObject({ amount_cents: amountCents, currency: currency.toUpperCase() });
	});

	test("without a currency it is in the program's", async () => {
		const place = await aFunnel({ currency: 'KWD' });
		const { saleId } = await aSale(place);
		expect(await storedSale(saleId)).toMatchObject({ currency: 'KWD' });
		expect(await balanceOf(place, 'KWD')).toBe(2_000);
	});

	test('its customer becomes a conversion on the day of the first purchase, and stays one', async () => {
		const key = await aLead(funnel);
		await sell({ customer_key: key });
		await sell({ customer_key: key });
		const today = new Date().toISOString().slice(0, 10);
		expect(await rows('SELECT status, signup_date, first_purchase_date FROM customers WHERE customer_key = ?', key)).toEqual([
			{ status: 'conversion', signup_date: today, first_purchase_date: today },
		]);
	});

	test('by a click without a lead, before the click is recorded: its customer has no signup', async () => {
		const { body: clicked } = await trackWith({ CLICKS: holdingQueue() }, 'click', {
			affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`,
		});
		const clickId = clicked['click_id'];
		const { status, body } = await trackWith(
			{ CLICKS: holdingQueue() },
			'sale',
			{ transaction_id: unique('txn'), amount_cents: 100, click_id: clickId },
			bearer(funnel.apiToken),
		);
		expect([status, body['commission_id']]).toEqual([200, expect.any(Number)]);
		expect(await rows('SELECT customer_key, status, signup_date FROM customers WHERE click_id = ?', clickId)).toEqual([
			{ customer_key: null, status: 'conversion', signup_date: null },
		]);
		expect(await rows('SELECT id FROM affiliate_click_events WHERE click_id = ?', clickId)).toEqual([]);
		const again = await sell({ customer_key: undefined, click_id: clickId });
		expect(again.status).toBe(200);
		expect(await rows('SELECT id FROM customers WHERE click_id = ?', clickId)).toHaveLength(1);
	});
});
