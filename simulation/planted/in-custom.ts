import { onlyOf, type PlantedFault } from './planted-fault.ts';

const SIGNATURE = 'src/processor/custom/verify-signature.ts';
const READER = 'src/processor/custom/read-event.ts';

export const IN_CUSTOM: readonly PlantedFault[] = onlyOf('custom', [
	{
		name: 'custom: an old signature counts',
		why: 'what was listened to can be sent again later',
		edits: [
			{ file: 'src/processor/reading/signature.ts', find: 'const TOLERANCE_SECONDS = 300;', replace: 'const TOLERANCE_SECONDS = 3000;' },
		],
	},
	{
		name: 'custom: any signature counts',
		why: 'that there is one is taken for enough',
		edits: [{ file: SIGNATURE, find: 'if (await hasMac(', replace: 'if (macs.length > 0 || await hasMac(' }],
	},
	{
		name: 'custom: tests are real',
		why: 'the mode of an event is forgotten',
		edits: [{ file: 'src/processor/custom/processor.ts', find: 'isTest: test,', replace: 'isTest: test && false,' }],
	},
	{
		name: 'custom: tax and shipping count',
		why: 'a sale is what was charged, whatever the program wants',
		edits: [
			{ file: READER, find: "const aside = basis === 'gross' ? 0 :", replace: "const aside = basis === 'gross' || basis === 'net' ? 0 :" },
		],
	},
	{
		name: 'custom: shipping is forgotten',
		why: 'of what is no sale only the tax is taken out',
		edits: [{ file: READER, find: '(data.tax_cents ?? 0) + (data.shipping_cents ?? 0)', replace: '(data.tax_cents ?? 0)' }],
	},
	{
		name: 'custom: refunds are shares of the sale',
		why: 'what is given back has tax in it, and the sale has none',
		edits: [{ file: READER, find: '		chargedCents,\n', replace: '		chargedCents: amountCents,\n' }],
	},
	{
		name: 'custom: a refund is counted twice',
		why: 'what is pending and what has succeeded are two',
		edits: [
			{ file: READER, find: "{ kind: 'refund', id, isUndone, what:", replace: "{ kind: 'refund', id: `${id}:${status}`, isUndone, what:" },
		],
	},
	{
		name: 'custom: a failed refund counts',
		why: 'the status of a refund is not looked at in the end',
		edits: [
			{
				file: READER,
				find: "const isUndone = status === 'failed' || status === 'canceled';",
				replace: "const isUndone = status === 'canceled';",
			},
		],
	},
	{
		name: 'custom: a dispute that was won is not given back',
		why: 'a dispute is taken for a refund',
		edits: [{ file: READER, find: "const isUndone = status === 'won';", replace: 'const isUndone = status === undefined && false;' }],
	},
	{
		name: 'custom: a renewal is a first sale',
		why: 'one type is read as the other',
		edits: [{ file: READER, find: 'isRecurring: isRenewal,', replace: 'isRecurring: isRenewal && amountCents < 0,' }],
	},
	{
		name: 'custom: a dispute that is lost after all does not count',
		why: 'when it stood is not said',
		edits: [{ file: READER, find: "stoodAt: kind === 'dispute' && !isUndone ? at : undefined,", replace: 'stoodAt: undefined,' }],
	},
]);
