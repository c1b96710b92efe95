import { beforeAll, describe, expect, test } from 'vitest';
import { type WireEvent, eventsByKey as byKey, insertTestEvent } from '../support/events.ts';
import { aFunnel, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { aLeadAlone, clicksAt } from '../support/report.ts';
import { api, unique } from '../support/world.ts';

// Earlier clients request events with eventType, page and pageSize instead of type, cursor and limit.

interface Pagination {
	readonly page: number;
	readonly pageSize: number;
	readonly pageCount: number;
	readonly total: number;
}
interface Page {
	readonly data: readonly WireEvent[];
	readonly meta: { readonly next_cursor: string | null; readonly pagination?: Pagination };
}

let funnel: Funnel;
const transactionId = unique('txn');
beforeAll(async () => {
	funnel = await aFunnel();
	await clicksAt(funnel, '2026-05-02T12:00:00Z', 5);
	for (let count = 0; count < 3; count += 1) await aLeadAlone(funnel);
	await aSale(funnel, { transaction_id: transactionId, customer_key: await aLeadAlone(funnel) });
	await track('refund', { transaction_id: transactionId, refund_amount_cents: 100 }, funnel.apiToken);
	await insertTestEvent(funnel, { type: 'lead', at: Date.now() });
});

async function read(query: string, of = funnel): Promise<Page> {
	const { status, text } = await byKey(of, query);
	if (status !== 200) throw new Error(text);
	const page: Page = JSON.parse(text);
	return page;
}
const namesOf = (events: readonly WireEvent[]) => events.map(({ type, id }) => `${type} ${id}`);

test('the pages make up the whole list, without tests and refunds', async () => {
	const all = await read('?type=click,lead,sale&test=false&limit=200');
	expect(all.data).toHaveLength(10);
	for (const [pageSize, pageCount] of [
		[1, 10],
		[3, 4],
		[10, 1],
		[200, 1],
	] as const) {
		const walked: WireEvent[] = [];
		for (let page = 1; page <= pageCount; page += 1) {
			const { data, meta } = await read(`?page=${page}&pageSize=${pageSize}`);
			expect(meta.pagination).toEqual({ page, pageSize, pageCount, total: 10 });
			expect(meta.next_cursor === null).toBe(page === pageCount);
			walked.push(...data);
		}
		expect(namesOf(walked)).toEqual(namesOf(all.data));
		expect((await read(`?page=${pageCount + 1}&pageSize=${pageSize}`)).data).toEqual([]);
	}
	// Either parameter selects pages, the other gets its default, and the cursor continues from there.
	const { data, meta } = await read('?page=1');
	expect([data.length, meta.pagination]).toEqual([10, { page: 1, pageSize: 10, pageCount: 1, total: 10 }]);
	const first = await read('?pageSize=4');
	const second = await read(`?type=click,lead,sale&test=false&limit=4&cursor=${first.meta.next_cursor}`);
	expect(namesOf([...first.data, ...second.data])).toEqual(namesOf(all.data.slice(0, 8)));
});

test('an event has the earlier field names next to its own', async () => {
	const { data } = await read('?eventType=conversion&page=1&pageSize=10');
	const [sale] = (await read('?type=sale')).data;
	expect(data).toEqual([
		{ ...sale, event_type: 'conversion', timestamp: sale?.at, createdAt: sale?.at, processor_event_id: transactionId },
	]);
	const types = async (query: string) => [...new Set((await read(query)).data.map((event) => [event['event_type'], event.type].join()))];
	expect(await types('?eventType=click')).toEqual(['click,click']);
	expect(await types('?eventType=lead&pageSize=2')).toEqual(['lead,lead']);
	expect(await types('?pageSize=200&type=refund')).toEqual(['refund,refund']);
	expect((await read('?eventType=lead&test=true')).data.map((event) => event['is_test'])).toEqual([true]);
	const { data: ours, meta } = await read('?dateFrom=2026-01-01&limit=1');
	expect([Object.keys(ours[0] ?? {}).includes('event_type'), meta]).toEqual([
		false,
		{ next_cursor: expect.any(String), previous_cursor: null, clicks_retired_until: null },
	]);
});

test('dateFrom and dateTo set the range in the earlier format', async () => {
	const query = '?page=1&pageSize=10&eventType=click&dateFrom=2026-05-02T00:00:00Z&dateTo=2026-05-02T12:00:00.002Z';
	const { data, meta } = await read(query);
	expect([data.length, meta.pagination?.total]).toEqual([3, 3]);
	const answer = await api<WireEvent[]>(`/api/tracking/events/${funnel.id}${query}`, { token: funnel.owner.token });
	expect(answer.body.data).toEqual(data);
});

test('an event between two pages shifts the rest: events may repeat, none is skipped', async () => {
	const place = await aFunnel();
	await clicksAt(place, '2026-05-02T12:00:00Z', 6);
	const first = await read('?page=1&pageSize=3', place);
	await clicksAt(place, '2026-05-03T12:00:00Z', 1);
	const second = await read('?page=2&pageSize=3', place);
	const third = await read('?page=3&pageSize=3', place);
	const seen = namesOf([...first.data, ...second.data, ...third.data]);
	expect([seen.length, new Set(seen).size]).toEqual([7, 6]);
});

test('pages reach the newest 1,000 events', async () => {
	const place = await aFunnel();
	await rows(
		`WITH RECURSIVE counted (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < 1100)
		INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day)
		SELECT ?2 || number, number, ?1, (SELECT id FROM referral_links WHERE short_link = ?3), 0, 0, number, '1970-01-01' FROM counted`,
		place.id,
		unique('click'),
		place.shortLink,
	);
	const { data, meta } = await read('?page=5&pageSize=200', place);
	expect([data.length, meta.pagination]).toEqual([200, { page: 5, pageSize: 200, pageCount: 5, total: 1_000 }]);
	const { data: rest } = await read(`?type=click&limit=200&cursor=${meta.next_cursor}`, place);
	expect(rest).toHaveLength(100);
	const { status, body } = await byKey(place, '?page=6&pageSize=200');
	expect([status, body.error]).toEqual([400, 'page reaches only the newest 1000 events. Follow next_cursor or request a shorter range']);
});

test('CSV contains the page', async () => {
	const { text, headers } = await byKey(funnel, '?page=2&pageSize=4', { Accept: 'text/csv' });
	expect(text.trim().split('\r\n')).toHaveLength(1 + 4);
	expect(headers.get('X-Next-Cursor')).toMatch(/^\d+\./);
});

describe('bad parameters are named', () => {
	test.each([
		['page=0', 'page must be an integer from 1 to 1000'],
		['page=-1', 'page must be an integer from 1 to 1000'],
		['page=1001', 'page must be an integer from 1 to 1000'],
		['page=two', 'page must be an integer from 1 to 1000'],
		['pageSize=0', 'pageSize must be an integer from 1 to 200'],
		['pageSize=201', 'pageSize must be an integer from 1 to 200'],
		['eventType=sale', 'eventType must be click, lead or conversion'],
		['eventType=click&type=click', 'Send either type or eventType'],
		['pageSize=5&limit=5', 'Send either limit or pageSize'],
		['page=1&cursor=1.click.1', 'Send either cursor or page'],
	])('%s: %s', async (query, error) => {
		const { status, body } = await byKey(funnel, `?${query}`);
		expect([status, body]).toEqual([400, { error }]);
	});
});
