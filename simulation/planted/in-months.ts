import type { PlantedFault } from './planted-fault.ts';

// Faults in closed months of the breakdown (decision 63).

export const IN_MONTHS: readonly PlantedFault[] = [
	{
		name: 'months: what comes late is added to the day alone',
		why: 'a month that is over is taken to change no more',
		edits: [{ file: 'src/reporting/apply-deltas.ts', find: ', ...raiseMonths(ctx, values)]', replace: ']' }],
	},
	{
		name: 'months: late clicks leave their month as it is',
		why: 'clicks are counted at once, so none is late',
		edits: [{ file: 'src/clicks/count-clicks.ts', find: '\t\t...reopenMonths(ctx, counted),\n', replace: '' }],
	},
	{
		name: 'months: one that is opened again keeps its rows',
		why: 'what is summed up anew is added to what was there',
		edits: [
			{
				file: 'src/reporting/closed-months.ts',
				find: '\t\tdb.run(sql`DELETE FROM monthly_breakdown WHERE ${isMonth}`),\n',
				replace: '',
			},
			{
				file: 'src/reporting/closed-months.ts',
				find: '\t\t\tGROUP BY value, currency`),',
				replace:
					'\t\t\tGROUP BY value, currency ON CONFLICT DO UPDATE SET clicks = clicks + excluded.clicks, sales = sales + excluded.sales`),',
			},
		],
	},
	{
		name: 'months: the days of a month are read too',
		why: 'a month is read beside its days',
		edits: [
			{
				file: 'src/reporting/read-breakdown.ts',
				find: ' AND substr(day, 1, 7) NOT IN (SELECT month FROM months)',
				replace: '',
			},
		],
	},
	{
		name: 'months: a part of one is taken for the whole',
		why: 'a range is taken to begin with the first of a month',
		edits: [
			{
				file: 'src/domain/reporting/closed-months.ts',
				find: "first.endsWith('-01') ? monthOf(first) : monthOf(addMonths(`${monthOf(first)}-01`, 1))",
				replace: 'monthOf(first)',
			},
		],
	},
	{
		name: 'months: the last day stays when its sale is gone',
		why: 'only what is added is thought of',
		edits: [{ file: 'src/reporting/closed-months.ts', find: 'Math.min(leads, conversions, sales) < 0', replace: 'false' }],
	},
];
