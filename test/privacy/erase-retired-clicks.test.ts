import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/domain/calendar.ts';
import type { ClickJob } from '../../src/job.ts';
import { sweepErasures } from '../../src/privacy/sweep-erasures.ts';
import { callWith } from '../support/bindings.ts';
import { contextAt } from '../support/clock.ts';
import { placesOf } from '../support/everywhere.ts';
import { track, rows } from '../support/funnel.ts';
import { deliverClicks } from '../support/report.ts';
import { aKeeper, bucketWith, countedClicks, filedClicks, oldClicks, retire, retireOf, storedIds } from '../support/retired.ts';
import { sweepAt } from '../support/sweep.ts';
import { api, unique } from '../support/world.ts';

type Keeper = Awaited<ReturnType<typeof aKeeper>>;

let keeper: Keeper;
beforeEach(async () => {
	keeper = await aKeeper();
});

describe('the click of an erased person leaves no trace', () => {
	test('if it is erased before it is retired', async () => {
		const [job] = await marked(1);
		await erase({ click_id: job.clickId });
		await retire();
		await expectErased(job, 1);
	});

	test('if it is erased in its file, which keeps what reports count', async () => {
		const [job, other] = await marked(2);
		await retire();
		expect(await erase({ click_id: job.clickId })).toMatchObject({ clicks: 1, customers: 0 });
		await expectErased(job, 2);
		const [erased, kept] = await filedClicks(keeper);
		expect(erased).toMatchObject({ referralLinkId: job.referralLinkId, clickedAt: job.clickedAt, country: 'DE' });
		expect(kept).toMatchObject({ clickId: other.clickId, sessionId: other.sessionId });
	});

	test('if the retirement ended between file and batch, and the next tick retires it again', async () => {
		const [job] = await marked(1);
		await endBeforeNote();
		expect(await filedClicks(keeper)).toHaveLength(1);
		await erase({ click_id: job.clickId });
		await expectErased(job, 1);
		expect(await retireOf(keeper)).toBe(1);
		await expectErased(job, 1);
		expect(await storedIds(keeper)).toEqual([]);
	});

	test('if it is erased after the retirement has read it', async () => {
		const [, job] = await marked(2);
		let erased: object | undefined;
		const bucket = bucketWith({
			put: async (...args) => {
				erased ??= await erase({ click_id: job.clickId });
				return env.CLICK_FILES.put(...args);
			},
		});
		// The first retirement finds that a row has changed, so the next one writes the file again.
		await retire({ clickFiles: bucket });
		expect(erased).toMatchObject({ clicks: 1 });
		await retire();
		await expectErased(job, 2);
		expect(await storedIds(keeper)).toEqual([]);
		expect(await rows('SELECT clicks, files FROM retired_click_days WHERE program_id = ?', keeper.id)).toEqual([{ clicks: 2, files: 1 }]);
	});

	test('if the database does not know the file, because it was restored', async () => {
		const [job] = await marked(1);
		await retire();
		await rows('DELETE FROM retired_click_days WHERE program_id = ?', keeper.id);
		await erase({ click_id: job.clickId });
		await expectErased(job, 1);
	});

	test('if it is in a file that the database has not noted', async () => {
		const [job] = await marked(1);
		await retire();
		await rows('UPDATE retired_click_days SET files = 0 WHERE program_id = ?', keeper.id);
		await erase({ click_id: job.clickId });
		await expectErased(job, 1);
	});

	test('if its row was deleted without a bucket while a file waited, and the bucket is bound again', async () => {
		const [job, other] = await marked(2);
		await endBeforeNote();
		expect(await retireOf(keeper, { clickFiles: undefined })).toBe(2);
		expect(JSON.stringify(await filedClicks(keeper))).toContain(job.clickId);
		expect(await erase({ click_id: job.clickId })).toMatchObject({ clicks: 1 });
		await expectErased(job, 2);
		expect((await filedClicks(keeper))[1]).toMatchObject({ clickId: other.clickId });
	});

	test('if its erasure began without a bucket, and the bucket with a waiting file is bound again within 15 days', async () => {
		const job = await erasedWithoutBucket();
		expect(JSON.stringify(await filedClicks(keeper))).toContain(job.clickId);
		await sweepErasures(contextAt(Date.now() + 15 * DAY_MS), 100);
		await expectErased(job, 1);
	});

	test('if its erasure ended without the bucket of a waiting file, and is repeated by the click’s id', async () => {
		const job = await erasedWithoutBucket();
		await sweepErasures({ ...contextAt(Date.now() + 15 * DAY_MS), clickFiles: undefined }, 100);
		expect(await openErasures()).toBe(0);
		expect(JSON.stringify(await filedClicks(keeper))).toContain(job.clickId);
		await erase({ click_id: job.clickId });
		await expectErased(job, 1);
	});

	test('if their customer was recorded after the click was retired', async () => {
		const [job] = await marked(1);
		await retire();
		const customer_key = unique('customer');
		await track('lead', { click_id: job.clickId, customer_key }, keeper.apiToken);
		await erase({ customer_key });
		await expectErased(job, 1);
	});
});

