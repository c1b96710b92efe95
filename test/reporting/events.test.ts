import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openContext } from '../../src/context.ts';
import { app } from '../../src/http/app.ts';
import { requireProgramSession } from '../../src/accounts/program-session.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { eventsByKey as byKey, insertTestEvent, type WireEvent } from '../support/events.ts';
import { aClick, aFunnel, aLead, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { aMember, api, aProgram, type Answer, signUp, unique } from '../support/world.ts';

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const bySession = (of: { readonly id: number }, query = '', token = funnel.owner.token): Promise<Answer<WireEvent[]>> =>
	api(`/api/tracking/events/${of.id}${query}`, { token });
const typesOf = async (place: Funnel, query: string) => (await byKey(place, query)).body.data.map(({ type }) => type);

/** Clicks arrive through their queue. */
async function untilStored(clickId: string): Promise<void> {
	await vi.waitFor(
		async () => {
			if ((await rows('SELECT id FROM affiliate_click_events WHERE click_id = ?', clickId)).length === 0) throw new Error('Not yet');
		},
		{ timeout: 300_000 },
	);
}

describe('the list of events shows', () => {
	let place: Funnel;
	let clickId: string;
	const customerKey = unique('buyer');
	const transactionId = unique('txn');
	let sale: { saleId: number; commissionId: number | null };
	beforeAll(async () => {
		place = await aFunnel();
		clickId = await aClick(place);
		await untilStored(clickId);
		await track('lead', { click_id: clickId, customer_key: customerKey, email: 'buyer@private.example' }, place.apiToken);
		sale = await aSale(place, { transaction_id: transactionId, customer_key: customerKey, product_id: 'pro' });
		await track('refund', { transaction_id: transactionId, refund_amount_cents: 2_500, refund_reason: 'too big' }, place.apiToken);
	});

	const common = () => ({
		id: expect.any(Number),
		at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
		is_test: false,
		is_bot: null,
		country: null,
		click_id: clickId,
		customer_key: null,
		sale_id: null,
		transaction_id: null,
		product_id: null,
		amount_cents: null,
		currency: null,
		commission_id: null,
		deduction_cents: null,
		refund_id: null,
		outcome: null,
		source: null,
		reason: null,
		partner: { id: place.partnerId, name: 'Pat Partner' },
		short_link: place.shortLink,
		sale_type: null,
		is_recurring: null,
		subscription_id: null,
		subscription_interval: null,
	});
	const ofSale = () => ({
		customer_key: customerKey,
		sale_id: sale.saleId,
		transaction_id: transactionId,
		product_id: 'pro',
		currency: 'USD',
		commission_id: sale.commissionId,
	});

	test('a click, its lead, sale and refund, newest first', async () => {
		const { status, body } = await byKey(place);
		const what = { outcome: 'refunded', source: 'endpoint', reason: 'too big' };
		const refunded = { type: 'refund', amount_cents: 2_500, deduction_cents: 500, ...what };
		expect([status, body]).toEqual([
			200,
			{
				success: true,
				data: [
					{ ...common(), ...ofSale(), ...refunded },
					{ ...common(), ...ofSale(), type: 'sale', id: sale.saleId, amount_cents: 10_000, sale_type: 'payment', is_recurring: false },
					{ ...common(), type: 'lead', customer_key: customerKey },
					{ ...common(), type: 'click', is_bot: false },
				],
				meta: { next_cursor: null, previous_cursor: null, clicks_retired_until: null },
			},
		]);
	});

	test('the same to a signed-in member, and no email address to anyone', async () => {
		const [keyed, signedIn] = await Promise.all([byKey(place), bySession(place)]);
		expect(signedIn.text).toBe(keyed.text);
		expect(keyed.text).not.toContain('@');
		expect(signedIn.headers.get('Cache-Control')).toBe('no-store');
	});

	test('one type, several or all', async () => {
		expect(await typesOf(place, '?type=click')).toEqual(['click']);
		expect(await typesOf(place, '?type=click,sale')).toEqual(['sale', 'click']);
		expect(await typesOf(place, '?type=refund, lead')).toEqual(['refund', 'lead']);
		expect(await typesOf(place, '?type=click,lead,sale,refund')).toHaveLength(4);
	});

	test('test events only, included or excluded', async () => {
		const shop = await aFunnel();
		const tested = { additional_data: { test_mode: true } };
		const txn = unique('txn');
		await track('click', { affiliate_url: `https://shop.example/?aff=${shop.shortLink}`, ...tested });
		await track('lead', { customer_key: 'tester', ...tested }, shop.apiToken);
		await track('sale', { transaction_id: txn, amount_cents: 700, ...tested }, shop.apiToken);
		await track('refund', { transaction_id: txn, ...tested }, shop.apiToken);
		await aLead(shop);
		expect(await typesOf(shop, '?type=lead,sale,refund&test=true')).toEqual(['refund', 'sale', 'lead']);
		expect(await typesOf(shop, '?type=lead,sale,refund&test=false')).toEqual(['lead']);
		expect(await typesOf(shop, '?type=lead,sale,refund')).toEqual(['lead', 'refund', 'sale', 'lead']);
		const [refunded, sold, lead, clicked] = (await byKey(shop, '?test=true')).body.data;
		expect(refunded).toMatchObject({ is_test: true, transaction_id: txn, amount_cents: 700, commission_id: null, partner: null });
		expect(sold).toMatchObject({ is_test: true, transaction_id: txn, amount_cents: 700, partner: null });
		expect(lead).toMatchObject({ is_test: true, customer_key: 'tester', partner: null });
		expect(clicked).toMatchObject({ type: 'click', is_test: true, short_link: shop.shortLink });
	});

	test('an empty list for a program without events', async () => {
		const { body } = await byKey(await aProgram(funnel.owner));
		expect(body).toEqual({ success: true, data: [], meta: { next_cursor: null, previous_cursor: null, clicks_retired_until: null } });
	});
});

describe('the range', () => {
	test('accepts instants or days of the program, both inclusive', async () => {
		const place = await aFunnel({ time_zone: 'America/New_York' });
		const instants = ['2026-03-08T04:59:59.999Z', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z', '2026-03-09T04:00:00.000Z'];
		for (const at of instants) await insertTestEvent(place, { type: 'lead', at: Date.parse(at) });
		const timesOf = async (query: string) => (await byKey(place, query)).body.data.map((event) => event.at).toReversed();
		// The day on which clocks go forward has 23 hours.
		expect(await timesOf('?from=2026-03-08&to=2026-03-08')).toEqual(instants.slice(1, 3));
		expect(await timesOf('?to=2026-03-07')).toEqual(instants.slice(0, 1));
		expect(await timesOf('?from=2026-03-09')).toEqual(instants.slice(3));
		expect(await timesOf(`?from=${instants[1]}&to=${instants[3]}`)).toEqual(instants.slice(1));
		expect(await timesOf(`?from=${instants[2]}&to=${instants[2]}`)).toEqual(instants.slice(2, 3));
		expect(await timesOf('?from=2026-03-08T00:00:00-05:00&to=9999-12-31')).toEqual(instants.slice(1));
		// The parameters' other names, times without an offset (in the program's zone), and empty values.
		expect(await timesOf('?dateFrom=2026-03-08&dateTo=2026-03-08')).toEqual(instants.slice(1, 3));
		expect(await timesOf('?from=2026-03-08T00:00&dateTo=2026-03-08T23:59:59.999')).toEqual(instants.slice(1, 3));
		expect(await timesOf('?from=&dateFrom=2026-03-09&to=&type=&limit=&cursor=&test=')).toEqual(instants.slice(3));
	});
});

describe('bad parameters are named', () => {
	test.each([
		['type=views', 'type must be one or more of click, lead, sale, refund, separated by commas'],
		['type=click,', 'type must be one or more of click, lead, sale, refund, separated by commas'],
		['test=yes', 'test must be true or false'],
		['limit=0', 'limit must be an integer from 1 to 200'],
		['limit=201', 'limit must be an integer from 1 to 200'],
		['limit=ten', 'limit must be an integer from 1 to 200'],
		['cursor=7', 'cursor must be a next_cursor or previous_cursor of this list'],
		['cursor=1.view.1', 'cursor must be a next_cursor or previous_cursor of this list'],
		['from=yesterday', 'from must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)'],
		['to=2026-02-30', 'to must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)'],
		['dateTo=2026-02-30', 'dateTo must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)'],
		['from=2026-03-02&to=2026-03-01', 'from must not be after to'],
		['dateFrom=2026-03-01T12:00&to=2026-03-01T11:59', 'from must not be after to'],
		['from=2026-03-01&dateFrom=2026-03-01', 'Send either from or dateFrom'],
		['to=2026-03-01&dateTo=2026-03-01', 'Send either to or dateTo'],
		['dateform=2026-03-01&tpye=click', 'Unknown query parameter: dateform, tpye'],
	])('%s: %s', async (query, error) => {
		for (const answer of await Promise.all([byKey(funnel, `?${query}`), bySession(funnel, `?${query}`)])) {
			expect([answer.status, answer.body]).toEqual([400, { error }]);
		}
		expect((await byKey(funnel, `?${query}`, { Accept: 'text/csv' })).status).toBe(400);
	});

	test('a bad id in the path is named for signed-in callers', async () => {
		const { status, body } = await api('/api/tracking/events/none', { token: funnel.owner.token });
		expect([status, body.error]).toEqual([400, 'programId in the path must be a positive integer']);
		expect((await api('/api/tracking/events/none', { token: 'nobody' })).status).toBe(401);
	});
});

describe('access', () => {
	test("is for active members; others get only the contract's errors", async () => {
		const owner = await signUp();
		const program = await aProgram(owner);
		const member = await aMember(owner, 'member');
		const statusFor = async (token: string | undefined, id = program.id) =>
			(await api(`/api/tracking/events/${id}`, token === undefined ? {} : { token })).status;
		expect(await statusFor(owner.token)).toBe(200);
		expect(await statusFor(member.token)).toBe(200);
		expect(await statusFor(undefined)).toBe(401);
		expect(await statusFor('no-such-session')).toBe(401);
		expect(await statusFor(program.apiToken)).toBe(401);
		expect(await statusFor(funnel.owner.token)).toBe(403);
		expect(await statusFor(owner.token, 99_999_999)).toBe(404);
		await env.DB.prepare('UPDATE members SET deactivated_at = 1 WHERE user_id = ? AND workspace_id = ?')
			.bind(member.userId, owner.workspaceId)
			.run();
		expect(await statusFor(member.token)).toBe(403);
	});

	test('with a program key is limited to its own program', async () => {
		expect((await api('/api/v1/cli/events')).status).toBe(401);
		expect((await api('/api/v1/cli/events', { token: funnel.owner.token })).status).toBe(401);
		const [mine, theirs] = [await aFunnel(), await aFunnel()];
		await aLead(theirs);
		const [event] = (await byKey(theirs, '?type=lead')).body.data;
		expect((await byKey(mine)).body.data).toEqual([]);
		expect((await byKey(mine, `?cursor=${Date.parse(event?.at ?? '') + 1}.lead.${event?.id}`)).body.data).toEqual([]);
	});

	test('takes two trips to D1 per page, one to identify the caller', async () => {
		for (const [path, token] of [
			['/api/v1/cli/events', funnel.apiToken],
			['/api/v1/cli/events?page=2', funnel.apiToken],
			[`/api/tracking/events/${funnel.id}`, funnel.owner.token],
		] as const) {
			const DB = countingTrips(env.DB);
			const request = new Request(`http://service.test${path}`, { headers: { Authorization: `Bearer ${token}` } });
			const answer = await app.fetch(
				request,
				{ ...env, DB },
				{ waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} },
			);
			expect([answer.status, DB.trips()]).toEqual([200, 2]);
		}
	});
});

test('an expired session opens no program', async () => {
	const owner = await signUp();
	const program = await aProgram(owner);
	const ctx = openContext(env, { waitUntil: () => undefined }, Date.now() + 31 * 86_400_000);
	await expect(requireProgramSession(ctx, await sha256Hex(owner.token), program.id)).rejects.toThrow('The session has ended');
});
