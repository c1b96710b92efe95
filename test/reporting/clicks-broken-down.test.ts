import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { atInstant } from '../support/at-instant.ts';
import { aFunnel, aPartner, type Funnel, rows, sharedOwner } from '../support/funnel.ts';
import { aClickJob, deliverClicks, readBreakdown } from '../support/report.ts';

// How clicks come into the breakdown: in the batch that stores them.

const NOON = Date.parse('2026-05-02T12:00:00Z');
const TODAY = '2026-05-02';

beforeAll(async () => {
	const owner = await sharedOwner();
	await env.DB.prepare('UPDATE sessions SET expires_at = ? WHERE user_id = ?')
		.bind(Date.UTC(2030, 0, 1), owner.userId)
		.run();
});

describe('clicks are counted under all that is known of them', () => {
	test('once each, however often they are delivered', async () => {
		const funnel = await aWorld();
		const other = await aWorld();
		const jobs = await Promise.all([
			aClickJob(funnel, NOON, { country: 'DE' }),
			aClickJob(funnel, NOON + 1, { country: 'DE', referrerUrl: 'https://www.t.co/' }),
			aClickJob(funnel, NOON + 2, { country: 'US', isBot: true }),
			aClickJob(funnel, NOON + 3, { country: 'US', isTest: true }),
			aClickJob(other, NOON, { country: 'FR' }),
		]);
		await deliverClicks([...jobs, ...jobs]);
		await Promise.all([deliverClicks(jobs), deliverClicks(jobs.toReversed())]);
		expect(await clicksBy(funnel, 'country')).toEqual({ DE: 2 });
		expect(await clicksBy(funnel, 'source')).toEqual({ 't.co': 1 });
		expect(await seenBy(funnel, 'source')).toEqual([
			['t.co', 1],
			[null, 1],
		]);
		expect(await seenBy(funnel, 'partner')).toEqual([[funnel.partnerId, 2]]);
		expect(Object.values(await clicksBy(funnel, 'link'))).toEqual([2]);
		expect(await clicksBy(funnel, 'product')).toEqual({});
		expect(await clicksBy(other, 'country')).toEqual({ FR: 1 });
	});

	test('of several programs, partners and days in one delivery', async () => {
		const funnel = await aWorld();
		const second = { ...funnel, ...(await aPartner(funnel.owner, funnel.id)) };
		const other = await aWorld();
		const jobs = await Promise.all(
			Array.from({ length: 60 }, (_, index) =>
				aClickJob([funnel, second, other][index % 3] ?? funnel, NOON + index, { country: ['DE', 'US'][index % 2] ?? null }),
			),
		);
		await deliverClicks([...jobs, ...jobs.slice(0, 40), await aClickJob(second, NOON - DAY_MS, { country: 'DE' })]);
		expect(await seenBy(funnel, 'partner', '2026-05-02')).toEqual([
			[second.partnerId, 20],
			[funnel.partnerId, 20],
		]);
		expect(await clicksBy(funnel, 'country')).toEqual({ DE: 20, US: 20 });
		expect(await seenBy(funnel, 'partner', '2026-05-01')).toEqual([[second.partnerId, 1]]);
		expect(await clicksBy(other, 'country')).toEqual({ DE: 10, US: 10 });
	});

	test('not at all where the insert fails', async () => {
		const funnel = await aWorld();
		const good = await aClickJob(funnel, NOON, { country: 'DE' });
		const bad = await aClickJob(funnel, NOON, { referralLinkId: 999_999_999, country: 'DE' });
		await expect(deliverClicks([good, bad])).rejects.toThrow('1 clicks were not acknowledged');
		expect(await clicksBy(funnel, 'country')).toEqual({ DE: 1 });
	});

	test('of a queue message from before sources were kept', async () => {
		const funnel = await aWorld();
		await deliverClicks([await aClickJob(funnel, NOON, { referrerUrl: 'https://news.example/a' })]);
		expect(await clicksBy(funnel, 'source')).toEqual({ 'news.example': 1 });
	});
});

function aWorld(): Promise<Funnel> {
	return atInstant(NOON, () => aFunnel());
}

/** What the breakdown route shows under each value. */
async function seenBy(funnel: Funnel, by: string, day = TODAY) {
	const { data } = await atInstant(NOON, () => readBreakdown(funnel, `by=${by}&dateFrom=${day}&dateTo=${day}`));
	return data.map(({ value, clicks }) => [value, clicks]);
}

async function clicksBy(funnel: Funnel, dimension: string, day = TODAY): Promise<Record<string, number>> {
	const found = await rows<{ value: string; clicks: number }>(
		'SELECT value, clicks FROM daily_breakdown WHERE program_id = ? AND dimension = ? AND day = ? AND clicks <> 0',
		funnel.id,
		dimension,
		day,
	);
	return Object.fromEntries(found.map(({ value, clicks }) => [value, clicks]));
}
