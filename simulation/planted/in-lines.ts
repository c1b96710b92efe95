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
		why: 'discounts and tax are forgotten',
		edits: [
			{
				file: 'src/domain/commissions/sale-lines.ts',
				find: 'amountCents: shares[index] ?? 0',
				replace: 'amountCents: product.amountCents',
			},
		],
	},
	{
		name: "lines: the sale's product goes before the line's",
		why: 'the operands are exchanged',
		edits: [{ file: 'src/domain/commissions/sale-lines.ts', find: 'productId ?? ofSale)]', replace: 'ofSale ?? productId)]' }],
	},
	{
		name: 'lines: a flat amount for each product',
		why: 'the lines of one rule are not taken together',
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
		why: 'min for max',
		edits: [{ file: 'src/domain/commissions/commission.ts', find: 'Math.max(...earned', replace: 'Math.min(...earned' }],
	},
	{
		name: 'lines: looked at in every program',
		why: 'the setting is forgotten, and an upgrade changes what carts earn',
		edits: [
			{ file: 'src/domain/commissions/sale-decision.ts', find: 'program.rulesByLine ? cartOf(sale) : undefined', replace: 'cartOf(sale)' },
		],
	},
	{
		name: 'lines: credits forgotten',
		why: 'only what is above 0 is added up',
		edits: [
			{
				file: 'src/domain/commissions/sale-lines.ts',
				find: 'lines.reduce((sum, line) => sum + line.amountCents, 0)',
				replace: 'lines.reduce((sum, line) => sum + Math.max(line.amountCents, 0), 0)',
			},
		],
	},
	{
		name: 'lines: a spoilt line is left out',
		why: 'the others are scaled to the sale as if it were not there',
		edits: [
			{
				file: 'src/domain/commissions/sale-lines.ts',
				find: 'lines.every((line) => line !== undefined) ? lines : undefined',
				replace: 'lines.filter((line) => line !== undefined)',
			},
		],
	},
	{
		name: 'lines: other products not looked up',
		why: "the rules of the sale's product alone are read",
		edits: [{ file: 'src/sales/find-sale.ts', find: 'products.length > 1 ?', replace: 'products.length > 99 ?' }],
	},
	{
		name: 'lines: prorations earn flat amounts',
		why: 'whether a line is for the rest of a period is asked of the whole sale only',
		edits: [{ file: 'src/domain/commissions/commission.ts', find: '(sale.isProration ?? part.isProration)', replace: 'sale.isProration' }],
	},
	{
		name: 'lines: not among the facts',
		why: 'what was decided cannot be explained',
		edits: [
			{
				file: 'src/domain/commissions/decision-facts.ts',
				find: 'lines: facts.lines && recomputeLines(facts).map(lineTupleOf),',
				replace: 'lines: undefined,',
			},
		],
	},
];
