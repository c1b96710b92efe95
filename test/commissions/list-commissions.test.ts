import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { app } from '../../src/http/app.ts';
import { COMMISSION_COLUMNS } from '../../src/http/management/commissions/commissions.ts';
import { summarizeCommissions } from '../../src/commissions/summarize-commissions.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aPartner, aRefund, aShop, anEarnedCommission, type Shop } from '../support/ledger.ts';
import { type Answer, api, type Owner, signUp } from '../support/world.ts';

interface Row {
	readonly id: number;
	readonly status: string;
	readonly currency: string;
	readonly amount_cents: number;
	readonly deducted_cents: number;
	readonly partner: { readonly id: number; readonly name: string };
	readonly sale: { readonly transaction_id: string };
}

let owner: Owner;
let shop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const read = <Data>(place: Shop, path: string, token = owner.token) => api<Data>(`${place.path}/commissions${path}`, { token });

test('one commission has the fields of its row in the list; one of another program is not found', async () => {
	const earned = await anEarnedCommission(shop, await aPartner(shop), { amountCents: 1_000 });
	await anEarnedCommission(shop, await aPartner(shop), { amountCents: 300 });
	await aRefund(shop, earned, 400);
	const { status, body } = await read<Row>(shop, `/${earned.commissionId}`);
	expect(status).toBe(200);
	expect(body.data).toEqual((await read<Row[]>(shop, '')).body.data.find(({ id }) => id === earned.commissionId));
	expect(body.data).toMatchObject({ status: 'refunded', amount_cents: 1_000, deducted_cents: 400 });

	const unknown = await read(await aShop(owner), `/${earned.commissionId}`);
	expect([unknown.status, unknown.body.error]).toEqual([404, 'Commission not found']);
	const stranger = await read(shop, `/${earned.commissionId}`, (await signUp()).token);
	expect([stranger.status, stranger.body.error]).toEqual([403, 'You are not an active member of this workspace']);
	const odd = await read(shop, '/x');
	expect([odd.status, odd.body.error]).toEqual([400, 'commissionId in the path must be a positive integer']);
});

interface Sum {
	readonly status: string;
	readonly currency: string;
	readonly count: number;
	readonly amount_cents: number;
	readonly deducted_cents: number;
	readonly remaining_cents: number;
}

async function pagedThrough(place: Shop, filter: Record<string, string>, limit: number): Promise<Row[]> {
	const found: Row[] = [];
	for (let cursor: string | null = ''; cursor !== null;) {
		const { status, text, body }: Answer<Row[]> = await read<Row[]>(
			place,
			`?${new URLSearchParams({ ...filter, limit: String(limit), cursor }).toString()}`,
		);
		expect(status, text).toBe(200);
		found.push(...body.data);
		cursor = body.meta.next_cursor;
	}
	return found;
}

const idsOf = async (place: Shop, filter: Record<string, string>) => (await pagedThrough(place, filter, 200)).map(({ id }) => id);

/** Three partners with commissions in all states and several currencies, and texts to search for. */
async function aBusyShop(): Promise<Shop & { readonly searches: readonly string[] }> {
	const place = await aShop(owner);
	const searches: string[] = ['txn-', 'nothing of the kind', '%', "o'", '"'];
	for (const name of ['Zara Lovelace', "Zara O'Neil", 'Zoë %'] as const) {
		const partner = await aPartner(place, { name });
		for (const [index, currency] of ['USD', 'EUR', 'USD', 'USD', 'JPY', 'USD'].entries()) {
			const earned = await anEarnedCommission(place, partner, { amountCents: 1_000 + index, currency });
			if (index === 1) await aRefund(place, earned, 300);
			if (index === 2) await aRefund(place, earned);
			if (index === 3)
				await api(`${place.path}/commissions/reject`, { token: owner.token, body: { commission_ids: [earned.commissionId] } });
			if (index === 4) await api(`${place.path}/payouts`, { token: owner.token, body: { commission_ids: [earned.commissionId] } });
			if (index === 5) searches.push(earned.transactionId, earned.transactionId.slice(0, 6));
		}
		searches.push(name.slice(0, 3).toUpperCase(), name, partner.email.slice(0, 8));
	}
	return { ...place, searches };
}

