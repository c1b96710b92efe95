import { onlyOf, type PlantedFault } from './planted-fault.ts';

const SIGNATURE = 'src/processor/paddle/verify-signature.ts';
const AMOUNTS = 'src/processor/paddle/amounts.ts';
const TRANSACTIONS = 'src/processor/paddle/transactions.ts';
const ADJUSTMENTS = 'src/processor/paddle/adjustments.ts';

export const IN_PADDLE: readonly PlantedFault[] = onlyOf('paddle', [
	{
		name: 'paddle: an old signature counts',
		why: 'what was listened to can be sent again later',
		edits: [
			{ file: 'src/processor/reading/signature.ts', find: 'const TOLERANCE_SECONDS = 300;', replace: 'const TOLERANCE_SECONDS = 3000;' },
		],
	},
	{
		name: 'paddle: any signature counts',
		why: 'that there is one is taken for enough',
		edits: [{ file: SIGNATURE, find: 'if (await hasMac(', replace: 'if (signature.macs.length > 0 || await hasMac(' }],
	},
	{
		name: 'paddle: the sandbox is real',
		why: 'the mode that a secret is of is forgotten',
		edits: [{ file: 'src/processor/paddle/processor.ts', find: 'isTest: signer.isTest ?? false', replace: 'isTest: false' }],
	},
	{
		name: 'paddle: tax counts',
		why: 'a sale is what was paid, whatever the program wants',
		edits: [{ file: AMOUNTS, find: "sale: basis === 'gross' ? cash : goods,", replace: 'sale: cash,' }],
	},
	{
		name: 'paddle: tax never counts',
		why: 'a sale is what the business gets, whatever the program wants',
		edits: [{ file: AMOUNTS, find: "sale: basis === 'gross' ? cash : goods,", replace: 'sale: goods,' }],
	},
	{
		name: 'paddle: refunds are shares of what tax is in',
		why: 'a full refund without tax leaves a part of the commission',
		edits: [{ file: TRANSACTIONS, find: 'chargedCents: paid.goodsCents,', replace: 'chargedCents: paid.cashCents,' }],
	},
	{
		name: 'paddle: the tax of a refund is forgotten',
		why: 'what is given back is held against what was paid without tax',
		edits: [{ file: ADJUSTMENTS, find: 'moneyOf(untaxed(adjustment.totals),', replace: 'moneyOf(adjustment.totals?.total,' }],
	},
	{
		name: 'paddle: what a credit pays is sold',
		why: 'the total of a transaction is taken for what was paid',
		edits: [{ file: AMOUNTS, find: 'return due ?? (total === undefined', replace: 'return total ?? (due === undefined' }],
	},
	{
		name: 'paddle: a credit is a refund',
		why: 'an adjustment is an adjustment',
		edits: [
			{ file: ADJUSTMENTS, find: "if (action === 'credit' || action === 'credit_reverse')", replace: "if (action === 'credit_reverse')" },
			{ file: ADJUSTMENTS, find: "if (action === 'refund') return", replace: "if (action === 'refund' || action === 'credit') return" },
		],
	},
	{
		name: 'paddle: an exponent is forgotten',
		why: 'amounts are taken for hundredths, of yen too',
		edits: [
			{
				file: AMOUNTS,
				find: '? { currency, cents: amount } : undefined;',
				replace: "? { currency, cents: currency === 'JPY' ? amount * 100 : amount } : undefined;",
			},
		],
	},
	{
		name: 'paddle: a refund is counted twice',
		why: 'its creation and its approval are two',
		edits: [
			{
				file: ADJUSTMENTS,
				find: "{ kind: 'refund', id, isUndone }",
				replace: "{ kind: 'refund', id: `${id}:${of.event.type}`, isUndone }",
			},
		],
	},
	{
		name: 'paddle: a refund counts once it is approved',
		why: 'who asks for money back is told later',
		edits: [
			{
				file: ADJUSTMENTS,
				find: "	if (of.money.cents === 0) return nothing('refund of nothing but tax');",
				replace: "	if (of.money.cents === 0 || adjustment.status === 'pending_approval') return nothing('refund of nothing but tax');",
			},
		],
	},
	{
		name: 'paddle: a rejected refund counts',
		why: 'the status of a refund is not looked at in the end',
		edits: [
			{
				file: ADJUSTMENTS,
				find: "const isUndone = adjustment.status === 'rejected' || adjustment.status === 'reversed';",
				replace: "const isUndone = adjustment.status === 'reversed';",
			},
		],
	},
	{
		name: 'paddle: a dispute that was won is not given back',
		why: 'what ends a dispute is taken for another one',
		edits: [
			{
				file: ADJUSTMENTS,
				find: "['chargeback_reverse', { ids: ['chargeback', 'chargeback_warning'], isUndone: true }],",
				replace: "['chargeback_reverse', { ids: ['chargeback', 'chargeback_warning'], isUndone: false }],",
			},
		],
	},
	{
		name: 'paddle: a warning outlives its dispute',
		why: 'what is won gives back what the dispute took, and not what its warning did',
		edits: [
			{
				file: ADJUSTMENTS,
				find: "['chargeback_reverse', { ids: ['chargeback', 'chargeback_warning'], isUndone: true }],",
				replace: "['chargeback_reverse', { ids: ['chargeback'], isUndone: true }],",
			},
		],
	},
	{
		name: 'paddle: a dispute that is taken back counts',
		why: 'the status of an adjustment is looked at of refunds alone',
		edits: [
			{
				file: ADJUSTMENTS,
				find: "const isUndone = dispute.isUndone || status === 'reversed' || status === 'rejected';",
				replace: 'const { isUndone } = dispute; void status;',
			},
		],
	},
	{
		name: 'paddle: a dispute has the id of its adjustment',
		why: 'what begins it and what ends it have different ones',
		edits: [
			{
				file: ADJUSTMENTS,
				find: "{ kind: 'dispute', id: `${of.transactionId}:${name}`, isUndone }",
				replace: "{ kind: 'dispute', id: `${adjustment.id}:${name}`, isUndone }",
			},
		],
	},
	{
		name: 'paddle: a renewal is a first sale',
		why: 'why Paddle made a transaction is not asked',
		edits: [
			{
				file: TRANSACTIONS,
				find: 'const isRecurring = isOfSubscription && !isFirst(transaction);',
				replace: 'const isRecurring = isOfSubscription && transaction.id === undefined;',
			},
		],
	},
	{
		name: 'paddle: a change of plan is a first sale',
		why: 'of the reasons for which Paddle makes a transaction one is forgotten',
		edits: [{ file: TRANSACTIONS, find: "	'subscription_update',\n", replace: '' }],
	},
	{
		name: 'paddle: a proration is a period',
		why: 'what is left of a period earns as much as a whole one',
		edits: [
			{
				file: TRANSACTIONS,
				find: 'isProration: isOfSubscription && isAllProration(bought) ? true : undefined,',
				replace: 'isProration: isAllProration([]) || undefined,',
			},
		],
	},
	{
		name: 'paddle: what is paid is sold before it is complete',
		why: 'a transaction that is paid lacks its subscription',
		edits: [
			{
				file: 'src/processor/paddle/read-event.ts',
				find: "	['adjustment.created', readAdjustment],",
				replace: "	['transaction.paid', readCompletedTransaction],\n	['adjustment.created', readAdjustment],",
			},
			{
				file: TRANSACTIONS,
				find: "if ((transaction.status ?? 'completed') !== 'completed')",
				replace: "if (transaction.status === 'draft')",
			},
		],
	},
	{
		name: 'paddle: custom data that comes later is not read',
		why: 'of a subscription only its beginning is looked at',
		edits: [
			{
				file: 'src/processor/paddle/subscriptions.ts',
				find: "return withFacts('subscription changed', ...referenceFactOf(attribution, beginningOf(subscription, event)));",
				replace:
					"return withFacts('subscription changed', ...referenceFactOf({ ...attribution, customerKey: undefined, clickId: undefined }, beginningOf(subscription, event)));",
			},
		],
	},
	{
		name: 'paddle: metadata of another program',
		why: 'one account sells for several programs, and each is told of all',
		edits: [
			{
				file: TRANSACTIONS,
				find: '	custom_data: Metadata,',
				replace: '	custom_data: z.pipe(Metadata, z.transform((claims) => ({ ...claims, programId: undefined }))),',
			},
		],
	},
	{
		name: 'paddle: the product of the custom data is not read',
		why: 'rules for a product look at what Paddle calls it',
		edits: [{ file: TRANSACTIONS, find: '(claims.productId ?? productOf(bought))', replace: 'productOf(bought)' }],
	},
	{
		name: 'paddle: another chargeback does not count',
		why: 'when it stood is not said',
		edits: [
			{
				file: 'src/processor/paddle/adjustments.ts',
				find: "stoodAt: kind === 'dispute' && !isUndone ? event.happenedAt : undefined,",
				replace: 'stoodAt: undefined,',
			},
		],
	},
]);
