import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { MINUTE_MS } from '../../src/domain/calendar.ts';
import { byNewest, EVENT_TYPES, type EventPosition } from '../../src/domain/reporting/event-position.ts';
import { app } from '../../src/http/app.ts';
import { listEvents } from '../../src/reporting/list-events.ts';
import { aroundTrips } from '../../testing/d1/each-trip.ts';
import { eventsByKey as byKey, insertTestEvent, type WireEvent } from '../support/events.ts';
import { aFunnel, type Funnel, track } from '../support/funnel.ts';
import { metered } from '../../testing/d1/metered.ts';
import { type Answer, unique } from '../support/world.ts';

const nameOf = ({ type, id }: { type: string; id: number }) => `${type} ${id}`;

describe('paging', () => {
	let place: Funnel;
	beforeAll(async () => {
		place = await aFunnel();
		await insertTestEvent(place, { type: 'sale', at: 1 });
	});
	let minute = Date.parse('2026-02-01T00:00:00Z');

	// Few distinct milliseconds, so that most events share theirs.
	const anEvent = fc.record({ type: fc.constantFrom(...EVENT_TYPES), at: fc.integer({ min: 0, max: 4 }) });

	test('never repeats or skips events that arrive during paging, even late', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(anEvent, { minLength: 1, maxLength: 12 }),
				fc.array(fc.record({ limit: fc.integer({ min: 1, max: 4 }), arriving: fc.array(anEvent, { maxLength: 3 }) }), {
					minLength: 1,
					maxLength: 6,
				}),
				async (stored, walk) => {
					minute += MINUTE_MS;
					const arrive = async ({ type, at }: Omit<EventPosition, 'id'>) => ({
						type,
						at: minute + at,
						id: await insertTestEvent(place, { type, at: minute + at }),
					});
					const expected: EventPosition[] = [];
					for (const event of stored) expected.push(await arrive(event));
					const range = `from=${new Date(minute).toISOString()}&to=${new Date(minute + 10).toISOString()}`;
					const seen: EventPosition[] = [];
					let cursor: string | null = '';
					for (let step = 0; cursor !== null && step < 100; step += 1) {
						const { limit, arriving } = walk[step] ?? { limit: 3, arriving: [] };
						const answer: Answer<WireEvent[]> = await byKey(place, `?${range}&limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
						seen.push(...answer.body.data.map(({ type, id, at }) => ({ type, id, at: Date.parse(at) })));
						cursor = answer.body.meta.next_cursor;
						const reached = seen.at(-1);
						for (const event of cursor === null ? [] : arriving) {
							const arrived = await arrive(event);
							// Events beyond the cursor appear on later pages; earlier ones only in the next walk.
							if (reached && byNewest(reached, arrived) < 0) expected.push(arrived);
						}
					}
					expect(seen.map(nameOf)).toEqual(expected.toSorted(byNewest).map(nameOf));
				},
			),
			{ numRuns: 25 },
		);
	});

	test('a later query that starts a little earlier finds late clicks', async () => {
		const at = minute + 2 * MINUTE_MS;
		const lead = await insertTestEvent(place, { type: 'lead', at: at + 50 });
		const first = await byKey(place, `?from=${new Date(at).toISOString()}`);
		expect(first.body.data.map(nameOf)).toEqual([`lead ${lead}`]);
		const click = await insertTestEvent(place, { type: 'click', at: at + 10 });
		const again = await byKey(place, `?from=${new Date(at).toISOString()}`);
		expect(again.body.data.map(nameOf)).toEqual([`lead ${lead}`, `click ${click}`]);
	});

	test('the default limit is 50', async () => {
		const shop = await aFunnel();
		for (let at = 0; at < 51; at += 1) await insertTestEvent(shop, { type: 'lead', at });
		const first = await byKey(shop);
		expect(first.body.data).toHaveLength(50);
		const rest = await byKey(shop, `?cursor=${first.body.meta.next_cursor}`);
		expect([rest.body.data.map(({ at }) => Date.parse(at)), rest.body.meta.next_cursor]).toEqual([[0], null]);
	});
});

describe('as CSV', () => {
	test('the whole range is sent, page by page, at any length', async () => {
		const place = await aFunnel();
		await env.DB.prepare(
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6345)
			INSERT INTO affiliate_lead_events (program_id, customer_key, is_test, created_at, op_id) SELECT ?, 'k' || i, 1, i / 7, ? || i FROM n`,
		)
			.bind(place.id, unique('op'))
			.run();
		const { status, headers, text } = await byKey(place, '', { Accept: 'text/csv' });
		expect([status, headers.get('Content-Type'), headers.get('Content-Disposition')]).toEqual([
			200,
			'text/csv; charset=utf-8; header=present',
			`attachment; filename="events-${place.id}.csv"`,
		]);
		const [head, ...lines] = text.split('\r\n');
		expect(head).toBe(
			'type,id,at,is_test,is_bot,click_id,customer_key,sale_id,transaction_id,product_id,amount_cents,currency,commission_id,deduction_cents,refund_id,outcome,source,reason,partner_id,partner_name,short_link,country,sale_type,is_recurring,subscription_id,subscription_interval',
		);
		expect(lines.pop()).toBe('');
		expect(lines.map((line) => line.split(',')[6])).toEqual(Array.from({ length: 6345 }, (_, index) => `k${6345 - index}`));
	});

	test('an error aborts the transfer, so that half a file does not look complete', async () => {
		const place = await aFunnel();
		await env.DB.prepare(
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6500)
			INSERT INTO affiliate_lead_events (program_id, customer_key, is_test, created_at, op_id) SELECT ?, 'k', 1, i, ? || i FROM n`,
		)
			.bind(place.id, unique('op'))
			.run();
		let trips = 0;
		const watched = aroundTrips(env.DB, async (go) => {
			trips += 1;
			if (trips > 3) throw new Error('The platform is out of order');
			return go();
		});
		const request = new Request('http://service.test/api/v1/cli/events', {
			headers: { Authorization: `Bearer ${place.apiToken}`, Accept: 'text/csv' },
		});
		const answer = await app.fetch(request, { ...env, DB: watched }, createExecutionContext());
		expect(answer.status).toBe(200);
		await expect(answer.text()).rejects.toThrow('out of order');
	});

	test('a limit gives one page, with its cursor in a header', async () => {
		const place = await aFunnel();
		for (const at of [1, 2, 3]) await insertTestEvent(place, { type: 'lead', at });
		const first = await byKey(place, '?limit=2', { Accept: 'text/csv' });
		expect(first.text.split('\r\n')).toHaveLength(4);
		const rest = await byKey(place, `?limit=2&cursor=${first.headers.get('X-Next-Cursor')}`, { Accept: 'text/csv' });
		expect(rest.text.split('\r\n')).toHaveLength(3);
		expect(rest.headers.get('X-Next-Cursor')).toBeNull();
	});

	test('fields are quoted, and none becomes a formula', async () => {
		const place = await aFunnel();
		await track('lead', { customer_key: '=cmd, "x"', additional_data: { test_mode: true } }, place.apiToken);
		expect((await byKey(place, '?type=lead', { Accept: 'text/csv' })).text).toContain(`,"'=cmd, ""x""",`);
	});
});

describe('a page reads no more rows among many events', () => {
	let busy: Funnel;
	beforeAll(async () => {
		busy = await aFunnel();
		await env.DB.prepare(
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
			INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day)
			SELECT ?2 || i, i, ?1, (SELECT id FROM referral_links WHERE short_link = ?3), 0, 0, i, '1970-01-01' FROM n`,
		)
			.bind(busy.id, unique('click'), busy.shortLink)
			.run();
	});

	const noRange = { from: undefined, to: undefined };
	const aRange = { from: { kind: 'instant', at: 5 }, to: { kind: 'instant', at: 4_000 } } as const;

	test.each([
		[undefined, noRange],
		[true, noRange],
		[false, noRange],
		[undefined, aRange],
		[true, aRange],
		[false, aRange],
	])('test = %s, %j', async (isTest, range) => {
		const DB = metered(env.DB);
		const ctx = openContext({ ...env, DB }, { waitUntil: () => undefined });
		const program = { id: busy.id, timeZone: 'UTC' };
		const page = { types: EVENT_TYPES, isTest, ...range, limit: 10, skip: 0, countUpTo: undefined };
		await listEvents(ctx, program, { ...page, cursor: undefined });
		await listEvents(ctx, program, { ...page, cursor: { position: { at: 2_000, type: 'lead', id: 1 }, isBack: false } });
		expect(DB.spent().rowsRead).toBeLessThan(150);
	});
});
