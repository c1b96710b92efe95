import type { PlantedFault } from './planted-fault.ts';

export const IN_METRIC_DELTAS: readonly PlantedFault[] = [
	{
		name: 'deltas: lead ignored',
		why: 'a sign-up has no delta',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: "\tif (signupDay !== undefined) moves.push({ day: signupDay, leads: 1, openLeads: status === 'lead' ? 1 : 0 });\n",
				replace: '',
			},
		],
	},
	{
		name: 'deltas: first purchase ignored',
		why: 'a customer who buys is not counted as a conversion',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: '\tif (purchaseDay !== undefined) moves.push({ day: purchaseDay, conversions: 1 });\n',
				replace: '',
			},
		],
	},
	{
		name: 'deltas: a buyer stays an open lead',
		why: 'open_leads is never decreased',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: "\t\tif (customer.status === 'lead' && status === 'conversion') moves.push({ day, openLeads: -1 });\n",
				replace: '',
			},
		],
	},
	{
		name: 'deltas: sale not counted',
		why: 'the revenue is added, but not the count',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'currency, sales: 1, revenueCents: amountCents, ...earned',
				replace: 'currency, revenueCents: amountCents, ...earned',
			},
		],
	},
	{
		name: 'deltas: commission ignored',
		why: 'the sale adds its revenue, but not its commission',
		edits: [
			{ file: 'src/domain/reporting/metric-deltas.ts', find: 'commissionCents === undefined ? {} : { commissionCents }', replace: '{}' },
		],
	},
	{
		name: 'deltas: a failed commission is counted with its sale',
		why: 'a decided commission counts as created',
		edits: [
			{
				file: 'src/sales/plan-sale.ts',
				find: "outcome.state === 'made' ? outcome.earning.amountCents : undefined",
				replace:
					"outcome.state === 'made' ? outcome.earning.amountCents : outcome.state === 'failed' ? outcome.owed.amountCents : undefined",
			},
		],
	},
	{
		name: 'deltas: refund ignored',
		why: 'net revenue does not change',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'refundedCents: after.refundedCents - refundedCents }];',
				replace: 'refundedCents: 0 }];',
			},
		],
	},
	{
		name: 'deltas: each refund deducts the total refunded',
		why: 'earlier refunds are counted again',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'refundedCents: after.refundedCents - refundedCents }];',
				replace: 'refundedCents: after.refundedCents }];',
			},
		],
	},
	{
		name: 'deltas: deduction ignored',
		why: 'reports show no deduction for a refund',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: '\tif (commission) moves.push({ day: commission.createdDay, currency, deductedCents: after.deductionCents });\n',
				replace: '',
			},
		],
	},
	{
		name: 'deltas: refund counts today',
		why: 'it is dated by the refund, not by its sale',
		edits: [
			{
				file: 'src/refunds/write-movement.ts',
				find: '?? deltasOfMovement(sale, movement)',
				replace: '?? deltasOfMovement({ ...sale, saleDay: dayOf(ctx.now, sale.timeZone) }, movement)',
			},
		],
	},
	{
		name: 'deltas: deduction on the day of the sale',
		why: 'the commission was created later',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'moves.push({ day: commission.createdDay, currency, deductedCents: after.deductionCents })',
				replace: 'moves.push({ day: saleDay, currency, deductedCents: after.deductionCents })',
			},
		],
	},
	{
		name: 'deltas: reinstatement deducts again',
		why: 'a reinstatement has the sign of a reversal',
		edits: [
			{
				file: 'src/refunds/write-movement.ts',
				find: "(change?.deductionCents ?? 0) * (outcome === 'reinstated' ? -1 : 1)",
				replace: "(change?.deductionCents ?? 0) * (outcome === 'reinstated' ? 1 : 1)",
			},
		],
	},
	{
		name: 'deltas: reinstatement ignored',
		why: 'only deductions have deltas',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'refundedCents: after.refundedCents - refundedCents }];',
				replace: 'refundedCents: Math.max(after.refundedCents - refundedCents, 0) }];',
			},
		],
	},
	{
		name: 'deltas: rejection ignored',
		why: 'a rejected commission still counts as earned',
		edits: [
			{
				file: 'src/commissions/reject-commissions.ts',
				find: 'moves: deltasOfRejection(commission.currency, commission),',
				replace: 'moves: [],',
			},
		],
	},
	{
		name: 'deltas: rejection deducts refunds again',
		why: 'a rejection deducts the whole commission, even what a refund had deducted',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'deductedCents: commission.amountCents - takenOf(commission) },',
				replace: 'deductedCents: commission.amountCents },',
			},
		],
	},
	{
		name: 'deltas: rejections of one request are one',
		why: 'only the first commission gets deltas',
		edits: [
			{
				file: 'src/commissions/reject-commissions.ts',
				find: 'selected.map((commission) => ({',
				replace: 'selected.slice(0, 1).map((commission) => ({',
			},
		],
	},
	{
		name: 'deltas: late commission ignored',
		why: 'a commission created after its sale has no delta',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: 'sale.isDuplicate ? [] : deltasOfLateCommission(day, sale.currency, amountCents, deductionCents)',
				replace: '[]',
			},
		],
	},
	{
		name: 'deltas: late commission on the day of its sale',
		why: 'it is dated by its sale',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: 'deltasOfLateCommission(day, sale.currency,',
				replace: 'deltasOfLateCommission(sale.saleDay, sale.currency,',
			},
			{
				file: 'src/sales/repair-commissions.ts',
				find: '\t\t\tamountCents: affiliateSaleEvents.amountCents,\n',
				replace: '\t\t\tamountCents: affiliateSaleEvents.amountCents,\n\t\t\tsaleDay: affiliateSaleEvents.saleDay,\n',
			},
		],
	},
	{
		name: 'deltas: late commission in full',
		why: 'refunds are deducted in the ledger, but not in reports',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: 'deltasOfLateCommission(day, sale.currency, amountCents, deductionCents)',
				replace: 'deltasOfLateCommission(day, sale.currency, amountCents, 0)',
			},
		],
	},
	{
		name: 'deltas: late commission of a duplicate',
		why: 'it is counted although its sale is not',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: 'sale.isDuplicate ? [] : deltasOfLateCommission',
				replace: '(false as boolean) ? [] : deltasOfLateCommission',
			},
		],
	},
	{
		name: 'deltas: duplicate stays',
		why: 'its refund has deltas, so the net seems right',
		edits: [
			{
				file: 'src/payments/plan-settlement.ts',
				find: 'deltasOfDuplicate(duplicate, commission ?? undefined);',
				replace: 'movement ? (undefined as never) : [];',
			},
		],
	},
	{
		name: 'deltas: duplicate leaves its refunds',
		why: 'its earlier refunds stay counted',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'revenueCents: -amountCents, refundedCents: -refundedCents }];',
				replace: 'revenueCents: -amountCents }];',
			},
		],
	},
	{
		name: "deltas: duplicate's commission stays",
		why: 'only the sale is removed from the figures',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: '\t\tmoves.push({ day: commission.createdDay, currency, commissionCents: -commission.amountCents, deductedCents });\n',
				replace: '\t\tvoid deductedCents;\n',
			},
		],
	},
	{
		name: 'deltas: fully refunded duplicate stays',
		why: 'without a notification, no delta is written',
		edits: [{ file: 'src/payments/plan-settlement.ts', find: '[insertDuplicateOutbox(ctx, duplicate.id, opId, moves)]', replace: '[]' }],
	},
];
