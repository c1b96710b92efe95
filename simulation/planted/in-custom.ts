import { onlyOf, type PlantedFault } from './planted-fault.ts';

const SIGNATURE = 'src/processor/custom/verify-signature.ts';
const READER = 'src/processor/custom/read-event.ts';

export const IN_CUSTOM: readonly PlantedFault[] = onlyOf('custom', [
	{
		name: 'custom: an old signature counts',
		why: 'a recorded delivery can be replayed later',
		edits: [
			{ file: 'src/processor/reading/signature.ts', find: 'const TOLERANCE_SECONDS = 300;', replace: 'const TOLERANCE_SECONDS = 3000;' },
		],
	},
	{
		name: 'custom: any signature counts',
		why: 'any signature header is accepted',
		edits: [{ file: SIGNATURE, find: 'if (await hasMac(', replace: 'if (macs.length > 0 || await hasMac(' }],
	},
	{
		name: 'custom: tests are real',
		why: "the event's mode is ignored",
		edits: [{ file: 'src/processor/custom/processor.ts', find: 'isTest: test,', replace: 'isTest: test && false,' }],
	},
	{
		name: 'custom: tax and shipping count',
		why: "the charged amount counts, whatever the program's setting",
		edits: [
			{ file: READER, find: "const aside = basis === 'gross' ? 0 :", replace: "const aside = basis === 'gross' || basis === 'net' ? 0 :" },
		],
	},
	{
		name: 'custom: shipping counts',
		why: 'only tax is subtracted',
		edits: [{ file: READER, find: '(data.tax_cents ?? 0) + (data.shipping_cents ?? 0)', replace: '(data.tax_cents ?? 0)' }],
	},
	{
		name: 'custom: refunds are shares of the sale',
		why: 'refunds include tax, but the sale does not',
		edits: [{ file: READER, find: '		chargedCents,\n', replace: '		chargedCents: amountCents,\n' }],
	},
	{
		name: 'custom: a refund is counted twice',
		why: 'pending and succeeded count as two refunds',
		edits: [
			{ file: READER, find: "{ kind: 'refund', id, isUndone, what:", replace: "{ kind: 'refund', id: `${id}:${status}`, isUndone, what:" },
		],
	},
	{
		name: 'custom: a failed refund counts',
		why: 'the final status of a refund is ignored',
		edits: [
			{
				file: READER,
				find: "const isUndone = status === 'failed' || status === 'canceled';",
				replace: "const isUndone = status === 'canceled';",
			},
		],
	},
	{
		name: 'custom: a won dispute is not reinstated',
		why: 'a dispute is handled like a refund',
		edits: [{ file: READER, find: "const isUndone = status === 'won';", replace: 'const isUndone = status === undefined && false;' }],
	},
	{
		name: 'custom: a renewal is a first sale',
		why: 'a renewal event is read as a payment',
		edits: [{ file: READER, find: 'isRecurring: isRenewal,', replace: 'isRecurring: isRenewal && amountCents < 0,' }],
	},
	{
		name: 'custom: a dispute lost after a win does not count',
		why: 'the instant of the dispute is missing',
		edits: [{ file: READER, find: "stoodAt: kind === 'dispute' && !isUndone ? at : undefined,", replace: 'stoodAt: undefined,' }],
	},
]);
