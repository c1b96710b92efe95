import { openLocalR2 } from '../testing/miniflare.ts';
import { grouped } from '../simulation/invariants/invariant.ts';
import type { ClickRow } from '../simulation/world/rows-of-clicks.ts';
import type { Rows } from '../simulation/world/rows.ts';
import { type ClickFile, type FiledClick, parseClickFile } from '../simulation/world/stored-clicks.ts';
import type { Launch } from './server-process.ts';

/** Every file of retired clicks that is on disk. The server must have stopped. */
export async function readClickFiles({ dataFolder }: Launch): Promise<readonly ClickFile[]> {
	const { bucket, stop } = await openLocalR2('affiliate-clicks', dataFolder);
	try {
		const { objects, truncated } = await bucket.list();
		if (truncated) throw new Error('There are more files of clicks than one list has');
		const files: ClickFile[] = [];
		for (const { key } of objects) {
			const object = await bucket.get(key);
			if (object) files.push(parseClickFile(key, await object.arrayBuffer()));
		}
		return files;
	} finally {
		await stop();
	}
}

/** The retired clicks as rows. Reports still count them. */
export function retiredRows(files: readonly ClickFile[], rows: Rows): ClickRow[] {
	return notedFiles(files, rows).flatMap(({ clicks }) => clicks.map(rowOf));
}

/** Says which clicks are lost, doubled or left, given what is in the table and in the files after the last retirement. */
export function misplacedClicks(files: readonly ClickFile[], rows: Rows): string[] {
	const inTable = new Set(rows.clicks.map(({ id }) => id));
	const noted = notedFiles(files, rows);
	const places = grouped(
		noted.flatMap((file) => file.clicks.map(({ id }) => ({ id, place: nameOf(file) }))),
		({ id }) => id,
	);
	const misplaced: string[] = [];
	for (const [id, [first, further]] of places) {
		if (inTable.has(id)) misplaced.push(`click ${id} is in ${first?.place} and in the table`);
		if (further) misplaced.push(`click ${id} is in ${first?.place} and in ${further.place}`);
	}
	const others = files.filter((file) => !noted.includes(file));
	for (const file of others)
		for (const { id } of file.clicks)
			if (!inTable.has(id) && !places.has(id)) misplaced.push(`click ${id} is only in ${nameOf(file)}, which is not noted`);
	for (const { program_id: programId, day, clicks, files: due, deleted } of rows.retiredDays) {
		const own = noted.filter((file) => file.programId === programId && file.day === day);
		const filed = own.reduce((sum, file) => sum + file.clicks.length, 0);
		if (own.length !== due || filed !== clicks || deleted !== 0)
			misplaced.push(
				`program ${programId}, ${day}: ${clicks} clicks in ${due} files are noted, ${deleted} as deleted, but there are ${filed} in ${own.length}`,
			);
	}
	return [...misplaced, ...unretired(rows)];
}

/** Clicks that nothing keeps in the table. A click that is stored after a later day was retired may stay. */
function unretired({ programs, clicks, customers, retiredDays }: Rows): string[] {
	const taken = new Set(customers.map(({ click_id }) => click_id));
	return programs.flatMap(({ id, click_retention_days: days }) => {
		const own = retiredDays.filter(({ program_id }) => program_id === id);
		if (days === null) return own.map(({ day }) => `program ${id} keeps its clicks, but ${day} is retired`);
		const lastDay = own.at(-1)?.day ?? '';
		const left = clicks.filter((click) => click.program_id === id && click.click_day >= lastDay && !taken.has(click.click_id));
		return left.map((click) => `click ${click.id} was not retired`);
	});
}

function notedFiles(files: readonly ClickFile[], { retiredDays }: Rows): ClickFile[] {
	return files.filter(({ programId, day, number }) =>
		retiredDays.some((noted) => noted.program_id === programId && noted.day === day && number < noted.files),
	);
}

function nameOf({ programId, day, number }: ClickFile): string {
	return `file ${number} of program ${programId}, ${day}`;
}

function rowOf(click: FiledClick): ClickRow {
	return {
		id: click.id,
		click_id: click.clickId,
		program_id: click.programId,
		referral_link_id: click.referralLinkId,
		is_test: Number(click.isTest),
		is_bot: Number(click.isBot),
		clicked_at: click.clickedAt,
		click_day: click.clickDay,
		country: click.country,
		source: click.source,
		sub_id: click.subId,
		referrer_url: click.referrerUrl,
	};
}
