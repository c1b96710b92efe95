import { isPseudonym } from '../world/erased.ts';
import type { ClickRow, RetiredDayRow } from '../world/rows-of-clicks.ts';
import type { Simulation } from '../world/simulation.ts';
import type { ClickFile, FiledClick } from '../world/stored-clicks.ts';
import { WORLD } from '../world/world.ts';
import { grouped, type Invariant, violated } from './invariant.ts';

export const places: Invariant = { name: 'a click is in the table or in exactly one file', check: checkPlaces };
export const retiredDays: Invariant = { name: 'a retired day is noted with its clicks and files', check: checkDays };
export const customersClicks: Invariant = { name: 'clicks of customers stay in the table', check: checkOfCustomers };
export const subIds: Invariant = { name: 'a customer has the sub_id of its click', reads: ['customers', 'clicks'], check: checkSubIds };

/** Clicks are kept for the attribution window and a week at least. */
const WEEK_DAYS = 7;
const DAY_MS = 86_400_000;

function checkPlaces(sim: Simulation): void {
	const { clicks } = sim;
	const noted = notedDays(sim);
	const files = clicks.files();
	if (files.length === 0 && clicks.retired().length === 0) return;
	const copies = new Map<number, FiledClick[]>();
	for (const file of files) {
		const due = noted.get(keyOf(file))?.files ?? 0;
		if (file.number > due) throw violated(places.name, `${nameOf(file)} is not the next file of its day`);
		// A file that is not noted yet will be written again. Its rows are still in the table, unless they were deleted once the bucket was gone.
		const isNoted = file.number < due;
		for (const click of file.clicks) {
			if (!isNoted && clicks.isDeleted(click)) continue;
			const isRetired = !clicks.isInTable(click);
			if (isNoted !== isRetired)
				throw violated(places.name, `click ${click.id} is in ${nameOf(file)} and ${isRetired ? 'no longer' : 'still'} in the table`);
			copies.set(click.id, [...(copies.get(click.id) ?? []), click]);
		}
	}
	const deleted = new Map<string, number>();
	for (const { row } of clicks.retired()) {
		const [copy, further] = copies.get(row.id) ?? [];
		if (!copy) {
			const day = keyOf({ programId: row.program_id, day: row.click_day });
			deleted.set(day, (deleted.get(day) ?? 0) + 1);
			if ((deleted.get(day) ?? 0) > (noted.get(day)?.deleted ?? 0)) throw violated(places.name, `click ${row.click_id} is in neither`);
			continue;
		}
		if (further) throw violated(places.name, `click ${row.click_id} is in two files`);
		if (!isCopy(copy, row)) throw violated(places.name, `click ${row.click_id} is filed as ${JSON.stringify(copy)}`);
	}
}

/** An erasure replaces the id and keeps what reports count. */
function isCopy(copy: FiledClick, row: ClickRow): boolean {
	return (
		(copy.clickId === row.click_id || isPseudonym(copy.clickId)) &&
		copy.programId === row.program_id &&
		copy.referralLinkId === row.referral_link_id &&
		Number(copy.isTest) === row.is_test &&
		Number(copy.isBot) === row.is_bot &&
		copy.clickedAt === row.clicked_at &&
		copy.clickDay === row.click_day &&
		copy.country === row.country &&
		copy.source === row.source
	);
}

function checkDays(sim: Simulation): void {
	const { clicks, rows } = sim;
	const retired = grouped(
		clicks.retired().map(({ row }) => row),
		({ program_id: programId, click_day: day }) => keyOf({ programId, day }),
	);
	const files = grouped(clicks.files(), keyOf);
	for (const day of rows.retiredDays) {
		const key = keyOf({ programId: day.program_id, day: day.day });
		const gone = retired.get(key)?.length ?? 0;
		if (day.clicks !== gone) throw violated(retiredDays.name, `${key} is noted with ${day.clicks} clicks, ${gone} are retired`);
		const stored = (files.get(key) ?? []).filter(({ number }) => number < day.files).length;
		if (stored !== day.files) throw violated(retiredDays.name, `${key} is noted with ${day.files} files, ${stored} exist`);
		if (clicks.isNeverUnbound ? day.deleted > 0 : !clicks.bucket && day.deleted !== day.clicks)
			throw violated(retiredDays.name, `${key} is noted with ${day.deleted} deleted of ${day.clicks} clicks`);
	}
	const noted = notedDays(sim);
	for (const [key, [first]] of retired) {
		if (!noted.has(key)) throw violated(retiredDays.name, `${key} has retired clicks, but is not noted`);
		const window = WORLD.programs.find(({ id }) => id === first?.program_id)?.windowDays ?? 0;
		const youngest = Math.max(...(retired.get(key) ?? []).map(({ clicked_at }) => clicked_at));
		if (sim.now - youngest < (window + WEEK_DAYS) * DAY_MS) throw violated(retiredDays.name, `${key} was retired too early`);
	}
}

/** A lead may still come with a click that was retired before. */
function checkOfCustomers({ clicks }: Simulation): void {
	const taken = clicks.retired().find(({ customerId }) => customerId !== undefined);
	if (taken) throw violated(customersClicks.name, `click ${taken.row.click_id} of customer ${taken.customerId} was retired`);
}

/** Postbacks and sale reports show the same with and without retention. */
function checkSubIds({ rows, erased, clicks }: Simulation): void {
	const known = new Map(rows.clicks.map((click) => [click.click_id, click]));
	for (const customer of rows.customers) {
		const { id, click_id, sub_id, erased_at } = erased.asStored(customer);
		const click = known.get(click_id ?? '');
		if (!click || erased_at !== null) continue;
		const isRight = sub_id === click.sub_id || (sub_id === null && !clicks.isInTable(click));
		if (!isRight) throw violated(subIds.name, `customer ${id} has sub_id ${sub_id}, its click ${click.sub_id}`);
	}
}

/** Once the job has had its time, it can find no old click. */
export function checkRetiredAtRest({ rows, clicks, now, erased }: Simulation): void {
	const taken = new Set(rows.customers.map((customer) => erased.asStored(customer).click_id));
	const stored = clicks.inTable();
	for (const { id, click_retention_days: days, old_clicks_from: passedUntil } of rows.programs) {
		if (days === null) continue;
		const lastDay = rows.retiredDays.filter(({ program_id }) => program_id === id).at(-1)?.day ?? '';
		const left = stored.find(
			(row) =>
				row.program_id === id &&
				row.click_day >= lastDay &&
				row.clicked_at >= passedUntil &&
				row.clicked_at < now - (days + 2) * DAY_MS &&
				!taken.has(row.click_id),
		);
		if (left) throw violated(retiredDays.name, `click ${left.click_id} of ${left.click_day} is never retired`);
	}
}

function notedDays({ rows }: Simulation): ReadonlyMap<string, RetiredDayRow> {
	return new Map(rows.retiredDays.map((row) => [keyOf({ programId: row.program_id, day: row.day }), row]));
}

function keyOf({ programId, day }: Pick<ClickFile, 'programId' | 'day'>): string {
	return `program ${programId}, ${day}`;
}

function nameOf(file: ClickFile): string {
	return `file ${file.number} of ${keyOf(file)}`;
}