describe('a shop with commissions in all states', () => {
	let busy: Awaited<ReturnType<typeof aBusyShop>>;
	beforeAll(async () => {
		busy = await aBusyShop();
	}, 60_000);

	test('has sums that equal the list under any filter', async () => {
		const today = new Date().toISOString().slice(0, 10);
		const partnerIds = [...new Set((await pagedThrough(busy, {}, 7)).map((row) => String(row.partner.id)))];
		const filter = fc.record(
			{
				currency: fc.constantFrom('USD', 'eur', 'JPY', 'GBP'),
				partner_id: fc.constantFrom(...partnerIds),
				search: fc.constantFrom(...busy.searches),
				from: fc.constantFrom(today, '2020-01-01', `${today}T00:00:00Z`, '2999-01-01'),
				to: fc.constantFrom(today, '2020-01-01', '2999-01-01T00:00:00'),
			},
			{ requiredKeys: [] },
		);
		await fc.assert(
			fc.asyncProperty(filter, fc.constantFrom(2, 5, 200), async (sent, limit) => {
				const sums = new Map<string, Sum>();
				for (const row of await pagedThrough(busy, sent, limit)) {
					const key = `${row.currency} ${row.status}`;
					const sum = sums.get(key) ?? { count: 0, amount_cents: 0, deducted_cents: 0, remaining_cents: 0 };
					sums.set(key, {
						status: row.status,
						currency: row.currency,
						count: sum.count + 1,
						amount_cents: sum.amount_cents + row.amount_cents,
						deducted_cents: sum.deducted_cents + row.deducted_cents,
						remaining_cents: sum.remaining_cents + row.amount_cents - row.deducted_cents,
					});
				}
				const { status, text, body } = await read<Sum[]>(busy, `/summary?${new URLSearchParams(sent).toString()}`);
				expect(status, text).toBe(200);
				expect(new Map(body.data.map((sum) => [`${sum.currency} ${sum.status}`, sum]))).toEqual(sums);
				expect(body.data).toHaveLength(sums.size);
			}),
			{ numRuns: 25 },
		);
	}, 60_000);

	test('has a summary of every state and currency, which refuses to search too many', async () => {
		const { body } = await read<Sum[]>(busy, '/summary');
		expect(body.data.map(({ status, currency, count, remaining_cents: left }) => `${status} ${currency} ${count} ${left}`)).toEqual([
			'approved USD 6 6015',
			'paid JPY 3 3012',
			'refunded EUR 3 2103',
			expect.stringMatching(/^rejected USD 3 /),
			'reversed USD 3 0',
		]);
		const ctx = openContext(env, { waitUntil: () => undefined });
		const program = { id: busy.id, timeZone: 'UTC' };
		expect((await summarizeCommissions(ctx, program, { search: 'pat-' }, 18)).reduce((sum, { count }) => sum + count, 0)).toBe(18);
		await expect(summarizeCommissions(ctx, program, { search: 'pat-' }, 17)).rejects.toThrow('A search reads at most 17 commissions');
		// An index finds a few matching transaction ids or a partner without a scan.
		for (const [search, count] of [
			['txn-', 18],
			['lovelace', 6],
		] as const) {
			expect((await summarizeCommissions(ctx, program, { search }, 5)).reduce((sum, row) => sum + row.count, 0)).toBe(count);
		}
		expect((await summarizeCommissions(ctx, program, {}, 17)).reduce((sum, { count }) => sum + count, 0)).toBe(18);
	});

	test("is searched by transaction, its beginning, and a partner's name or email address, without wildcards", async () => {
		const all = await pagedThrough(busy, {}, 200);
		const [row] = all;
		const transactionId = row?.sale.transaction_id ?? '';
		expect(await idsOf(busy, { search: transactionId })).toEqual([row?.id]);
		expect(await idsOf(busy, { search: transactionId.slice(0, -1) })).toEqual([row?.id]);
		expect(await idsOf(busy, { search: transactionId, status: 'paid' })).toEqual([]);
		expect(await idsOf(busy, { search: 'txn-' })).toHaveLength(18);
		const namesOf = async (search: string) => new Set((await pagedThrough(busy, { search }, 200)).map((found) => found.partner.name));
		expect(await namesOf('zara')).toEqual(new Set(['Zara Lovelace', "Zara O'Neil"]));
		expect(await namesOf('Zoë %')).toEqual(new Set(['Zoë %']));
		expect(await namesOf('PAT-')).toEqual(new Set(['Zara Lovelace', "Zara O'Neil", 'Zoë %']));
		expect(await namesOf('lovelace')).toEqual(new Set(['Zara Lovelace']));
		expect(await namesOf('%')).toEqual(new Set(['Zoë %']));
		for (const search of ['_da', "' OR 1=1 --"]) expect(await idsOf(busy, { search })).toEqual([]);
		expect(await idsOf(await aShop(owner), { search: transactionId })).toEqual([]);
	});

	test('is searched by whole product ids', async () => {
		const place = await aShop(owner);
		const earned = await anEarnedCommission(place, await aPartner(place), { amountCents: 100 });
		await anEarnedCommission(place, await aPartner(place), { amountCents: 100 });
		await env.DB.prepare("UPDATE affiliate_sale_events SET product_id = 'pro-plan', revision = revision + 1 WHERE id = ?")
			.bind(earned.saleId)
			.run();
		expect(await idsOf(place, { search: 'pro-plan' })).toEqual([earned.commissionId]);
		expect(await idsOf(place, { search: 'pro' })).toEqual([]);
	});

	test('has a CSV with the rows of the list, all of them or one page', async () => {
		const headers = { Accept: 'text/csv' };
		const whole = await api(`${busy.path}/commissions?currency=usd`, { token: owner.token, headers });
		expect([whole.status, whole.headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
		const [header, ...lines] = whole.text.trimEnd().split('\r\n');
		expect(header).toBe(COMMISSION_COLUMNS);
		const rows = await pagedThrough(busy, { currency: 'USD' }, 200);
		expect(lines.map((line) => line.split(',').slice(0, 2).join())).toEqual(rows.map(({ id, status }) => `${id},${status}`));
		expect(lines.every((line) => line.endsWith(`,${new Date().toISOString().slice(0, 10)},`))).toBe(true);

		const first = await api(`${busy.path}/commissions?currency=usd&limit=2`, { token: owner.token, headers });
		expect(first.text.trimEnd().split('\r\n')).toEqual([header, ...lines.slice(0, 2)]);
		const rest = await api(`${busy.path}/commissions?currency=usd&cursor=${first.headers.get('X-Next-Cursor')}`, {
			token: owner.token,
			headers,
		});
		expect(rest.text.trimEnd().split('\r\n')).toEqual([header, ...lines.slice(2)]);
	});

	test.each([
		['', 2],
		['?limit=2', 2],
		['/summary', 2],
		// The matches are looked up first, in two concurrent statements.
		['?search=txn-', 3],
		['/summary?search=zara', 3],
	])('reads %s in %i trips: the session, the matches of a search, and the answer', async (path, trips) => {
		const DB = countingTrips(env.DB);
		const request = new Request(`http://service.test${busy.path}/commissions${path}`, {
			headers: { Authorization: `Bearer ${owner.token}` },
		});
		const answer = await app.fetch(
			request,
			{ ...env, DB },
			{ waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} },
		);
		expect([answer.status, DB.trips()]).toEqual([200, trips]);
	});
});

test.each([
	['?currency=money', 'currency must be a currency code, such as "USD"'],
	[`?search=${'x'.repeat(256)}`, 'search must be at most 255 characters'],
	['/summary?status=paid', 'Unknown query parameter: status'],
])('%s is refused: %s', async (path, error) => {
	const answer = await read(shop, path);
	expect([answer.status, answer.body.error]).toEqual([400, error]);
});
