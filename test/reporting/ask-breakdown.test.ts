import { beforeAll, describe, expect, test } from 'vitest';
import { aFunnel, type Funnel } from '../support/funnel.ts';
import { askReport } from '../support/report.ts';
import { signUp } from '../support/world.ts';

// GET /api/tracking/performance/:programId?by=...: access and parameters.

describe('invalid parameters', () => {
	let funnel: Funnel;
	beforeAll(async () => {
		funnel = await aFunnel();
	});
	const BY = 'by must be one of partner, link, product, country, source';
	const LIMIT = 'limit must be an integer from 1 to 200';
	const CURSOR = 'cursor must be a next_cursor of this list';

	test.each([
		['by=nonsense', BY],
		['by=Partner', BY],
		['by=partner,link', BY],
		['by=link&limit=0', LIMIT],
		['by=link&limit=201', LIMIT],
		['by=link&limit=-1', LIMIT],
		['by=link&limit=1.5', LIMIT],
		['by=link&cursor=nonsense', CURSOR],
		['by=link&cursor=1.1', CURSOR],
		['by=link&period=8d', 'period must be 7d, 30d, 90d or all'],
		['by=link&dateFrom=x&dateTo=2026-01-01', /^dateFrom must be an ISO 8601/],
		['by=link&dateFrom=2026-01-02&dateTo=2026-01-01', 'dateFrom must not be after dateTo'],
		['by=link&dateFrom=2001-01-02&dateTo=2026-01-01', 'dateTo must be at most 10 years after dateFrom'],
	])('%s is refused by name', async (query, error) => {
		const { status, text } = await askReport(funnel.id, `?${query}`, funnel.owner.token);
		expect([status, JSON.parse(text)]).toEqual([400, { error: typeof error === 'string' ? error : expect.stringMatching(error) }]);
	});

	test('an empty parameter is ignored (decision 35)', async () => {
		const queries = ['by=link', 'by=link&limit=&cursor=&period=', '', 'by='];
		const answers = await Promise.all(queries.map((query) => askReport(funnel.id, `?${query}`, funnel.owner.token)));
		const [byLink, empty, byDay, byNothing] = answers.map(({ text }) => text);
		expect([empty, byNothing]).toEqual([byLink, byDay]);
	});

	test.each(['by=link', 'by=nonsense', 'by=link&limit=0', 'by=link&cursor=x', 'by=link&dateFrom=2026-01-02&dateTo=2026-01-01'])(
		'with %s, a caller without access gets that error first',
		async (query) => {
			const stranger = await signUp();
			const answers = await Promise.all([
				askReport(funnel.id, `?${query}`),
				askReport(funnel.id, `?${query}`, 'nonsense'),
				askReport(funnel.id, `?${query}`, funnel.apiToken),
				askReport(funnel.id, `?${query}`, stranger.token),
				askReport(999_999_999, `?${query}`, stranger.token),
			]);
			expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 403, 404]);
		},
	);

	test('limit and cursor are ignored without by', async () => {
		const { status, text } = await askReport(funnel.id, '?limit=0&cursor=x', funnel.owner.token);
		expect(status).toBe(200);
		expect(Object.keys(JSON.parse(text))).toEqual(['data', 'metrics', 'meta']);
	});

	test('the answer is not cached', async () => {
		const { headers } = await askReport(funnel.id, '?by=link', funnel.owner.token);
		expect([headers.get('Cache-Control'), headers.get('Vary')]).toEqual(['no-store', 'Accept']);
	});
});
