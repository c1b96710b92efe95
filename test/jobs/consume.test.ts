import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { holdingQueue } from '../../testing/queues.ts';
import { dayOf } from '../../src/domain/calendar.ts';
import { type ClickJob, EffectsJob, rowsOf } from '../../src/job.ts';
import { trackWith } from '../support/bindings.ts';
import { deliver, tick } from '../support/deliver.ts';
import { aHeldSale, keysOf } from '../support/effects.ts';
import { losingAnswers, losingTrips } from '../../testing/d1/failing.ts';
import { aFunnel, type Funnel, rows } from '../support/funnel.ts';
import { readBreakdown } from '../support/report.ts';
import { api, unique } from '../support/world.ts';

// A queue message is acknowledged when its effect is committed, retried after a fault, and stored as a dead letter if no retry can help.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

/** Not delivered yet. */
async function acceptedClicks(count: number, place: Funnel = funnel): Promise<ClickJob[]> {
	const CLICKS = holdingQueue<ClickJob>();
	const report = {
		affiliate_url: `https://shop.example/?aff=${place.shortLink}`,
		page_title: 'Größe "L" \\ 🎁',
		referrer_url: 'https://blog.example/',
	};
	for (let made = 0; made < count; made += 1) expect((await trackWith({ CLICKS }, 'click', report)).status).toBe(200);
	return CLICKS.held;
}

function messagesOf(jobs: readonly unknown[]) {
	return jobs.map((body, index) => ({ id: `m${index}`, body }));
}

async function storedClicks(jobs: readonly ClickJob[]) {
	return rows(
		'SELECT * FROM affiliate_click_events WHERE click_id IN (SELECT value FROM json_each(?)) ORDER BY id',
		JSON.stringify(jobs.map(({ clickId }) => clickId)),
	);
}

async function deadLetters(...messageIds: string[]) {
	return rows(
		'SELECT message_id, workspace_id, program_id, body, reason, replayed_at FROM dead_letters WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id',
		JSON.stringify(messageIds),
	);
}

describe('clicks', () => {
	test('are stored in bulk, each as it was reported', async () => {
		const jobs = await acceptedClicks(100);
		const { acked, retried } = await deliver('affiliate-clicks', messagesOf(jobs));
		expect([acked.length, retried]).toEqual([100, []]);
		const stored = await storedClicks(jobs);
		expect(stored.map(({ click_id }) => click_id)).toEqual(jobs.map(({ clickId }) => clickId));
		expect(stored[0]).toMatchObject({
			program_id: funnel.id,
			is_test: 0,
			is_bot: 0,
			clicked_at: jobs[0]?.clickedAt,
			page_title: 'Größe "L" \\ 🎁',
			referrer_url: 'https://blog.example/',
			session_id: null,
		});
	});

	test('are stored once, even if they are delivered again, in parallel, or twice in one batch', async () => {
		const jobs = await acceptedClicks(5);
		const messages = messagesOf([...jobs, ...jobs]);
		const delivered = await Promise.all([1, 2, 3].map(() => deliver('affiliate-clicks', messages)));
		for (const { acked, retried } of delivered) expect([acked.length, retried]).toEqual([10, []]);
		expect(await storedClicks(jobs)).toHaveLength(5);
	});

	test('are counted once each beside stored ones, bots and tests', async () => {
		const place = await aFunnel();
		const [first, second, third, bot, trial] = await acceptedClicks(5, place);
		await deliver('affiliate-clicks', messagesOf([first, second]));
		const mixed = [second, { ...bot, isBot: true }, third, first, { ...trial, isTest: true }, third];
		expect((await deliver('affiliate-clicks', messagesOf(mixed))).acked).toHaveLength(6);
		expect((await deliver('affiliate-clicks', messagesOf(mixed))).acked).toHaveLength(6);
		expect(await rows('SELECT clicks FROM daily_performance WHERE program_id = ? AND clicks > 0', place.id)).toEqual([{ clicks: 3 }]);
		expect(
			await rows('SELECT dimension, value, clicks FROM daily_breakdown WHERE program_id = ? AND clicks > 0 ORDER BY dimension', place.id),
		).toEqual([
			{ dimension: 'link', value: String(first?.referralLinkId), clicks: 3 },
			{ dimension: 'source', value: 'blog.example', clicks: 3 },
		]);
		for (const [by, value] of [
			['partner', place.partnerId],
			['country', null],
		])
			expect((await readBreakdown(place, `by=${by}`)).data.map((row) => [row.value, row.clicks])).toEqual([[value, 3]]);
	});

	test("have the day of the program's time zone, even if the isolate has cached an earlier one", async () => {
		const place = await aFunnel({ time_zone: 'Pacific/Kiritimati' });
		const { token } = place.owner;
		expect((await api(`/api/tracking/performance/${place.id}?period=7d`, { token })).status).toBe(200);
		const jobs = await acceptedClicks(2, place);
		const moved = await api(`/api/v1/programs/${place.id}`, { method: 'PATCH', token, body: { time_zone: 'Pacific/Pago_Pago' } });
		expect(moved.status).toBe(200);
		expect((await deliver('affiliate-clicks', messagesOf(jobs))).retried).toEqual([]);
		// They are a day and an hour apart, so they are never on the same day.
		const days = jobs.map(({ clickedAt }) => ({ click_day: dayOf(clickedAt, 'Pacific/Pago_Pago') }));
		expect((await storedClicks(jobs)).map(({ click_day }) => ({ click_day }))).toEqual(days);
	});

	test('are stored once even if the answer is lost, and retried if D1 cannot be reached', async () => {
		const jobs = await acceptedClicks(3);
		expect((await deliver('affiliate-clicks', messagesOf(jobs), { DB: losingTrips(env.DB, 1_000) })).retried).toEqual(['m0', 'm1', 'm2']);
		expect(await storedClicks(jobs)).toEqual([]);
		expect((await deliver('affiliate-clicks', messagesOf(jobs), { DB: losingAnswers(env.DB, 2) })).acked).toEqual(['m0', 'm1', 'm2']);
		expect(await storedClicks(jobs)).toHaveLength(3);
	});

	test('that are invalid do not delay valid ones', async () => {
		const [first, second] = await acceptedClicks(2);
		const bad = { ...first, clickId: unique('cust'), referralLinkId: 999_999_999 };
		const { acked, retried } = await deliver('affiliate-clicks', messagesOf([first, bad, second]));
		expect([acked, retried]).toEqual([['m0', 'm2'], ['m1']]);
		expect(await storedClicks(first && second ? [first, second] : [])).toHaveLength(2);
	});
});

