import type { PlantedFault } from './planted-fault.ts';

/** Faults in carts that earn by line (decision 53). */
export const IN_LINES: readonly PlantedFault[] = [
	{
		name: 'lines: cents lost in scaling',
		why: 'every share is rounded down',
		edits: [{ file: 'src/domain/money.ts', find: 'part.cents + (roundedUp.has(part.index) ? 1 : 0)', replace: 'part.cents' }],
	},
	{
		name: 'lines: not scaled to the sale',
		why: 'discounts and tax are ignored',
		edits: [
			{
				file: 'src/domain/commissions/sale-lines.ts',
				find: 'amountCents: shares[index] ?? 0',
				replace: 'amountCents: product.amountCents',
			},
		],
	},
	{
		name: "lines: the sale's product wins over the line's",
		why: 'the operands are swapped',
		edits: [{ file: 'src/domain/commissions/sale-lines.ts', find: 'productId ?? ofSale)]', replace: 'ofSale ?? productId)]' }],
	},
	{
		name: 'lines: a flat amount for each product',
		why: 'the lines of one rule are not combined',
		edits: [
			{
				file: 'src/domain/commissions/sale-lines.ts',
				find: '[...byRule].map(',
				replace: '[...byRule].flatMap(([id, all]) => all.map((one) => [id, [one]] as const)).map(',
			},
		],
	},
	{
		name: 'lines: the shortest hold',
		why: 'min instead of max',
		edits: [{ file: 'src/domain/commissions/commission.ts', find: 'Math.max(...earned', replace: 'Math.min(...earned' }],
	},
	{
		name: 'lines: used in every program',
		why: 'without the setting, an upgrade changes what carts earn',
		edits: [
			{ file: 'src/domain/commissions/sale-decision.ts', find: 'program.rulesByLine ? cartOf(sale) : undefined', replace: 'cartOf(sale)' },
		],
	},
	{
		name: 'lines: credits ignored',
		why: 'only positive amounts are added',
		edits: [
			{
				file: 'src/domain/commissions/sale-lines.ts',
				find: 'lines.reduce((sum, line) => sum + line.amountCents, 0)',
				replace: 'lines.reduce((sum, line) => sum + Math.max(line.amountCents, 0), 0)',
			},
		],
	},
	{
		name: 'lines: an invalid line is skipped',
		why: 'the other lines are scaled to the whole sale',
		edits: [
			{
				file: 'src/domain/commissions/sale-lines.ts',
				find: 'lines.every((line) => line !== undefined) ? lines : undefined',
				replace: 'lines.filter((line) => line !== undefined)',
			},
		],
	},
	{
		name: 'lines: rules of other products not read',
		why: "only the rules of the sale's product are read",
		edits: [{ file: 'src/sales/find-sale.ts', find: 'products.length > 1 ?', replace: 'products.length > 99 ?' }],
	},
	{
		name: 'lines: prorations earn flat amounts',
		why: "only the whole sale's proration flag is checked",
		edits: [{ file: 'src/domain/commissions/commission.ts', find: '(sale.isProration ?? part.isProration)', replace: 'sale.isProration' }],
	},
	{
		name: 'lines: missing from the facts',
		why: 'the decision cannot be explained later',
		edits: [
			{
				file: 'src/domain/commissions/decision-facts.ts',
				find: 'lines: facts.lines && recomputeLines(facts).map(lineTupleOf),',
				replace: 'lines: undefined,',
			},
		],
	},
];
