import type { PlantedFault } from './planted-fault.ts';

export const IN_REPORTS: readonly PlantedFault[] = [
	{
		name: 'source: stored as told',
		why: 'the row of a click keeps the source that the visitor named, whatever it was counted under',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: '${countedSource(dated, sql`click ->> 2`, sql`click ->> 7`, sql`click ->> 16`)}',
				replace: 'click ->> 16',
			},
		],
	},
	{
		name: 'source: each made-up one has a row',
		why: 'the sources of a day are not limited',
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
		why: 'what the day has already is forgotten in the count',
		edits: [{ file: 'src/clicks/count-clicks.ts', find: '${settings.sourcesPerDay} - (', replace: '${settings.sourcesPerDay} - 0 * (' }],
	},
	{
		name: 'source: crowded out though known',
		why: 'a full day takes no click of a source that it has',
		edits: [{ file: 'src/clicks/count-clicks.ts', find: 'iif(is_known OR nth <=', replace: 'iif(nth <=' }],
	},
	{
		name: 'source: of crawlers too',
		why: 'a crawler tells where it came from like anybody',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: 'job.isTest || job.isBot ? null', replace: 'job.isTest ? null' }],
	},
	{
		name: 'click counted at every delivery',
		why: 'only the insert asks whether the click is stored',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: 'countClicks(ctx, fresh)', replace: 'countClicks(ctx, dated)' }],
	},
	{
		name: 'moves: what is in the totals is added again',
		why: 'that only values are new is not asked',
		edits: [
			{
				file: 'src/domain/reporting/changed-figures.ts',
				find: 'change.moves.filter(({ onlyValues }) => !onlyValues).map(',
				replace: 'change.moves.map(',
			},
		],
	},
	{
		name: 'moves: each row overwrites the day',
		why: 'what is added replaces what was there',
		edits: [
			{
				file: 'src/reporting/apply-deltas.ts',
				find: '`${column} = ${column} + excluded.${column}`',
				replace: '`${column} = excluded.${column}`',
			},
		],
	},
	{
		name: 'report: what waits is not read',
		why: 'the daily rows are taken for all',
		edits: [
			{
				file: 'src/reporting/read-performance.ts',
				find: 'WHERE ${IS_IN_TOTALS} AND ${DAY} BETWEEN ${first} AND ${last}\n\t)`',
				replace: 'WHERE 0\n\t)`',
			},
		],
	},
	{
		name: 'report: what waits is read in a trip of its own',
		why: 'what is applied between the two is in neither or in both',
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
		name: 'report: what only values are new of counts',
		why: 'a history that moves under its country is in the report twice',
		edits: [
			{
				file: 'src/reporting/read-performance.ts',
				find: 'WHERE ${IS_IN_TOTALS} AND ${DAY} BETWEEN',
				replace: 'WHERE ${DAY} BETWEEN',
			},
		],
	},
	{
		name: 'breakdown: what waits is not read',
		why: 'the rows of the dimension are taken for all',
		edits: [
			{
				file: 'src/reporting/read-breakdown.ts',
				find: 'WHERE ${DAY} BETWEEN ${first} AND ${last}`;',
				replace: 'WHERE 0`;',
			},
		],
	},
	{
		name: 'breakdown: the rest is counted without what waits',
		why: 'what stands under no value is what the daily rows have left',
		edits: [
			{
				file: 'src/reporting/read-breakdown.ts',
				find: 'WHERE ${DAY} BETWEEN ${first} AND ${last} AND ${IS_IN_TOTALS}`;',
				replace: 'WHERE 0`;',
			},
		],
	},
	{
		name: 'breakdown: the rest is all',
		why: 'what stands under values is not taken off',
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
		why: 'a link that lost its partner is asked whose it is',
		edits: [
			{
				file: 'src/reporting/read-breakdown.ts',
				find: 'm.id = coalesce(l.partner_program_id, l.former_partner_program_id)`',
				replace: 'm.id = l.partner_program_id`',
			},
		],
	},
	{
		name: 'verification: what waits is not read',
		why: 'cron puts right a day that was right',
		edits: [
			{
				file: 'src/reporting/repair-day.ts',
				find: 'WHERE o.program_id = ${id} AND ${DAY} = ${day} AND ${IS_IN_TOTALS}',
				replace: 'WHERE o.program_id = ${id} AND 0',
			},
		],
	},
	{
		name: 'verification: what waits is not read for the breakdown',
		why: 'cron puts right rows that were right',
		edits: [
			{
				file: 'src/reporting/repair-breakdown.ts',
				find: 'WHERE o.program_id = ${program.id} AND ${DAY} = ${day}\n',
				replace: 'WHERE o.program_id = ${program.id} AND 0\n',
			},
		],
	},
	{
		name: 'verification: what only values are new of is expected in the totals',
		why: 'it is taken off a day that never had it',
		edits: [{ file: 'src/reporting/repair-day.ts', find: 'AND ${DAY} = ${day} AND ${IS_IN_TOTALS}\n', replace: 'AND ${DAY} = ${day}\n' }],
	},
];
