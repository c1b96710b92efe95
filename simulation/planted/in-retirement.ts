import type { PlantedFault } from './planted-fault.ts';

const JOB = 'src/clicks/retire-clicks.ts';
const READS = 'src/clicks/old-clicks.ts';
const UNGUARDED: PlantedFault['edits'][number] = {
	file: 'src/clicks/click-files.ts',
	find: '{ customMetadata: rangeOf(clicks), onlyIf });',
	replace: '{ customMetadata: rangeOf(clicks), ...(clicks.length < 0 && { onlyIf }) });',
};
const UNCLAIMED: PlantedFault['edits'][number] = {
	file: JOB,
	find: 'UPDATE programs SET retire_clicks_at = ${ctx.now + RETIREMENT_LEASE_MS}',
	replace: 'UPDATE programs SET retire_clicks_at = retire_clicks_at',
};

export const IN_RETIREMENT: readonly PlantedFault[] = onRetirement([
	{
		name: 'retirement: rows are deleted before the file is written',
		why: 'the rows are in memory',
		edits: [
			{
				file: JOB,
				find: 'const bytes = clickFiles ? await writeClickFile(',
				replace:
					'await deleteRetired(ctx, program, { day, files: number + (clickFiles ? 1 : 0), bytes: 0, rows, deleted: clickFiles ? 0 : rows.length });\n	const bytes = clickFiles ? await writeClickFile(',
			},
		],
	},
	{
		name: 'retirement: the day is not noted',
		why: 'the roll-up counts the rows that are left',
		edits: [
			{ file: JOB, find: 'WHERE ${isClaimed(program)} AND ${unchanged}', replace: 'WHERE 0 AND ${isClaimed(program)} AND ${unchanged}' },
			{ file: JOB, find: "json_each(iif(changes() > 0, ${ids}, '[]'))", replace: 'json_each(${ids})' },
		],
	},
	{
		name: 'retirement: the roll-up counts what is left of a retired day',
		why: 'the note is there, but nobody reads it',
		edits: [
			{
				file: 'src/reporting/compared-days.ts',
				find: 'EXISTS (SELECT 1 FROM retired_click_days r WHERE r.program_id',
				replace: 'EXISTS (SELECT 1 FROM retired_click_days r WHERE 0 AND r.program_id',
			},
		],
	},
	{
		name: 'retirement: a day is noted twice',
		why: 'the answer of the batch was lost, so it is sent again',
		edits: [{ file: JOB, find: 'WHERE ${isClaimed(program)} AND ${unchanged} = ${rows.length}', replace: 'WHERE ${isClaimed(program)}' }],
	},
	{
		name: 'retirement: a late click of a retired day counts again',
		why: 'a click without a row is new',
		edits: [{ file: 'src/clicks/retired-among.ts', find: 'for (const id of known) clickIds.add(id);', replace: 'void known;' }],
	},
	{
		name: 'retirement: a late click of a day that was deleted in part counts again',
		why: 'it is in none of the files of its day',
		edits: [
			{
				file: 'src/clicks/retired-among.ts',
				find: 'retired.deleted AS deleted',
				replace: 'iif(retired.files > 0, 0, retired.deleted) AS deleted',
			},
		],
	},
	{
		name: 'retirement: a look passes over a click that may go',
		why: 'the clicks of customers that it saw are older',
		edits: [
			{
				file: READS,
				find: 'clicked_at < until AND ${belongsToNobody(',
				replace: 'clicked_at < until - 3600000 AND ${belongsToNobody(',
			},
		],
	},
	{
		name: 'retirement: a click that is retired while it is delivered counts again',
		why: 'the files were read a moment ago',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: '${retiredDays.length === 0 ? sql`` : retiredMeanwhile}',
				replace: '${retiredDays.length < 0 ? retiredMeanwhile : sql``}',
			},
		],
	},
	{
		name: 'retirement: an erase leaves the files',
		why: 'the table is erased',
		edits: [
			{
				file: 'src/privacy/sweep-erasures.ts',
				find: 'const fault = isOver ? await faultIn(',
				replace: 'const fault = isOver && ctx.now < 0 ? await faultIn(',
			},
		],
	},
	{
		name: 'retirement: a click that was erased in its file counts again',
		why: 'its id is unknown',
		edits: [
			{
				file: 'src/privacy/erase-retired-clicks.ts',
				find: 'UPDATE erased_ids SET click_stored = 1 WHERE program_id',
				replace: 'UPDATE erased_ids SET click_stored = 1 WHERE 0 AND program_id',
			},
		],
		harmless: 'The file has the hash too, as after the restore of a backup.',
	},
	{
		name: 'retirement: clicks of customers are retired',
		why: 'they are as old as the others',
		edits: [
			{
				file: READS,
				find: 'return sql`NOT EXISTS (SELECT 1 FROM customers c WHERE',
				replace: 'return sql`NOT EXISTS (SELECT 1 FROM customers c WHERE 0 AND',
			},
		],
	},
	{
		name: 'retirement: a click that becomes a customer is retired',
		why: 'it belonged to nobody when it was read',
		edits: [
			{
				file: JOB,
				find: 'WHERE e.click_id IN (SELECT value FROM json_each(${ids})) AND ${belongsToNobody(sql`e.click_id`)})`;',
				replace: 'WHERE e.click_id IN (SELECT value FROM json_each(${ids})))`;',
			},
		],
	},
	{
		name: 'retirement: a customer does not get the sub_id of its click',
		why: 'the row of the click has it',
		edits: [
			{
				file: 'src/customers/write-customer.ts',
				find: 'subId: sql`(SELECT ${affiliateClickEvents.subId} ${ofRow})`,',
				replace: 'subId: sql`NULL`,',
			},
		],
	},
	{
		name: 'retirement: two ticks take the same program and replace files',
		why: 'a tick is over within a minute',
		edits: [UNCLAIMED, UNGUARDED],
	},
	{
		name: 'retirement: two ticks take the same program',
		why: 'a tick is over within a minute',
		edits: [UNCLAIMED],
		harmless:
			'The second cannot replace the file, because it knows only its earlier version, and notes nothing, because the rows are gone.',
	},
	{
		name: 'retirement: a tick without its claim replaces a file',
		why: 'the claim was checked when the rows were read',
		edits: [UNGUARDED],
	},
	{
		name: 'retirement: clicks go when the attribution window ends',
		why: 'nobody can be attributed any more',
		edits: [
			{
				file: READS,
				find: 'dayOf(ctx.now - retentionDays * DAY_MS, timeZone)',
				replace: 'dayOf(ctx.now - (retentionDays - 7) * DAY_MS, timeZone)',
			},
		],
	},
]);

/** These need old clicks, which other histories hardly have. */
function onRetirement(faults: readonly PlantedFault[]): readonly PlantedFault[] {
	return faults.map((fault) => ({ ...fault, isOnRetirement: true }));
}
