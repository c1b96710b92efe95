import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { atInstant } from '../support/at-instant.ts';
import { aFunnel, aPartner, aSale, type Funnel, rows, keepSignedIn, track } from '../support/funnel.ts';
import { aClickJob, askReport, deliverClicks, readBreakdown, readReport } from '../support/report.ts';
import { api, unique } from '../support/world.ts';

// GET /api/tracking/performance/:programId?by=partner|link|product|country|source

const NOON = Date.parse('2026-05-02T12:00:00Z');

beforeAll(async () => {
	await keepSignedIn();
});

interface Visitor {
	readonly country?: string;
	readonly referrer?: string;
	/** The time of the click and of all later events. */
	readonly at?: number;
	/** Whose link it is; by default the first partner's. */
	readonly by?: Pick<Funnel, 'shortLink'>;
	readonly lead?: boolean;
	readonly buys?: Record<string, unknown>;
	/** Stores the click row after everything else. */
	readonly late?: boolean;
}

/** Returns the visitor's customer key and transaction. */
async function visit(funnel: Funnel, { country, referrer, at = NOON, by, lead = false, buys, late = false }: Visitor) {
	const job = await aClickJob({ ...funnel, ...by }, at, { country: country ?? null, referrerUrl: referrer ?? null });
	if (!late) await deliverClicks([job]);
	const customerKey = unique('customer');
	const transactionId = unique('txn');
	await atInstant(at + 1, async () => {
		if (lead)
			expect(await track('lead', { click_id: job.clickId, customer_key: customerKey }, funnel.apiToken)).toMatchObject({ status: 200 });
		if (buys) await aSale(funnel, { click_id: job.clickId, customer_key: customerKey, transaction_id: transactionId, ...buys });
	});
	if (late) await deliverClicks([job]);
	return { customerKey, transactionId };
}

const by = (funnel: Funnel, query: string) => atInstant(NOON + 10, () => readBreakdown(funnel, query));
const csvOf = (funnel: Funnel, query: string) =>
	atInstant(NOON + 10, () => askReport(funnel.id, `?${query}`, funnel.owner.token, { Accept: 'text/csv' }));
const NOTHING = { clicks: 0, leads: 0, conversions: 0, revenue: 0, netRevenue: 0, sales: 0, commission: 0, netCommission: 0 };
const SOLD = { ...NOTHING, conversions: 1, sales: 1, revenue: 100, netRevenue: 100, commission: 20, netCommission: 20 };

describe.each([
	['whose clicks are stored first', false],
	['whose clicks are stored last', true],
])('a program with visitors %s', (_when, late) => {
	let funnel: Funnel;
	let second: Awaited<ReturnType<typeof aPartner>>;
	let links: { first: number; second: number };
	beforeAll(async () => {
		funnel = await atInstant(NOON - 2 * DAY_MS, () => aFunnel());
		second = await atInstant(NOON - 2 * DAY_MS, () => aPartner(funnel.owner, funnel.id));
		links = {
			first: await idOf(funnel.shortLink),
			second: await idOf(second.shortLink),
		};
		await visit(funnel, { country: 'DE', referrer: 'https://www.google.com/', late });
		await visit(funnel, { country: 'DE', referrer: 'https://t.co/x', lead: true, late });
		await visit(funnel, {
			country: 'US',
			referrer: 'https://google.com/',
			lead: true,
			buys: { amount_cents: 10_000, product_id: 'pro' },
			late,
		});
		const refunded = await visit(funnel, { by: second, buys: { amount_cents: 20_000 }, late });
		await atInstant(NOON + 5, () =>
			track('refund', { transaction_id: refunded.transactionId, refund_amount_cents: 5_000 }, funnel.apiToken),
		);
		await atInstant(NOON + 5, () => track('lead', { customer_key: unique('direct') }, funnel.apiToken));
	});
	const REFUNDED = { ...NOTHING, conversions: 1, sales: 1, revenue: 200, netRevenue: 150, commission: 40, netCommission: 30 };

	test('by partner, with the greatest revenue first', async () => {
		const { data, meta } = await by(funnel, 'by=partner');
		expect(data).toEqual([
			{ value: second.partnerId, label: 'Pat Partner', ...REFUNDED, clicks: 1 },
			{ value: funnel.partnerId, label: 'Pat Partner', ...SOLD, clicks: 3, leads: 2 },
			{ value: null, label: null, ...NOTHING, leads: 1 },
		]);
		expect(meta).toEqual({
			by: 'partner',
			period: '7d',
			dateFrom: '2026-04-26T00:00:00.000Z',
			dateTo: '2026-05-02T23:59:59.999Z',
			next_cursor: null,
		});
	});

	test('by link', async () => {
		expect((await by(funnel, 'by=link')).data).toEqual([
			{ value: links.second, label: second.shortLink, ...REFUNDED, clicks: 1 },
			{ value: links.first, label: funnel.shortLink, ...SOLD, clicks: 3, leads: 2 },
			{ value: null, label: null, ...NOTHING, leads: 1 },
		]);
	});

	test('by product, which only sales have', async () => {
		const none = { clicks: null, leads: null, conversions: null };
		expect((await by(funnel, 'by=product')).data).toEqual([
			{ value: null, label: null, ...REFUNDED, ...none },
			{ value: 'pro', label: 'pro', ...SOLD, ...none },
		]);
	});

	test('by country', async () => {
		expect((await by(funnel, 'by=country')).data).toEqual([
			{ value: null, label: null, ...REFUNDED, clicks: 1, leads: 1 },
			{ value: 'US', label: 'US', ...SOLD, clicks: 1, leads: 1 },
			{ value: 'DE', label: 'DE', ...NOTHING, clicks: 2, leads: 1 },
		]);
	});

	test('by source', async () => {
		expect((await by(funnel, 'by=source')).data).toEqual([
			{ value: null, label: null, ...REFUNDED, clicks: 1, leads: 1 },
			{ value: 'google.com', label: 'google.com', ...SOLD, clicks: 2, leads: 1 },
			{ value: 't.co', label: 't.co', ...NOTHING, clicks: 1, leads: 1 },
		]);
	});

	test('as CSV', async () => {
		const { headers, text } = await csvOf(funnel, 'by=source');
		expect(headers.get('Content-Disposition')).toBe(`attachment; filename="performance-${funnel.id}-by-source.csv"`);
		expect([headers.get('X-Next-Cursor'), headers.get('Vary')]).toEqual([null, 'Accept']);
		expect(text.split('\r\n')).toEqual([
			'value,label,clicks,leads,conversions,revenue,netRevenue,sales,commission,netCommission',
			',,1,1,1,200,150,1,40,30',
			'google.com,google.com,2,1,1,100,100,1,20,20',
			't.co,t.co,1,1,0,0,0,0,0,0',
			'',
		]);
	});
});

