import type { PlantedFault } from './planted-fault.ts';

export const IN_REPORTS: readonly PlantedFault[] = [
	{
		name: 'source: stored as reported',
		why: "the click's row keeps the visitor's source, even if it was counted as another",
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: '${countedSource(dated, sql`click ->> 2`, sql`click ->> 7`, sql`click ->> 16`)}',
				replace: 'click ->> 16',
			},
		],
	},
	{
		name: 'source: every invented one has a row',
		why: 'the number of sources a day is not limited',
		edits: [
			{
				file: 'src/clicks/count-clicks.ts',
				find: 'iif(is_known OR nth <= room.sources, source, ${OTHER_SOURCES})',
				replace: 'source',
			},
		],
	},
	{
		name: 'source: limited per delivery',
		why: "the day's existing sources are not counted",
		edits: [{ file: 'src/clicks/count-clicks.ts', find: '${settings.sourcesPerDay} - (', replace: '${settings.sourcesPerDay} - 0 * (' }],
	},
	{
		name: 'source: crowded out although known',
		why: 'a full day refuses even its own sources',
		edits: [{ file: 'src/clicks/count-clicks.ts', find: 'iif(is_known OR nth <=', replace: 'iif(nth <=' }],
	},
	{
		name: 'source: counted for crawlers',
		why: 'a crawler has a referrer too',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: 'job.isTest || job.isBot ? null', replace: 'job.isTest ? null' }],
	},
	{
		name: 'click counted at every delivery',
		why: 'only the insert checks whether the click is stored',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: 'countClicks(ctx, fresh)', replace: 'countClicks(ctx, dated)' }],
	},
	{
		name: 'deltas: deltas of values only are added to the totals',
		why: 'the flag onlyValues is ignored',
		edits: [
			{
				file: 'src/domain/reporting/changed-figures.ts',
				find: 'change.moves.filter(({ onlyValues }) => !onlyValues).map(',
				replace: 'change.moves.map(',
			},
		],
	},
	{
		name: 'deltas: each row overwrites the day',
		why: 'the new value replaces the old one',
		edits: [
			{
				file: 'src/reporting/apply-deltas.ts',
				find: '`${column} = ${column} + excluded.${column}`',
				replace: '`${column} = excluded.${column}`',
			},
		],
	},
	{
		name: 'report: waiting deltas are not read',
		why: 'only the daily rows are read',
		edits: [
			{
				file: 'src/reporting/read-performance.ts',
				find: 'WHERE ${IS_IN_TOTALS} AND ${DAY} BETWEEN ${first} AND ${last}\n\t)`',
				replace: 'WHERE 0\n\t)`',
			},
		],
	},
	{
		name: 'report: waiting deltas are read separately',
		why: 'deltas applied between the two reads are counted twice or not at all',
		edits: [
			{
				file: 'src/reporting/read-performance.ts',
				find: 'WHERE ${IS_IN_TOTALS} AND ${DAY} BETWEEN ${first} AND ${last}\n\t)`',
				replace: 'WHERE 0\n\t)`',
			},
			{
				file: 'src/reporting/read-performance.ts',
				find: '\tconst days = figuresOf(rows);\n',
				replace:
					'\tconst later = await ctx.db\n\t\t.select({ figures: sql<string>`figures` })\n\t\t.from(sql`(SELECT json_array(${DAY}, ${CURRENCY}, 0, ${eachColumn(MOVED_COLUMNS, figureOf)}) AS figures\n\t\t\tFROM ${deltasOf(sql`programs p CROSS JOIN outbox o ON o.program_id = p.id`)} WHERE p.id = ${programId} AND ${IS_IN_TOTALS})`);\n\tconst days = figuresOf([...rows, ...later]);\n',
			},
		],
	},
	{
		name: 'report: deltas of values only count',
		why: 'a history that moves to its country is counted twice',
		edits: [
			{
				file: 'src/reporting/read-performance.ts',
				find: 'WHERE ${IS_IN_TOTALS} AND ${DAY} BETWEEN',
				replace: 'WHERE ${DAY} BETWEEN',
			},
		],
	},
	{
		name: 'breakdown: waiting deltas are not read',
		why: "only the dimension's rows are read",
		edits: [
			{
				file: 'src/reporting/read-breakdown.ts',
				find: 'WHERE ${DAY} BETWEEN ${first} AND ${last}`;',
				replace: 'WHERE 0`;',
			},
		],
	},
	{
		name: 'breakdown: the rest leaves out waiting deltas',
		why: 'the rest is computed from the daily rows alone',
		edits: [
			{
				file: 'src/reporting/read-breakdown.ts',
				find: 'WHERE ${DAY} BETWEEN ${first} AND ${last} AND ${IS_IN_TOTALS}`;',
				replace: 'WHERE 0`;',
			},
		],
	},
	{
		name: 'breakdown: the rest is the total',
		why: 'the values are not subtracted',
		edits: [
			{
				file: 'src/reporting/read-breakdown.ts',
				find: 'sql`${totalsOf(by, days)} UNION ALL SELECT currency, ${eachColumn(COLUMNS, (column) => `-${column}`)} FROM found`',
				replace: 'totalsOf(by, days)',
			},
		],
	},
	{
		name: 'breakdown: ended partner loses its clicks',
		why: "a link's former partner is ignored",
		edits: [
			{
				file: 'src/reporting/read-breakdown.ts',
				find: 'm.id = coalesce(l.partner_program_id, l.former_partner_program_id)`',
				replace: 'm.id = l.partner_program_id`',
			},
		],
	},
	{
		name: 'verification: waiting deltas are not read',
		why: 'cron repairs a correct day',
		edits: [
			{
				file: 'src/reporting/repair-day.ts',
				find: 'WHERE ${DAY} = d.day AND ${IS_IN_TOTALS}',
				replace: 'WHERE 0',
			},
		],
	},
	{
		name: 'verification: waiting deltas are not read for the breakdown',
		why: 'cron repairs correct rows',
		edits: [
			{
				file: 'src/reporting/repair-breakdown.ts',
				find: 'WHERE ${DAY} = d.day\n',
				replace: 'WHERE 0\n',
			},
		],
	},
	{
		name: 'verification: deltas of values only are expected in the totals',
		why: 'it is subtracted from a day that never had it',
		edits: [{ file: 'src/reporting/repair-day.ts', find: 'WHERE ${DAY} = d.day AND ${IS_IN_TOTALS}\n', replace: 'WHERE ${DAY} = d.day\n' }],
	},
];
