import type { PlantedFault } from './planted-fault.ts';

// Faults in the stored sums of commissions (decision 63).

export const IN_SUMS: readonly PlantedFault[] = [
	{
		name: 'sums: new commission forgotten',
		why: 'only what changes a commission is noted',
		edits: [
			{
				file: 'src/sales/plan-sale.ts',
				find: '? deltasOfState({ partnerProgramId, day: saleDay, currency }, undefined, { ...outcome.earning, deductedCents: 0 })',
				replace: '? []',
			},
		],
	},
	{
		name: 'sums: late commission forgotten',
		why: 'cron makes it, not a sale',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: '\t\t...deltasOfState({ ...sale, day }, undefined, { amountCents, deductedCents: deductionCents, status: statusAfter(sale, owed) }),\n',
				replace: '',
			},
		],
	},
	{
		name: 'sums: refund forgotten',
		why: 'the report moves, the sums do not',
		edits: [
			{
				file: 'src/refunds/write-movement.ts',
				find: '[...(moves ?? deltasOfMovement(sale, movement)), ...deltasOfChange(sale, movement)]',
				replace: 'moves ?? deltasOfMovement(sale, movement)',
			},
		],
	},
	{
		name: 'sums: duplicate not reversed',
		why: 'it is in no report, so it is taken for being in no sum',
		edits: [
			{
				file: 'src/refunds/write-movement.ts',
				find: '...deltasOfChange(sale, movement)]',
				replace: '...(moves ? [] : deltasOfChange(sale, movement))]',
			},
		],
	},
	{
		name: 'sums: rejection forgotten',
		why: 'it is taken for a deduction alone',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: "\t\t...deltasOfState({ partnerProgramId, day, currency }, commission, { ...commission, status: 'rejected' }),\n",
				replace: '',
			},
		],
	},
	{
		name: 'sums: approval moves them afterwards',
		why: 'by then nothing is pending any more',
		edits: [
			{ file: 'src/commissions/approve-commissions.ts', find: '\t\tdeltasOfSums(ctx, ids, "\'approved\'"),\n', replace: '' },
			{
				file: 'src/commissions/approve-commissions.ts',
				find: '\t\tinsertApprovals(ctx, operation, ids),\n',
				replace: '\t\tinsertApprovals(ctx, operation, ids),\n\t\tdeltasOfSums(ctx, ids, "\'approved\'"),\n',
			},
		],
	},
	{
		name: 'sums: end of hold forgotten',
		why: 'nobody is told of it, so nothing waits',
		edits: [{ file: 'src/sales/release-holds.ts', find: 'deltasOfSums(ctx, sql`${due}`, "\'approved\'"), ', replace: '' }],
	},
	{
		name: 'sums: what is left of a refunded commission counts as paid',
		why: 'a payout is taken to make all of its commissions paid',
		edits: [
			{
				file: 'src/payouts/write-payouts.ts',
				find: "\"iif(c.status = 'approved', 'paid', c.status)\"",
				replace: '"\'paid\'"',
			},
		],
	},
	{
		name: 'sums: added to days that are not summed yet',
		why: 'the scope is asked, its days are not',
		edits: [
			{
				file: 'src/commission-sums/columns.ts',
				find: "day === undefined ? '' : ` AND scope.summed_before > ${day}`",
				replace: "''",
			},
		],
	},
	{
		name: 'sums: filled with what still waits',
		why: 'the move is added once more when it is applied',
		edits: [
			{
				file: 'src/commission-sums/derive-sums.ts',
				find: '`-${deltaOf(field)} AS ${column}`',
				replace: '`0 AS ${column}`',
			},
		],
	},
	{
		name: 'sums: what waits is not read',
		why: 'the rows are taken for all',
		edits: [{ file: 'src/commission-sums/read-sums.ts', find: 'AND ${IS_OF_SUMS}', replace: 'AND 0' }],
	},
	{
		name: "sums: a partner's are everybody's",
		why: 'the moves of the program are not asked whose they are',
		edits: [
			{
				file: 'src/commission-sums/read-sums.ts',
				find: "AND scope.partner_program_id IN (${ALL_PARTNERS}, m.value ->> 'partnerProgramId')",
				replace: '',
			},
		],
	},
	{
		name: 'sums: what is not summed yet is left out',
		why: 'a scope is taken for complete as soon as there is one',
		edits: [
			{
				file: 'src/commission-sums/read-sums.ts',
				find: 'c.created_day >= max(${first}, ${summedBefore})',
				replace:
					"c.created_day >= max(${first}, iif(${summedBefore} = '' AND NOT EXISTS (SELECT 1 FROM commission_sum_scopes), '', '9999-12-31'))",
			},
		],
	},
	{
		name: 'sums: each change overwrites the day',
		why: 'what is added replaces what was there',
		edits: [
			{
				file: 'src/commission-sums/raise-sums.ts',
				find: '`${column} = ${column} + excluded.${column}`',
				replace: '`${column} = excluded.${column}`',
			},
		],
	},
];