describe('the range', () => {
	test('is that of the report: a period or both dates, in days of the program', async () => {
		const funnel = await atInstant(NOON - 100 * DAY_MS, () => aFunnel({ time_zone: 'America/New_York' }));
		await visit(funnel, { country: 'DE', at: Date.parse('2026-04-27T03:59:59Z') });
		await visit(funnel, { country: 'FR', at: Date.parse('2026-04-27T04:00:00Z') });
		await visit(funnel, { country: 'US', at: Date.parse('2026-05-03T03:59:00Z') });
		const seen = async (query: string, now: string) => {
			const { data, meta } = await atInstant(Date.parse(now), () => readBreakdown(funnel, `by=country&${query}`));
			return [data.map(({ value }) => value), meta.period, meta.dateFrom, meta.dateTo];
		};
		// When it is evening in New York, it is already the next day in UTC.
		expect(await seen('', '2026-05-03T03:59:30Z')).toEqual([
			['US', 'FR', 'DE'],
			'7d',
			'2026-04-26T04:00:00.000Z',
			'2026-05-03T03:59:59.999Z',
		]);
		expect(await seen('', '2026-05-03T04:00:00Z')).toEqual([['US', 'FR'], '7d', '2026-04-27T04:00:00.000Z', '2026-05-04T03:59:59.999Z']);
		expect(await seen('period=30d&dateFrom=2026-04-27&dateTo=2026-04-28', '2026-05-03T12:00:00Z')).toEqual([
			['FR'],
			'30d',
			'2026-04-27T04:00:00.000Z',
			'2026-04-29T03:59:59.999Z',
		]);
		expect((await seen('dateFrom=2026-04-27T03:00:00Z&dateTo=2026-04-27T03:30:00Z', '2026-05-03T12:00:00Z'))[0]).toEqual(['DE']);
		expect((await seen('period=30d&dateFrom=2026-04-27', '2026-05-03T12:00:00Z')).slice(0, 2)).toEqual([['US', 'FR', 'DE'], '30d']);
	});

	test('“all” starts like the report, even before the program was created', async () => {
		const funnel = await atInstant(NOON, () => aFunnel());
		await visit(funnel, { country: 'DE', at: NOON - 40 * DAY_MS });
		const report = await atInstant(NOON + 10, () => readReport(funnel, '?period=all'));
		const { data, meta } = await by(funnel, 'by=country&period=all');
		expect(data).toEqual([{ value: 'DE', label: 'DE', ...NOTHING, clicks: 1 }]);
		expect([meta.dateFrom, meta.dateTo]).toEqual([report.meta.dateFrom, report.meta.dateTo]);
		expect(meta.dateFrom).toBe('2026-03-23T00:00:00.000Z');
	});
});