test('two people of one file are erased at the same time', async () => {
	const [first, second] = await marked(2);
	await retire();
	let meanwhile: object | undefined;
	const bucket = bucketWith({
		put: async (...args) => {
			meanwhile ??= await erase({ click_id: second.clickId });
			return env.CLICK_FILES.put(...args);
		},
	});
	await erase({ click_id: first.clickId }, { CLICK_FILES: bucket });
	expect(meanwhile).toMatchObject({ clicks: 1 });
	await expectErased(first, 2);
	await expectErased(second, 2);
});

test('one person is erased twice at the same time', async () => {
	const [job] = await marked(1);
	await retire();
	await Promise.all([erase({ click_id: job.clickId }), erase({ click_id: job.clickId })]);
	await expectErased(job, 1);
});

test('an erased click is not counted again if it is delivered again', async () => {
	const jobs = await marked(2);
	await retire();
	const [job] = jobs;
	await erase({ click_id: job.clickId });
	await deliverClicks(jobs);
	expect(await countedClicks(keeper)).toBe(2);
	await expectErased(job, 2);
	await deliverClicks(jobs);
	await sweepAt(Date.now());
	expect(await countedClicks(keeper)).toBe(2);
	await expectErased(job, 2);
});

test('an erased click is not counted if it is delivered while its file is changed', async () => {
	const [job] = await marked(1);
	await retire();
	const bucket = bucketWith({
		put: async (...args) => {
			const object = await env.CLICK_FILES.put(...args);
			await deliverClicks([job]);
			return object;
		},
	});
	await erase({ click_id: job.clickId }, { CLICK_FILES: bucket });
	expect(await countedClicks(keeper)).toBe(1);
	await expectErased(job, 1);
});

test('a person’s export has a click that is only in a file', async () => {
	const [job] = await marked(1);
	await retire();
	const { status, body } = await api<{ clicks: object[] }>(`${keeper.path}/customers/export`, {
		token: keeper.owner.token,
		body: { click_id: job.clickId },
	});
	expect(status).toBe(200);
	expect(body.data.clicks).toEqual([expect.objectContaining({ click_id: job.clickId, page_url: job.pageUrl, sub_id: job.subId })]);
});

