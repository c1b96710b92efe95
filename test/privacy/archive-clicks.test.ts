import { beforeEach, expect, test } from 'vitest';
import type { ClickJob } from '../../src/job.ts';
import { callWith } from '../support/bindings.ts';
import { aClick, rows, track } from '../support/funnel.ts';
import { aKeeper, filedClicks, oldClicks, retire, retireSoon } from '../support/retired.ts';
import { api, unique } from '../support/world.ts';

type Keeper = Awaited<ReturnType<typeof aKeeper>>;

let keeper: Keeper;
let jobs: readonly ClickJob[];
beforeEach(async () => {
	keeper = await aKeeper();
	jobs = await oldClicks(keeper, 5, { pageUrl: 'https://shop.example/old' });
});

test('an archive has the clicks of files, as they were in the table', async () => {
	const before = await archivedClicks();
	expect(before).toHaveLength(5);
	await retire({}, 2);
	expect(await filedClicks(keeper)).toHaveLength(5);
	expect(await archivedClicks()).toEqual(before);
});

test.each([1, 2, 3])('in parts of %i rows it is complete', async (limit) => {
	await retire({}, 2);
	await aClick(keeper);
	expect(await archivedClicks(limit)).toEqual(await archivedClicks());
	expect(await archivedClicks(limit)).toHaveLength(jobs.length);
});

test('a click that is in the table as well appears once', async () => {
	await retire();
	const [job] = jobs;
	// As after a restore to before the retirement.
	const [row] = await filedClicks(keeper);
	await rows(
		'INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, page_title) VALUES (?, ?, ?, ?, 0, 0, ?, ?, ?)',
		job?.clickId,
		row?.id,
		keeper.id,
		row?.referralLinkId,
		row?.clickedAt,
		row?.clickDay,
		'The row',
	);
	const clicks = await archivedClicks();
	expect(clicks.map((click) => click['click_id']).toSorted()).toEqual(jobs.map(({ clickId }) => clickId).toSorted());
	expect(clicks.find((click) => click['click_id'] === job?.clickId)).toMatchObject({ page_title: 'The row' });
});

test('clicks that are retired during the archive are not lost', async () => {
	const { lines, next } = await part('?limit=1&cursor=click..0');
	await retire();
	const rest = await part(`?cursor=${next}`);
	const ids = [...lines, ...rest.lines].filter(({ record }) => record === 'click').map((line) => line['click_id']);
	expect(new Set(ids)).toEqual(new Set(jobs.map(({ clickId }) => clickId)));
});

test('a file that the database has not noted is left out, because its clicks are in the table again', async () => {
	await retire({}, 2);
	await rows('UPDATE retired_click_days SET files = 2 WHERE program_id = ?', keeper.id);
	expect(await archivedClicks()).toHaveLength(4);
});

test('after a restore to before a retirement, the next one loses and doubles nothing', async () => {
	const before = await archivedClicks();
	const saved = await rows('SELECT * FROM affiliate_click_events WHERE program_id = ?', keeper.id);
	await retire({}, 2);
	await rows('DELETE FROM retired_click_days WHERE program_id = ?', keeper.id);
	for (const row of saved) {
		const names = Object.keys(row);
		await rows(
			`INSERT INTO affiliate_click_events (${names.join()}) VALUES (${names.map(() => '?').join()})`,
			...names.map((name) => row[name] ?? null),
		);
	}
	expect(await archivedClicks()).toEqual(before);
	const customer_key = unique('customer');
	await track('lead', { click_id: jobs[0]?.clickId, customer_key }, keeper.apiToken);
	await retireSoon(keeper);
	await retire({}, 3);
	// Two files are noted now, and a third is left of the first retirement.
	expect((await archivedClicks()).map((click) => click['click_id']).toSorted()).toEqual(
		before.map((click) => click['click_id']).toSorted(),
	);
});

test('without the bucket of its files the archive is refused', async () => {
	await retire();
	const { status, body } = await callWith({ CLICK_FILES: undefined }, `${keeper.path}/archive`, { token: keeper.owner.token });
	expect([status, body['error']]).toEqual([
		409,
		'Old clicks of this program are in files, but the service has no bucket to read them from. Its operator has to bind the bucket as CLICK_FILES',
	]);
});

type Line = Readonly<Record<string, unknown>>;

async function part(query: string): Promise<{ readonly lines: readonly Line[]; readonly next: string | null }> {
	const { status, text } = await api(`${keeper.path}/archive${query}`, { token: keeper.owner.token });
	if (status !== 200) throw new Error(`The archive answered ${status}: ${text}`);
	const lines = text
		.trimEnd()
		.split('\n')
		.map((line): Line => JSON.parse(line));
	expect(lines.at(-1)?.['record']).toBe('end');
	const next = lines.at(-1)?.['next_cursor'];
	return { lines: lines.slice(0, -1), next: typeof next === 'string' ? next : null };
}

/** The old clicks of the archive, in parts of so many rows. */
async function archivedClicks(limit?: number): Promise<Line[]> {
	const clicks: Line[] = [];
	let next: string | null | undefined = limit === undefined ? undefined : 'click..0';
	do {
		const query = [...(limit === undefined ? [] : [`limit=${limit}`]), ...(next === undefined ? [] : [`cursor=${next}`])].join('&');
		const read = await part(query === '' ? '' : `?${query}`);
		clicks.push(...read.lines.filter((line) => line['record'] === 'click' && line['page_url'] !== 'https://shop.example/'));
		next = read.next;
		if (read.lines.some(({ record }) => record === 'customer' || record === 'commission')) break;
	} while (next !== null);
	const old = new Set(jobs.map(({ clickId }) => clickId));
	return clicks.filter((click) => old.has(String(click['click_id'])));
}
