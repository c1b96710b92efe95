import type { PlantedFault } from './planted-fault.ts';

// Faults in the stored sums of commissions (decision 63).

export const IN_SUMS: readonly PlantedFault[] = [
	{
		name: 'sums: new commission ignored',
		why: 'only changes of a commission have deltas',
		edits: [
			{
				file: 'src/sales/plan-sale.ts',
				find: '? deltasOfState({ partnerProgramId, day: saleDay, currency }, undefined, { ...outcome.earning, deductedCents: 0 })',
				replace: '? []',
			},
		],
	},
	{
		name: 'sums: late commission ignored',
		why: 'cron creates it, not a sale',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: '\t\t...deltasOfState({ ...sale, day }, undefined, { amountCents, deductedCents: deductionCents, status: statusAfter(sale, owed) }),\n',
				replace: '',
			},
		],
	},
	{
		name: 'sums: refund ignored',
		why: 'the report changes, but the sums do not',
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
		why: 'it is in no report, so it is assumed to be in no sum',
		edits: [
			{
				file: 'src/refunds/write-movement.ts',
				find: '...deltasOfChange(sale, movement)]',
				replace: '...(moves ? [] : deltasOfChange(sale, movement))]',
			},
		],
	},
	{
		name: 'sums: rejection ignored',
		why: 'it counts only as a deduction',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: "\t\t...deltasOfState({ partnerProgramId, day, currency }, commission, { ...commission, status: 'rejected' }),\n",
				replace: '',
			},
		],
	},
	{
		name: 'sums: approval writes its deltas too late',
		why: 'by then no commission is pending',
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
		name: 'sums: end of hold ignored',
		why: 'without a notification, no delta is written',
		edits: [{ file: 'src/sales/release-holds.ts', find: 'deltasOfSums(ctx, sql`${due}`, "\'approved\'"), ', replace: '' }],
	},
	{
		name: 'sums: the rest of a refunded commission counts as paid',
		why: 'a payout is assumed to make all its commissions paid',
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
		why: 'the scope is checked, but not its days',
		edits: [
			{
				file: 'src/commission-sums/columns.ts',
				find: "day === undefined ? '' : ` AND scope.summed_before > ${day}`",
				replace: "''",
			},
		],
	},
	{
		name: 'sums: filled with waiting deltas included',
		why: 'the delta is added again when it is applied',
		edits: [
			{
				file: 'src/commission-sums/derive-sums.ts',
				find: '`-${deltaOf(field)} AS ${column}`',
				replace: '`0 AS ${column}`',
			},
		],
	},
	{
		name: 'sums: waiting deltas are not read',
		why: 'only the stored rows are read',
		edits: [{ file: 'src/commission-sums/read-sums.ts', find: 'AND ${IS_OF_SUMS}', replace: 'AND 0' }],
	},
	{
		name: "sums: a partner's are everybody's",
		why: 'the deltas are not limited to the partner',
		edits: [
			{
				file: 'src/commission-sums/read-sums.ts',
				find: "AND scope.partner_program_id IN (${ALL_PARTNERS}, m.value ->> 'partnerProgramId')",
				replace: '',
			},
		],
	},
	{
		name: 'sums: days that are not summed yet are left out',
		why: 'an existing scope is assumed to be complete',
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
		why: 'the new value replaces the old one',
		edits: [
			{
				file: 'src/commission-sums/raise-sums.ts',
				find: '`${column} = ${column} + excluded.${column}`',
				replace: '`${column} = excluded.${column}`',
			},
		],
	},
];
