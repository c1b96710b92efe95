import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { ClickJob } from '../../src/job.ts';
import { listClickFiles, rewriteClickFile } from '../../src/clicks/click-files.ts';
import { storeClicks } from '../../src/clicks/store-clicks.ts';
import { interrupted } from '../../testing/d1/failing.ts';
import { callWith } from '../support/bindings.ts';
import { contextAt } from '../support/clock.ts';
import { deliver } from '../support/deliver.ts';
import { rows } from '../support/funnel.ts';
import { aClickJob, deliverClicks } from '../support/report.ts';
import { aKeeper, countedClicks, filedClicks, OLD_DAY, OLD_NOON, oldClicks, retire, retireOf, storedIds } from '../support/retired.ts';
import { api } from '../support/world.ts';

let keeper: Awaited<ReturnType<typeof aKeeper>>;
beforeEach(async () => {
	keeper = await aKeeper();
});

describe('a click whose day was retired is delivered late, as from a dead letter', () => {
	test('if it is in the files, it is not counted again', async () => {
		const jobs = await oldClicks(keeper, 3);
		await retire();
		await replayed(jobs);
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([3, []]);
		expect(await filedClicks(keeper)).toHaveLength(3);
	});

	test('if it is not in the files, it is counted, stored, and retired later into a further file', async () => {
		await oldClicks(keeper, 2);
		await retire();
		const late = await aClickJob(keeper, OLD_NOON + 60_000);
		await replayed([late]);
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([3, [late.clickId]]);
		await replayed([late]);
		expect(await countedClicks(keeper)).toBe(3);
		expect(await retireOf(keeper)).toBe(1);
		await replayed([late]);
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([3, []]);
		expect((await filedClicks(keeper)).at(-1)?.clickId).toBe(late.clickId);
		expect(await noted()).toEqual({ clicks: 3, files: 2, deleted: 0 });
	});

	test('if clicks of its day were deleted, nobody knows, so it is not counted, and a log line says so', async () => {
		const [job] = await oldClicks(keeper, 1);
		await retire({ clickFiles: undefined });
		const late = await aClickJob(keeper, OLD_NOON + 60_000);
		const log = vi.spyOn(console, 'warn').mockReturnValue();
		await deliverClicks([job ?? late, late]);
		const lines = log.mock.calls.map(([line]): unknown => JSON.parse(String(line)));
		log.mockRestore();
		expect(lines).toEqual([expect.objectContaining({ event: 'clicks_of_deleted_day_ignored', programId: keeper.id, clicks: 2 })]);
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([1, []]);
	});

	test('if clicks of its day were deleted before a bucket was bound and others filed after it, it is not counted again', async () => {
		const [deleted, filed] = await twoOldClicks();
		await keptBack(filed, () => retire({ clickFiles: undefined }));
		expect(await retireOf(keeper)).toBe(1);
		expect(await noted()).toEqual({ clicks: 2, files: 1, deleted: 1 });
		await deliveredQuietly({}, [deleted, filed]);
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([2, []]);
	});

	test('if clicks of its day were filed and the rest deleted after the bucket was removed, it is not counted again, with or without a bucket', async () => {
		const [filed, deleted] = await twoOldClicks();
		await keptBack(deleted, () => retire());
		expect(await retireOf(keeper, { clickFiles: undefined })).toBe(1);
		expect(await noted()).toEqual({ clicks: 2, files: 1, deleted: 1 });
		await deliveredQuietly({}, [deleted, filed]);
		await deliveredQuietly({ clickFiles: undefined }, [deleted, filed]);
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([2, []]);
	});

	test('if its day is in files but no bucket is bound, it is delivered again later', async () => {
		const jobs = await oldClicks(keeper, 1);
		await retire();
		await expect(storeClicks({ ...contextAt(Date.now()), clickFiles: undefined }, jobs)).rejects.toThrow(
			'Old clicks are in files, but no bucket is bound as CLICK_FILES',
		);
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([1, []]);
	});

	test('if it was erased in its file by an erasure that a restored database does not know, it is not counted again', async () => {
		const [job, other] = await twoOldClicks();
		await retire();
		await erase(job);
		await rows('DELETE FROM erased_ids WHERE program_id = ?', keeper.id);
		await replayed([job, other]);
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([2, []]);
		expect((await filedClicks(keeper)).map(({ clickId }) => clickId)).not.toContain(job.clickId);
	});

	test('if an earlier version erased it in its file, it is known by its link and time', async () => {
		const [job, other] = await twoOldClicks();
		await retire();
		await erase(job);
		await rows('DELETE FROM erased_ids WHERE program_id = ?', keeper.id);
		await withoutHashes();
		await replayed([job, other]);
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([2, []]);
	});

	test.each(['in its file', 'before it was retired'])(
		'if another click of its link and millisecond was erased %s, it is still counted',
		async (when) => {
			const [erased] = await oldClicks(keeper, 1);
			const late = await aClickJob(keeper, OLD_NOON);
			if (when === 'before it was retired') await erase(erased);
			await retire();
			if (when === 'in its file') await erase(erased);
			await replayed([late]);
			expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([2, [late.clickId]]);
		},
	);

	test('together with new clicks, only the new ones are counted', async () => {
		const jobs = await oldClicks(keeper, 2);
		await retire();
		await replayed([...jobs, await aClickJob(keeper, Date.now())]);
		expect(await countedClicks(keeper)).toBe(3);
	});
});

