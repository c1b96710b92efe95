import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { byZipf, drawDelivery, type DrawnClick, evenly, rowsPerClick, type Shares } from '../../bench/click-rows.ts';
import { retireClicks } from '../../src/clicks/retire-clicks.ts';
import { openContext } from '../../src/context.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { metered } from '../../testing/d1/metered.ts';
import { Random } from '../../testing/random.ts';
import { daysAgo, linkIdOf, mintClickId } from '../support/clock.ts';
import { deliver } from '../support/deliver.ts';
import { type Funnel, rows as query } from '../support/funnel.ts';
import { aClickJob, deliverClicks } from '../support/report.ts';
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

/** Its row is missing. */
const anUnknownClick = async (clickedAt = Date.now()) => mintClickId(await linkIdOf(funnel), { clickedAt });
/** Its row has a country and source. */
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

describe('a delivery of a hundred clicks', () => {
	/** Rows of the click itself and of the counter. */
	const OWN = 201;

	test.each<[over: string, shares: Shares, perClick: number, written: number]>([
		['one program', evenly(1), 2.13, OWN + 12],
		['ten programs, evenly', evenly(10), 3.08, OWN + 111],
		['2,000 programs, by Zipf', byZipf(2_000), 5.05, OWN + 310],
		['2,000 programs, evenly', evenly(2_000), 5.95, OWN + 395],
	])('over %s', async (_over, shares, perClick, written) => {
		expect(rowsPerClick(shares)).toBeCloseTo(perClick, 2);
		const random = new Random(33);
		const clicks = drawDelivery(shares, () => random.bits() / 2 ** 32);
		const programs = await programsOf(clicks);
		// The first delivery of a day inserts the rows that later ones raise.
		await writtenBy(clicks, programs);
		expect(await writtenBy(clicks, programs)).toBe(written);
	});
});

async function writtenBy(clicks: readonly DrawnClick[], programs: ReadonlyMap<number, number>): Promise<number> {
	const jobs = await Promise.all(
		clicks.map(({ program, country, source }) =>
			aClickJob({ ...funnel, id: programs.get(program) ?? 0 }, Date.now(), {
				country: ['DE', 'FR', 'GB', 'IT', 'US'][country] ?? null,
				referrerUrl: `https://source-${source}.example/`,
			}),
		),
	);
	const DB = metered(env.DB);
	const { retried } = await deliver(
		'affiliate-clicks',
		jobs.map((body) => ({ body })),
		{ DB },
	);
	expect(retried).toEqual([]);
	return DB.spent().rowsWritten;
}

/** The clicks all have one link, which counts for each program apart. */
async function programsOf(clicks: readonly DrawnClick[]): Promise<ReadonlyMap<number, number>> {
	const drawn = [...new Set(clicks.map(({ program }) => program))];
	const made = await query<{ id: number }>(
		`INSERT INTO programs (workspace_id, name, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at)
		SELECT p.workspace_id, 'Program ' || n.value, p.currency, p.cookie_window_days, p.time_zone, 1, 0, 1, p.created_at
		FROM json_each(?) AS n JOIN programs p ON p.id = ? RETURNING id`,
		JSON.stringify(drawn),
		funnel.id,
	);
	return new Map(drawn.map((program, index) => [program, made[index]?.id ?? 0]));
}

test('the retirement of a hundred clicks', async () => {
	const keeper = await aLoneFunnel({ cookie_window_days: 30 });
	await deliverClicks(
		await Promise.all(Array.from({ length: CLICKS_OF_A_DELIVERY }, (_, index) => aClickJob(keeper, daysAgo(60) - index))),
	);
	await query('UPDATE programs SET click_retention_days = 37, retire_clicks_at = 0 WHERE id = ?', keeper.id);
	const DB = metered(env.DB);
	expect(await retireClicks(openContext({ ...env, DB }, { waitUntil: () => undefined }), { programs: 1, slices: 1 })).toBe(100);
	const { rowsWritten: written, rowsRead: read } = DB.spent();
	expectRows({ written, read }, { written: 105, read: 916 });
});
