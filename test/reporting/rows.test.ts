import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { manyPartners, manySales, readingRows } from '../support/beside-many.ts';
import { aFunnel } from '../support/funnel.ts';

test('ranking reads each partner a few times, never all partners for each', async () => {
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

test('an inbox event is found by its id among many', async () => {
	const funnel = await aFunnel();
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO processor_events (program_id, processor, event_id, type, is_test, happened_at, received_at, state, reason, expires_at, settled_at)
		SELECT ?1, 'stripe', 'evt_${funnel.id}_' || i, 'invoice.paid', 0, 1, 1, 'applied', 'Recorded', 1, 1 FROM n`,
	)
		.bind(funnel.id)
		.run();
	for (const [eventId, found] of [
		[`evt_${funnel.id}_7`, 1],
		['evt_none', 0],
	] as const) {
		const { data, rowsRead } = await readingRows(funnel, `/api/v1/programs/${funnel.id}/processor-events?event_id=${eventId}`);
		expect([eventId, data.length]).toEqual([eventId, found]);
		expect(rowsRead).toBeLessThan(50);
	}
});

test('the status counts up to a thousand of each, because it is polled every few seconds', async () => {
	const funnel = await aFunnel();
	await manySales(funnel, await manyPartners(funnel, 3_000), 3_000);
	const now = Date.now();
	await env.DB.prepare('UPDATE affiliate_click_events SET clicked_at = ?2 WHERE program_id = ?1').bind(funnel.id, now).run();
	await env.DB.prepare('UPDATE affiliate_lead_events SET created_at = ?2 WHERE program_id = ?1').bind(funnel.id, now).run();
	const { rowsRead } = await readingRows(funnel, `/api/v1/programs/${funnel.id}/status`);
	expect(rowsRead).toBeLessThan(6_000);
});