describe('a message of an unknown kind', () => {
	test.each<[string, unknown]>([
		['another version', { version: 3, kind: 'effects', rows: [[1, 'a']] }],
		['the rows of another version', { version: 2, kind: 'effects', outboxIds: ['a'] }],
		['another kind', { version: 1, kind: 'mystery' }],
		['a missing field', { version: 1, kind: 'click', clickId: 'cust_1_2' }],
		['an empty list', { version: 2, kind: 'effects', rows: [] }],
		['an empty list of version 1', { version: 1, kind: 'effects', outboxIds: [] }],
		['a row without its program', { version: 2, kind: 'effects', rows: [['a']] }],
		['a text', 'hello'],
		['a number', 5],
		['null', null],
		['undefined', undefined],
		['a value that JSON cannot hold', { count: 12n }],
	])('(%s) is stored and acknowledged, without delaying the others of the batch', async (_, body) => {
		const [job] = await acceptedClicks(1);
		const id = unique('message');
		const { acked, retried } = await deliver('affiliate-clicks', [
			{ id, body },
			{ id: 'good', body: job },
		]);
		expect([acked.toSorted(), retried]).toEqual([[id, 'good'].toSorted(), []]);
		expect(await deadLetters(id)).toMatchObject([
			{ program_id: null, workspace_id: null, reason: 'The message has an unknown kind or version' },
		]);
		expect(await storedClicks(job ? [job] : [])).toHaveLength(1);
	});

	test('is retried if it cannot be stored', async () => {
		const id = unique('message');
		expect(await deliver('affiliate-effects', [{ id, body: 'hello' }], { DB: losingTrips(env.DB, 1_000) })).toEqual({
			acked: [],
			retried: [id],
		});
		expect(await deadLetters(id)).toEqual([]);
	});
});

describe('the dead-letter queue', () => {
	test('stores each message once, with its program', async () => {
		const [job] = await acceptedClicks(1);
		const { messages } = await aHeldSale(funnel);
		const ids = [unique('message'), unique('message'), unique('message')] as const;
		const batch = [
			{ id: ids[0], body: job },
			{ id: ids[1], body: messages[0] },
			{ id: ids[2], body: { odd: true } },
		];
		await Promise.all([deliver('affiliate-dead-letters', batch), deliver('affiliate-dead-letters', batch)]);
		expect((await deliver('affiliate-dead-letters', batch)).acked).toEqual(ids);
		const { workspaceId: workspace_id } = funnel.owner;
		const shared = { reason: 'All retries failed', replayed_at: null };
		expect(await deadLetters(...ids)).toEqual([
			{ ...shared, message_id: ids[0], workspace_id, program_id: funnel.id, body: JSON.stringify(job) },
			{ ...shared, message_id: ids[2], workspace_id: null, program_id: null, body: '{"odd":true}' },
		]);
		// Each waiting row of an effects message is stored separately, whichever messages it came in.
		const named = messages.flatMap((message) => rowsOf(EffectsJob.parse(message)));
		expect(named).toEqual([[funnel.id, expect.any(String)]]);
		expect(await deadLetters(...named.map(([, id]) => `outbox:${id}`))).toEqual(
			named.map((row) => ({
				...shared,
				message_id: `outbox:${row[1]}`,
				workspace_id,
				program_id: funnel.id,
				body: JSON.stringify({ version: 2, kind: 'effects', rows: [row] }),
			})),
		);
		expect(await storedClicks(job ? [job] : [])).toEqual([]);
	});

	test('stores nothing for a row that has its effect, or for a message of version 1, whose rows the tick finds', async () => {
		const { messages } = await aHeldSale(funnel);
		const keys = await keysOf(funnel, 'commission_created');
		const ids = keys.map(([, id]) => id);
		const earlier = { version: 1, kind: 'effects', outboxIds: ids };
		expect((await deliver('affiliate-dead-letters', [{ id: 'm1', body: earlier }])).acked).toEqual(['m1']);
		await tick();
		expect((await deliver('affiliate-dead-letters', [{ id: 'm2', body: messages[0] }])).acked).toEqual(['m2']);
		expect(
			await deadLetters('m1', 'm2', ...messages.flatMap((message) => rowsOf(EffectsJob.parse(message)).map(([, id]) => `outbox:${id}`))),
		).toEqual([]);
	});

	test('loses nothing while D1 is unavailable', async () => {
		const id = unique('message');
		const delivery = [{ id, body: { odd: true } }];
		expect((await deliver('affiliate-dead-letters', delivery, { DB: losingTrips(env.DB, 1_000) })).retried).toEqual([id]);
		expect((await deliver('affiliate-dead-letters', delivery)).acked).toEqual([id]);
		expect(await deadLetters(id)).toHaveLength(1);
	});
});
