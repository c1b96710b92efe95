import type { PlantedFault } from './planted-fault.ts';

// Faults in closed months of the breakdown (decision 63).

export const IN_MONTHS: readonly PlantedFault[] = [
	{
		name: 'months: late deltas are added only to the day',
		why: 'a past month is assumed to be final',
		edits: [{ file: 'src/reporting/apply-deltas.ts', find: ', ...raiseMonths(ctx, values)]', replace: ']' }],
	},
	{
		name: 'months: late clicks do not change their month',
		why: 'clicks are assumed never to be late',
		edits: [{ file: 'src/clicks/count-clicks.ts', find: '\t\t...reopenMonths(ctx, counted),\n', replace: '' }],
	},
	{
		name: 'months: a reopened month keeps its rows',
		why: 'the new sums are added to the old rows',
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
		why: 'a month is read in addition to its days',
		edits: [
			{
				file: 'src/reporting/read-breakdown.ts',
				find: ' AND substr(day, 1, 7) NOT IN (SELECT month FROM months)',
				replace: '',
			},
		],
	},
	{
		name: 'months: a partial month is read as a whole one',
		why: 'a range is assumed to start on the first of a month',
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
		why: 'only additions are considered',
		edits: [{ file: 'src/reporting/closed-months.ts', find: 'Math.min(leads, conversions, sales) < 0', replace: 'false' }],
	},
];
