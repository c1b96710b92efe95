import { beforeAll, describe, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { daysAgo, linkIdOf, mintClickId } from '../support/clock.ts';
import type { Funnel } from '../support/funnel.ts';
import { aCrowd, aLoneFunnel, aSettledLead, aSettledSale, call, expectRows, type Rows, rowsOf, settled } from '../support/rows.ts';
import { api, unique } from '../support/world.ts';

// How many D1 rows a single call and its effects write and read. Writing a row costs as much as reading a thousand. By default, customers
// have no country and no source, each of which would add a breakdown row.

const HOLD_DAYS = 30;
const CART = ['tea', 'mug', 'pot'].map((product_id) => ({ product_id, amount_cents: 1_000 }));
const CLICKS_OF_A_DELIVERY = 100;

let funnel: Funnel;
let holding: Funnel;
beforeAll(async () => {
	funnel = await aLoneFunnel();
	holding = await aLoneFunnel({ commission: { type: 'percent', percent: 20, hold_days: HOLD_DAYS } });
	// After this, both programs have their rows for the day, link, country and source.
	for (const of of [funnel, holding]) await aSettledSale(of, await aSettledLead(of, await aKnownClick(of)));
	await aCrowd(funnel);
});

const clickBody = (of: Funnel) => ({ affiliate_url: `https://shop.example/?aff=${of.shortLink}`, referrer_url: 'https://blog.example/' });
const sale = (fields: object) => ({ transaction_id: unique('txn'), amount_cents: 10_000, ...fields });
const aLead = () => aSettledLead(funnel);
const aSale = async () => aSettledSale(funnel, await aLead());

/** The id of a click whose row is missing. */
const anUnknownClick = async (clickedAt = Date.now()) => mintClickId(await linkIdOf(funnel), { clickedAt });
/** The id of a click whose row has a country and source. */
async function aKnownClick(of: Funnel): Promise<string> {
	const { click_id } = await settled((held) => call(held, of, 'click', clickBody(of)));
	return String(click_id);
}
async function aBuyer(): Promise<string> {
	const customer_key = await aLead();
	await aSettledSale(funnel, customer_key);
	return customer_key;
}
async function aPaidSale(): Promise<string> {
	const { transactionId, commissionId } = await aSale();
	const paying = { token: funnel.owner.token, body: { commission_ids: [commissionId] } };
	const { status, text } = await api(`/api/v1/programs/${funnel.id}/payouts`, paying);
	if (status !== 201) throw new Error(`The payout answered ${status}: ${text}`);
	return transactionId;
}

describe('a lead', () => {
	test.each<[what: string, body: () => Promise<object>, rows: Rows]>([
		['by click and key', async () => ({ click_id: await anUnknownClick(), customer_key: unique('c') }), { written: 11, read: 28 }],
		[
			'by a click with country and source',
			async () => ({ click_id: await aKnownClick(funnel), customer_key: unique('c') }),
			{ written: 13, read: 32 },
		],
		['by key alone, without a partner', async () => ({ customer_key: unique('c') }), { written: 8, read: 23 }],
	])('%s', async (_what, body, rows) => {
		const given = await body();
		expectRows(await rowsOf((held) => call(held, funnel, 'lead', given)), rows);
	});
});

describe('a sale', () => {
	test.each<[what: string, body: () => Promise<object>, rows: Rows]>([
		['to a lead', async () => sale({ customer_key: await aLead() }), { written: 19, read: 70 }],
		[
			'to a lead with country and source',
			async () => sale({ customer_key: await aSettledLead(funnel, await aKnownClick(funnel)) }),
			{ written: 21, read: 72 },
		],
		['to a customer who has bought', async () => sale({ customer_key: await aBuyer() }), { written: 18, read: 67 }],
		['with a product', async () => sale({ customer_key: await aLead(), product_id: 'tea' }), { written: 20, read: 72 }],
		// Each product is looked up once for each scope of rules.
		['with a cart', async () => sale({ customer_key: await aLead(), line_items: CART }), { written: 19, read: 80 }],
		['outside the window, to a new customer', async () => sale({ click_id: await anUnknownClick(daysAgo(90)) }), { written: 12, read: 44 }],
	])('%s', async (_what, body, rows) => {
		const given = await body();
		expectRows(await rowsOf((held) => call(held, funnel, 'sale', given)), rows);
	});

	test.each<[what: string, inDays: number, rows: Rows]>([
		['whose commission is on hold', 0, { written: 20, read: 69 }],
		['and the end of its hold', HOLD_DAYS, { written: 22, read: 77 }],
	])('%s', async (_what, inDays, rows) => {
		const given = sale({ customer_key: await aSettledLead(holding) });
		const until = Date.now() + inDays * DAY_MS + MINUTE_MS;
		expectRows(await rowsOf((held) => call(held, holding, 'sale', given), until), rows);
	});
});

describe('a refund', () => {
	test.each<[what: string, body: () => Promise<object>, rows: Rows]>([
		['in full', async () => ({ transaction_id: (await aSale()).transactionId }), { written: 14, read: 66 }],
		[
			'in part, with an id',
			async () => ({ transaction_id: (await aSale()).transactionId, refund_amount_cents: 100, refund_id: 'r-1' }),
			{ written: 15, read: 66 },
		],
		[
			'of a sale whose commission was paid, which adds a warning',
			async () => ({ transaction_id: await aPaidSale() }),
			{ written: 16, read: 73 },
		],
	])('%s', async (_what, body, rows) => {
		const given = await body();
		expectRows(await rowsOf((held) => call(held, funnel, 'refund', given)), rows);
	});
});

test('a hundred clicks in one delivery', async () => {
	const rows = await rowsOf(async (held) => {
		for (let click = 0; click < CLICKS_OF_A_DELIVERY; click += 1) await call(held, funnel, 'click', clickBody(funnel));
	});
	expectRows(rows, { written: 205, read: 440 });
});
