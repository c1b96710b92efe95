import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { manyPartners, readingRows } from '../support/beside-many.ts';
import { aFunnel } from '../support/funnel.ts';

// What reports read.

test('ranking partners reads each of them a few times, never all of them for each', async () => {
	const funnel = await aFunnel();
	const { linkId, count } = await manyPartners(funnel, 1_000);
	await env.DB.prepare(
		`INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, clicks)
		SELECT ?1, 'link', date('now', '-1 days'), cast(id AS TEXT), 'USD', id % 7 FROM referral_links WHERE program_id = ?1 AND id >= ?2`,
	)
		.bind(funnel.id, linkId)
		.run();
	for (const sort of ['clicks', 'name', 'balance', 'joined']) {
		const path = `/api/v1/programs/${funnel.id}/partners/performance?period=7d&sort=${sort}&limit=20`;
		const { data, rowsRead } = await readingRows(funnel, path);
		expect([sort, data.length]).toEqual([sort, 20]);
		expect(rowsRead / count, sort).toBeLessThan(25);
	}
});
