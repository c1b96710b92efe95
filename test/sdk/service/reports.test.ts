import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ClickEvent, EventType, LeadEvent, RefundEvent, SaleEvent, TrackedEvent } from '../../../src/sdk/index.ts';
import { aTracker } from '../../support/faulty-network.ts';
import { aClick, aFunnel, aSale, type Funnel, rows } from '../../support/funnel.ts';
import { trackerErrorOf } from '../../support/scripted-service.ts';
import { unique } from '../../support/world.ts';

// The Worker's responses have the types that the SDK promises.

/** The type excludes null. */
type Certain<Event> = { [Field in keyof Event]: null extends Event[Field] ? never : Field }[keyof Event];
const common = { type: true, id: true, at: true, is_test: true } as const;
const sold = { sale_id: true, transaction_id: true, amount_cents: true, currency: true } as const;
const CERTAIN = {
	click: { ...common, click_id: true, short_link: true, is_bot: true } satisfies Record<Certain<ClickEvent>, true>,
	lead: { ...common } satisfies Record<Certain<LeadEvent>, true>,
	sale: { ...common, ...sold, is_recurring: true, sale_type: true } satisfies Record<Certain<SaleEvent>, true>,
	refund: { ...common, ...sold, outcome: true, source: true } satisfies Record<Certain<RefundEvent>, true>,
} satisfies Record<EventType, object>;

let funnel: Funnel;
let clickId: string;
const customerKey = unique('buyer');
const transactionId = unique('txn');
beforeAll(async () => {
	funnel = await aFunnel();
	const tracker = aTracker(funnel);
	clickId = await aClick(funnel);
	await tracker.lead({ customer_key: customerKey, click_id: clickId });
	await tracker.lead({ customer_key: unique('direct') });
	await aSale(funnel, { customer_key: customerKey, transaction_id: transactionId });
	await tracker.refund({ transaction_id: transactionId, refund_amount_cents: 2_500, refund_id: 'one', refund_reason: 'Too big' });
	const testMode = { additional_data: { test_mode: true } } as const;
	const transaction_id = unique('txn');
	await tracker.lead({ customer_key: 'test', ...testMode });
	await tracker.sale({ transaction_id, ...testMode });
	await tracker.refund({ transaction_id, ...testMode });
	// Clicks arrive through their queue.
	await vi.waitFor(async () => expect(await rows('SELECT id FROM affiliate_click_events WHERE click_id = ?', clickId)).toHaveLength(1), {
		timeout: 300_000,
	});
});

async function all(events: AsyncIterable<TrackedEvent>): Promise<TrackedEvent[]> {
	const seen: TrackedEvent[] = [];
	for await (const event of events) seen.push(event);
	return seen;
}

describe('events', () => {
	test('of every type match their type', async () => {
		const events = await all(aTracker(funnel).events());
		expect([...new Set(events.map(({ type, is_test }) => `${type} ${is_test}`))].toSorted()).toEqual([
			'click false',
			'lead false',
			'lead true',
			'refund false',
			'refund true',
			'sale false',
			'sale true',
		]);
		for (const event of events) {
			const certain = Object.keys(CERTAIN[event.type]);
			expect([event.type, certain.filter((field) => Reflect.get(event, field) === null || !(field in event))]).toEqual([event.type, []]);
		}
	});

	test('can be limited to real ones of some types', async () => {
		const [refund, sale, ...others] = await all(aTracker(funnel).events({ type: ['sale', 'refund'], test: false }));
		expect(others).toEqual([]);
		expect(sale).toMatchObject({
			type: 'sale',
			transaction_id: transactionId,
			amount_cents: 10_000,
			currency: 'USD',
			customer_key: customerKey,
		});
		expect(refund).toMatchObject({
			type: 'refund',
			amount_cents: 2_500,
			deduction_cents: 500,
			refund_id: 'one',
			outcome: 'refunded',
			reason: 'Too big',
		});
	});

	test('can be limited to a range', async () => {
		const tracker = aTracker(funnel);
		const [newest] = (await tracker.eventsPage({ limit: 1 })).data;
		const at = new Date(newest?.at ?? '');
		expect(await all(tracker.events({ from: at }))).toContainEqual(newest);
		expect(await all(tracker.events({ to: new Date(at.getTime() - 1) }))).not.toContainEqual(newest);
		expect(await all(tracker.events({ to: '2020-01-01' }))).toEqual([]);
	});

	test('are the same page by page', async () => {
		const tracker = aTracker(funnel);
		const paged: TrackedEvent[] = [];
		let cursor: string | undefined;
		do {
			const page = await tracker.eventsPage({ limit: 2, cursor });
			paged.push(...page.data);
			cursor = page.meta.next_cursor ?? undefined;
		} while (cursor !== undefined);
		expect(paged).toEqual(await all(tracker.events()));
		expect(paged).toHaveLength(8);
	});

	test('with a wrong filter: the error names it', async () => {
		expect(await trackerErrorOf(aTracker(funnel).eventsPage({ limit: 500 }))).toMatchObject({
			kind: 'invalid',
			message: expect.stringMatching(/^limit/),
		});
	});
});

test('the status matches its type', async () => {
	const { program_id, recent_events, checks } = await aTracker(funnel).status();
	expect([program_id, recent_events]).toEqual([funnel.id, { clicks_24h: 1, leads_24h: 2, sales_24h: 1 }]);
	expect(checks).toContainEqual({ name: 'sale_received', ok: true, next_action: null });
	expect(checks).toContainEqual({ name: 'allowed_origins', ok: false, next_action: expect.any(String) });
});

describe('the performance', () => {
	test('is sent to a member', async () => {
		const { data, metrics, meta } = await aTracker(funnel, { sessionToken: funnel.owner.token }).performance(funnel.id, { period: '30d' });
		expect(data).toHaveLength(30);
		expect(data.at(-1)).toMatchObject({ clicks: 1, revenue: 100, commission: 20 });
		expect([metrics.totalRevenue, metrics.netRevenue, meta.period]).toEqual([100, 75, '30d']);
		expect(metrics.revenueTrend).toEqual({ trend: 100, trendDirection: 'up' });
	});

	test('covers two dates', async () => {
		const dates = { dateFrom: '2026-01-01', dateTo: new Date('2026-01-03T00:00:00Z') };
		const { data } = await aTracker(funnel, { sessionToken: funnel.owner.token }).performance(funnel.id, dates);
		expect(data.map(({ date }) => date)).toEqual(['2026-01-01', '2026-01-02', '2026-01-03']);
	});

	test('is not sent for the program key', async () => {
		const tracker = aTracker(funnel, { sessionToken: funnel.apiToken });
		expect(await trackerErrorOf(tracker.performance(funnel.id))).toMatchObject({ kind: 'authentication', status: 401 });
	});

	test('is not sent for an unknown program', async () => {
		const tracker = aTracker(funnel, { sessionToken: funnel.owner.token });
		expect(await trackerErrorOf(tracker.performance(999_999_999))).toMatchObject({ kind: 'not_found' });
	});
});
