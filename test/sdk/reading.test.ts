import { describe, expect, test } from 'vitest';
import { answer, scriptedTracker, trackerErrorOf } from '../support/scripted-service.ts';

// The SDK's read requests and its paging.

function page(ids: readonly number[], next_cursor: string | null): Response {
	return answer(200, { success: true, data: ids.map((id) => ({ type: 'click', id })), meta: { next_cursor } });
}

describe('events', () => {
	test('are read page by page during the loop', async () => {
		const { tracker, sent } = scriptedTracker([page([4, 3], 'c1'), page([2], 'c2'), page([], null)]);
		const seen: number[] = [];
		for await (const { id } of tracker.events({ type: ['click', 'sale'], test: false, from: new Date(0), to: '2026-01-31' })) {
			if (seen.length < 2) expect(sent).toHaveLength(1);
			seen.push(id);
		}
		expect(seen).toEqual([4, 3, 2]);
		const query = 'type=click%2Csale&test=false&from=1970-01-01T00%3A00%3A00.000Z&to=2026-01-31&limit=200';
		expect(sent.map(({ url }) => url.split('?')[1])).toEqual([query, `${query}&cursor=c1`, `${query}&cursor=c2`]);
	});

	test('are read no further than the loop runs', async () => {
		const { tracker, sent } = scriptedTracker([page([4, 3], 'c1'), page([2], null)]);
		for await (const { id } of tracker.events()) if (id === 3) break;
		expect(sent).toHaveLength(1);
	});

	test('can be read as one page', async () => {
		const { tracker, sent } = scriptedTracker(page([4], 'c1'));
		expect(await tracker.eventsPage({ type: 'click', limit: 1, cursor: 'c0' })).toMatchObject({
			data: [{ id: 4 }],
			meta: { next_cursor: 'c1' },
		});
		expect(sent[0]?.url).toBe('https://track.example/api/v1/cli/events?type=click&limit=1&cursor=c0');
	});

	test('an invalid date is sent to the service, which names it', async () => {
		const { tracker, sent } = scriptedTracker(answer(400, { error: 'from must be an ISO 8601 date' }));
		expect(await trackerErrorOf(tracker.eventsPage({ from: new Date(Number.NaN) }))).toMatchObject({
			kind: 'invalid',
			message: 'from must be an ISO 8601 date',
		});
		expect(sent[0]?.url).toMatch(/from=Invalid/);
	});
});

describe('the performance', () => {
	const report = answer(200, { data: [], metrics: {}, meta: {} });

	test('is requested with the session, not with the key', async () => {
		const { tracker, sent } = scriptedTracker(report, { sessionToken: 'ses_1' });
		await tracker.performance(12, { dateFrom: '2026-01-01', dateTo: new Date(0) });
		expect(sent).toMatchObject([
			{
				url: 'https://track.example/api/tracking/performance/12?dateFrom=2026-01-01&dateTo=1970-01-01T00%3A00%3A00.000Z',
				headers: { authorization: 'Bearer ses_1' },
			},
		]);
	});

	test('is not requested without a session', async () => {
		const { tracker, sent } = scriptedTracker(report);
		expect(await trackerErrorOf(tracker.performance(12))).toMatchObject({
			kind: 'authentication',
			attempts: 0,
			message: expect.stringContaining('sessionToken'),
		});
		expect(sent).toEqual([]);
	});
});