/** The files are rewritten after the answer, and this call waits for that. */
async function erase(job: ClickJob | undefined): Promise<void> {
	await callWith({}, `${keeper.path}/customers/erase`, { token: keeper.owner.token, body: { click_id: job?.clickId } });
}

async function withoutHashes(): Promise<void> {
	for (const { key } of await listClickFiles(env.CLICK_FILES, { programId: keeper.id, day: OLD_DAY }))
		await rewriteClickFile(env.CLICK_FILES, key, ({ erasedHash: _hash, ...click }) => click);
}

describe('a day that is retired between the read and the write of a delivery is decided again', () => {
	test('a click that has just been retired is not counted again', async () => {
		const jobs = await oldClicks(keeper, 2);
		await deliverWhile(jobs, () => retire());
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([2, []]);
		expect(await filedClicks(keeper)).toHaveLength(2);
	});

	test('a click that nobody has stored is counted once', async () => {
		await oldClicks(keeper, 2);
		const late = await aClickJob(keeper, OLD_NOON + 60_000);
		await deliverWhile([late], () => retire());
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([3, [late.clickId]]);
	});

	test('a click that was retired into a further file is not counted again', async () => {
		await oldClicks(keeper, 2);
		await retire();
		const late = await aClickJob(keeper, OLD_NOON + 60_000);
		await deliverClicks([late]);
		await deliverWhile([late], () => retireOf(keeper));
		expect([await countedClicks(keeper), await storedIds(keeper)]).toEqual([3, []]);
	});
});

async function twoOldClicks(): Promise<[ClickJob, ClickJob]> {
	const [first, second] = await oldClicks(keeper, 2);
	if (!first || !second) throw new Error('Two clicks are expected');
	return [first, second];
}

/** The click is stored only after a retirement, as if a tick had ended between two slices of the day. */
async function keptBack({ clickId }: ClickJob, work: () => Promise<unknown>): Promise<void> {
	const away = -keeper.id;
	await rows('UPDATE affiliate_click_events SET clicked_at = ? WHERE click_id = ?', Date.now() + away, clickId);
	await work();
	await rows('UPDATE affiliate_click_events SET clicked_at = ? WHERE click_id = ?', OLD_NOON + 1_000, clickId);
}

async function deliveredQuietly(changed: Partial<Context>, jobs: readonly ClickJob[]): Promise<void> {
	await storeClicks({ ...contextAt(Date.now()), ...changed, log: () => undefined }, jobs);
}

/** An owner replays the clicks' dead letters. */
async function replayed(jobs: readonly { readonly clickId: string }[]): Promise<void> {
	await deliver(
		'affiliate-dead-letters',
		jobs.map((body) => ({ body })),
	);
	const letters = await rows<{ id: number }>(
		"SELECT id FROM dead_letters WHERE program_id = ? AND replayed_at IS NULL AND body ->> '$.clickId' IN (SELECT value FROM json_each(?))",
		keeper.id,
		JSON.stringify(jobs.map(({ clickId }) => clickId)),
	);
	expect(letters).toHaveLength(jobs.length);
	for (const { id } of letters) {
		const { status, text } = await api(`/api/v1/dead-letters/${id}/replay`, { method: 'POST', token: keeper.owner.token });
		if (status !== 200) throw new Error(`The replay answered ${status}: ${text}`);
	}
	// The queue delivers them, at least once.
	await deliver(
		'affiliate-clicks',
		jobs.map((body) => ({ body })),
	);
}

async function noted(): Promise<object | undefined> {
	const [day] = await rows('SELECT clicks, files, deleted FROM retired_click_days WHERE program_id = ?', keeper.id);
	return day;
}

/** Runs `work` after the clicks were looked up and before they are written. */
async function deliverWhile(jobs: readonly unknown[], work: () => Promise<unknown>): Promise<void> {
	const { retried } = await deliver(
		'affiliate-clicks',
		jobs.map((body) => ({ body })),
		{ DB: interrupted(env.DB, work) },
	);
	expect(retried).toEqual([]);
}
