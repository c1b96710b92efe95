import type { PlantedFault } from './planted-fault.ts';

// Faults in the metric deltas of a change.

export const IN_MOVES: readonly PlantedFault[] = [
	{
		name: 'moves: lead forgotten',
		why: 'a signup moves nothing',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: "\tif (signupDay !== undefined) moves.push({ day: signupDay, leads: 1, openLeads: status === 'lead' ? 1 : 0 });\n",
				replace: '',
			},
		],
	},
	{
		name: 'moves: first purchase forgotten',
		why: 'a customer who buys is no conversion of the day',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: '\tif (purchaseDay !== undefined) moves.push({ day: purchaseDay, conversions: 1 });\n',
				replace: '',
			},
		],
	},
	{
		name: 'moves: who has bought stays an open lead',
		why: 'open_leads is raised and never lowered',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: "\t\tif (customer.status === 'lead' && status === 'conversion') moves.push({ day, openLeads: -1 });\n",
				replace: '',
			},
		],
	},
	{
		name: 'moves: sale not counted',
		why: 'what it came to is added, that there was one is not',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'currency, sales: 1, revenueCents: amountCents, ...earned',
				replace: 'currency, revenueCents: amountCents, ...earned',
			},
		],
	},
	{
		name: 'moves: commission forgotten',
		why: 'the sale moves what it came to, not what it earned',
		edits: [
			{ file: 'src/domain/reporting/metric-deltas.ts', find: 'commissionCents === undefined ? {} : { commissionCents }', replace: '{}' },
		],
	},
	{
		name: 'moves: commission that failed is counted with its sale',
		why: 'what is decided is taken for made',
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
		name: 'moves: refund forgotten',
		why: 'the net revenue stays',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'refundedCents: after.refundedCents - refundedCents }];',
				replace: 'refundedCents: 0 }];',
			},
		],
	},
	{
		name: 'moves: each refund takes all that was refunded',
		why: 'what was refunded before is counted again',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'refundedCents: after.refundedCents - refundedCents }];',
				replace: 'refundedCents: after.refundedCents }];',
			},
		],
	},
	{
		name: 'moves: deduction forgotten',
		why: 'a refund takes nothing from the commission in reports',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: '\tif (commission) moves.push({ day: commission.createdDay, currency, deductedCents: after.deductionCents });\n',
				replace: '',
			},
		],
	},
	{
		name: 'moves: refund counts today',
		why: 'on the day of the refund, not of its sale',
		edits: [
			{
				file: 'src/refunds/write-movement.ts',
				find: '?? deltasOfMovement(sale, movement)',
				replace: '?? deltasOfMovement({ ...sale, saleDay: dayOf(ctx.now, sale.timeZone) }, movement)',
			},
		],
	},
	{
		name: 'moves: deduction on the day of the sale',
		why: 'of a commission that was made later',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'moves.push({ day: commission.createdDay, currency, deductedCents: after.deductionCents })',
				replace: 'moves.push({ day: saleDay, currency, deductedCents: after.deductionCents })',
			},
		],
	},
	{
		name: 'moves: reinstatement takes once more',
		why: 'what is given back is moved as if it were taken',
		edits: [
			{
				file: 'src/refunds/write-movement.ts',
				find: "(change?.deductionCents ?? 0) * (outcome === 'reinstated' ? -1 : 1)",
				replace: "(change?.deductionCents ?? 0) * (outcome === 'reinstated' ? 1 : 1)",
			},
		],
	},
	{
		name: 'moves: reinstatement forgotten',
		why: 'only what is taken moves',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'refundedCents: after.refundedCents - refundedCents }];',
				replace: 'refundedCents: Math.max(after.refundedCents - refundedCents, 0) }];',
			},
		],
	},
	{
		name: 'moves: rejection forgotten',
		why: 'what is rejected was earned',
		edits: [
			{
				file: 'src/commissions/reject-commissions.ts',
				find: 'moves: deltasOfRejection(commission.currency, commission),',
				replace: 'moves: [],',
			},
		],
	},
	{
		name: 'moves: rejection takes what was refunded once more',
		why: 'a commission is taken back whole, whatever a refund had taken',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'deductedCents: commission.amountCents - takenOf(commission) },',
				replace: 'deductedCents: commission.amountCents },',
			},
		],
	},
	{
		name: 'moves: rejections of one choice are one',
		why: 'the moves of the first stand for all',
		edits: [
			{
				file: 'src/commissions/reject-commissions.ts',
				find: 'selected.map((commission) => ({',
				replace: 'selected.slice(0, 1).map((commission) => ({',
			},
		],
	},
	{
		name: 'moves: late commission forgotten',
		why: 'what is made after its sale moves nothing',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: 'sale.isDuplicate ? [] : deltasOfLateCommission(day, sale.currency, amountCents, deductionCents)',
				replace: '[]',
			},
		],
	},
	{
		name: 'moves: late commission on the day of its sale',
		why: 'it is dated by what earned it',
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
		name: 'moves: late commission in full',
		why: 'less what was refunded in the ledger, not in reports',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: 'deltasOfLateCommission(day, sale.currency, amountCents, deductionCents)',
				replace: 'deltasOfLateCommission(day, sale.currency, amountCents, 0)',
			},
		],
	},
	{
		name: 'moves: late commission of a duplicate',
		why: 'it is counted though its sale is not',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: 'sale.isDuplicate ? [] : deltasOfLateCommission',
				replace: '(false as boolean) ? [] : deltasOfLateCommission',
			},
		],
	},
	{
		name: 'moves: duplicate stays',
		why: 'its refund moves, so that the net is right',
		edits: [
			{
				file: 'src/payments/plan-settlement.ts',
				find: 'deltasOfDuplicate(duplicate, commission ?? undefined);',
				replace: 'movement ? (undefined as never) : [];',
			},
		],
	},
	{
		name: 'moves: duplicate leaves its refunds',
		why: 'what was refunded of it before stays refunded',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'revenueCents: -amountCents, refundedCents: -refundedCents }];',
				replace: 'revenueCents: -amountCents }];',
			},
		],
	},
	{
		name: "moves: duplicate's commission stays",
		why: 'only the sale leaves the figures',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: '\t\tmoves.push({ day: commission.createdDay, currency, commissionCents: -commission.amountCents, deductedCents });\n',
				replace: '\t\tvoid deductedCents;\n',
			},
		],
	},
	{
		name: 'moves: duplicate of which nothing is left stays',
		why: 'where nobody is told, nothing is moved',
		edits: [{ file: 'src/payments/plan-settlement.ts', find: '[insertDuplicateOutbox(ctx, duplicate.id, opId, moves)]', replace: '[]' }],
	},
];