describe('if files exist but no bucket is bound', () => {
	test('the erasure stays open, its log line says why, and it ends once the bucket is bound', async () => {
		const [job] = await marked(1);
		await retire();
		const customer_key = unique('customer');
		await track('lead', { click_id: job.clickId, customer_key }, keeper.apiToken);
		const log = vi.spyOn(console, 'error').mockReturnValue();
		await erase({ customer_key }, { CLICK_FILES: undefined });
		const lines = log.mock.calls.map(([line]) => String(line));
		log.mockRestore();
		expect(lines.filter((line) => line.includes('erasure_not_swept'))).toEqual([
			expect.stringContaining('Old clicks are in files, but no bucket is bound as CLICK_FILES'),
		]);
		// The database holds nothing of the person, but the file does.
		for (const trace of tracesOf(job)) expect(await placesOf(trace)).toEqual([]);
		expect(JSON.stringify(await filedClicks(keeper))).toContain(job.clickId);
		expect(await openErasures()).toBe(1);
		await sweepErasures(contextAt(Date.now() + HOUR_MS), 100);
		await expectErased(job, 1);
	});

	test('an erasure that fails does not keep others from their turn', async () => {
		const [job] = await marked(1);
		await retire();
		await erase({ click_id: job.clickId });
		const at = Date.now() + 60 * HOUR_MS;
		const unbound = { ...contextAt(at), clickFiles: undefined, log: () => undefined };
		expect(await sweepErasures(unbound, 1_000)).toBeGreaterThan(0);
		expect(await rows('SELECT next_sweep_at FROM erasures WHERE program_id = ?', keeper.id)).toEqual([{ next_sweep_at: at + HOUR_MS }]);
	});

	test('an erase by the id of a click that only a file can have fails, instead of finding nobody', async () => {
		const [job] = await marked(1);
		await retire();
		const log = vi.spyOn(console, 'error').mockReturnValue();
		const { status } = await callForText({ CLICK_FILES: undefined }, `${keeper.path}/customers/erase`, { click_id: job.clickId });
		const lines = log.mock.calls.map(([line]) => String(line));
		log.mockRestore();
		expect(status).toBe(500);
		expect(lines).toEqual([expect.stringContaining('no bucket is bound as CLICK_FILES')]);
	});
});

/** Writes a file that the database does not note, as if the Worker ended then. */
async function endBeforeNote(): Promise<void> {
	const bucket = bucketWith({
		put: async (...args) => {
			await env.CLICK_FILES.put(...args);
			throw new Error('The Worker is gone');
		},
	});
	expect(await retire({ clickFiles: bucket, log: () => undefined })).toBe(0);
}

/** The click of a customer who was erased while the bucket with a file of the click was not bound. */
async function erasedWithoutBucket(): Promise<ClickJob> {
	const [job] = await marked(1);
	await endBeforeNote();
	expect(await retireOf(keeper, { clickFiles: undefined })).toBe(1);
	const customer_key = unique('customer');
	await track('lead', { click_id: job.clickId, customer_key }, keeper.apiToken);
	await erase({ customer_key }, { CLICK_FILES: undefined });
	return job;
}

/** Old clicks of people, with all that could identify them. */
async function marked(count: 1 | 2): Promise<[ClickJob, ClickJob]> {
	const jobs: ClickJob[] = [];
	for (let index = 0; index < count; index += 1) {
		const person = unique('person');
		const fields = { pageUrl: `https://shop.example/${person}`, sessionId: `session-${person}`, subId: `sub-${person}`, country: 'DE' };
		jobs.push(...(await oldClicks(keeper, 1, fields)));
	}
	const [first, second = first] = jobs;
	if (!first || !second) throw new Error('There is no click');
	return [first, second];
}

function tracesOf({ clickId, pageUrl, sessionId, subId }: ClickJob): string[] {
	return [clickId, String(pageUrl), String(sessionId), String(subId)];
}

/** Includes the erasure's first sweep. */
async function erase(body: object, bindings: Parameters<typeof callWith>[0] = {}): Promise<Erased> {
	const { status, text } = await callForText(bindings, `${keeper.path}/customers/erase`, body);
	if (status !== 200) throw new Error(`The erase answered ${status}: ${text}`);
	const { data }: { data: { erased: Erased } } = JSON.parse(text);
	return data.erased;
}

type Erased = Readonly<Record<string, number>>;

async function callForText(bindings: Parameters<typeof callWith>[0], path: string, body: object) {
	const answer = await callWith(bindings, path, { token: keeper.owner.token, body });
	return { status: answer.status, text: JSON.stringify(answer.body) };
}

/** Nothing of the person is left, and files and reports still count this many clicks. */
async function expectErased(job: ClickJob, clicks: number): Promise<void> {
	const files = await filedClicks(keeper);
	for (const trace of tracesOf(job)) {
		expect(await placesOf(trace)).toEqual([]);
		expect(JSON.stringify(files)).not.toContain(trace);
	}
	expect(files).toHaveLength(clicks);
	expect(await countedClicks(keeper)).toBe(clicks);
}

async function openErasures(): Promise<number> {
	return (await rows('SELECT 1 FROM erasures WHERE program_id = ? AND next_sweep_at IS NOT NULL', keeper.id)).length;
}
