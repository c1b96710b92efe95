import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { aFunnel, rows, track } from '../support/funnel.ts';
import { aClickJob, deliverClicks } from '../support/report.ts';

// A click's number orders the list of events. It is not a table key; the batch that stores the click assigns the next one.

test('no two clicks have the same number, and later ones have greater numbers, even if they are delivered concurrently, again or in test mode', async () => {
	const funnel = await aFunnel();
	const jobs = await Promise.all(Array.from({ length: 24 }, (_, minute) => aClickJob(funnel, Date.now() - minute * 60_000)));
	const numbers = () => rows<{ id: number }>('SELECT id, click_id FROM affiliate_click_events WHERE program_id = ? ORDER BY id', funnel.id);
	await deliverClicks(jobs.slice(0, 6));
	const before = await numbers();

	const testClick = { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`, additional_data: { test_mode: true } };
	// Each delivery includes two clicks that are already stored.
	const deliveries = [6, 12, 18].map((start) => deliverClicks([...jobs.slice(0, 2), ...jobs.slice(start, start + 6)]));
	const [tested] = await Promise.all([track('click', testClick), ...deliveries]);
	await deliverClicks(jobs);

	const after = await numbers();
	expect(after.slice(0, 6)).toEqual(before);
	const ids = after.map(({ id }) => id);
	expect(ids).toHaveLength(24 + 1);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.slice(6)).toContain(Object(tested.body['data']).eventId);
	const count = await env.DB.prepare('SELECT clicks FROM click_count').first<number>('clicks');
	expect(count).toBeGreaterThanOrEqual(ids.at(-1) ?? Infinity);
});