test('amounts in other currencies are separate, under their code', async () => {
	const funnel = await atInstant(NOON, () => aFunnel());
	await visit(funnel, { country: 'DE', buys: { amount_cents: 500, currency: 'JPY' } });
	await visit(funnel, { country: 'DE', buys: { amount_cents: 1_050, currency: 'EUR' } });
	await visit(funnel, { country: 'US', buys: { amount_cents: 100 } });
	const { data } = await by(funnel, 'by=country');
	const yen = { revenue: 500, netRevenue: 500, sales: 1, commission: 100, netCommission: 100 };
	const euros = { revenue: 10.5, netRevenue: 10.5, sales: 1, commission: 2.1, netCommission: 2.1 };
	expect(data).toEqual([
		{ ...SOLD, value: 'US', label: 'US', clicks: 1, revenue: 1, netRevenue: 1, commission: 0.2, netCommission: 0.2 },
		{ ...NOTHING, value: 'DE', label: 'DE', clicks: 2, conversions: 2, sales: 2, currencies: { EUR: euros, JPY: yen } },
	]);
	const csv = await csvOf(funnel, 'by=country');
	expect(csv.text.split('\r\n').slice(0, 3)).toEqual([
		'value,label,clicks,leads,conversions,revenue,netRevenue,sales,commission,netCommission,' +
			'revenue_EUR,netRevenue_EUR,sales_EUR,commission_EUR,netCommission_EUR,revenue_JPY,netRevenue_JPY,sales_JPY,commission_JPY,netCommission_JPY',
		'US,US,1,0,1,1,1,1,0.2,0.2,0,0,0,0,0,0,0,0,0,0',
		'DE,DE,2,0,2,0,0,2,0,0,10.5,10.5,1,2.1,2.1,500,500,1,100,100',
	]);
});

describe('a partner whose membership has ended', () => {
	test('keeps clicks and sales, even clicks stored later', async () => {
		const funnel = await atInstant(NOON, () => aFunnel());
		await visit(funnel, { lead: true });
		const late = await aClickJob(funnel, NOON + 1);
		const ended = await api(`/api/v1/programs/${funnel.id}/partners/${funnel.partnerId}`, { method: 'DELETE', token: funnel.owner.token });
		expect(ended.status).toBe(200);
		await deliverClicks([late]);
		expect((await by(funnel, 'by=partner')).data).toEqual([
			{ value: funnel.partnerId, label: 'Pat Partner', ...NOTHING, clicks: 2, leads: 1 },
		]);
	});
});

describe('pages', () => {
	let funnel: Funnel;
	const products = ['ä & ö', '~%41', 'a', 'b', 'c', 'd', 'e', '=1+1', '日本'];
	beforeAll(async () => {
		funnel = await atInstant(NOON, () => aFunnel());
		for (const [index, product_id] of products.entries())
			await visit(funnel, { buys: { amount_cents: 100 * (1 + (index % 3)), product_id } });
	});

	test.each([1, 2, 3, 4, 9, 200])('of %d follow each other without a gap', async (limit) => {
		const all = (await by(funnel, 'by=product')).data;
		expect(new Set(all.map(({ value }) => value))).toEqual(new Set(products));
		const walked = [];
		let cursor = '';
		for (;;) {
			const { data, meta } = await by(funnel, `by=product&limit=${limit}${cursor}`);
			expect(data.length).toBeLessThanOrEqual(limit);
			walked.push(...data);
			if (meta.next_cursor === null) break;
			cursor = `&cursor=${meta.next_cursor}`;
		}
		expect(walked).toEqual(all);
	});

	test('are ordered by revenue, clicks and value, greatest first', async () => {
		const { data } = await by(funnel, 'by=product');
		expect(data.map(({ value, revenue }) => [value, revenue])).toEqual([
			['日本', 3],
			['d', 3],
			['a', 3],
			['~%41', 2],
			['c', 2],
			['=1+1', 2],
			['ä & ö', 1],
			['e', 1],
			['b', 1],
		]);
	});

	test('of CSV accept a limit and name the next page', async () => {
		const first = await csvOf(funnel, 'by=product&limit=5');
		const second = await csvOf(funnel, `by=product&limit=5&cursor=${first.headers.get('X-Next-Cursor')}`);
		expect(
			[first, second].map(({ text }) =>
				text
					.split('\r\n')
					.slice(1, -1)
					.map((line) => line.split(',')[0]),
			),
		).toEqual([
			['日本', 'd', 'a', '~%41', 'c'],
			["'=1+1", 'ä & ö', 'e', 'b'],
		]);
		expect(second.headers.get('X-Next-Cursor')).toBeNull();
	});
});

async function idOf(shortLink: string): Promise<number> {
	const [link] = await rows<{ id: number }>('SELECT id FROM referral_links WHERE short_link = ?', shortLink);
	return link?.id ?? 0;
}
