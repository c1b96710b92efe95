import { onlyOf, type PlantedFault } from './planted-fault.ts';

const SIGNATURE = 'src/processor/paddle/verify-signature.ts';
const AMOUNTS = 'src/processor/paddle/amounts.ts';
const TRANSACTIONS = 'src/processor/paddle/transactions.ts';
const ADJUSTMENTS = 'src/processor/paddle/adjustments.ts';

export const IN_PADDLE: readonly PlantedFault[] = onlyOf('paddle', [
	{
		name: 'paddle: an old signature counts',
		why: 'a recorded delivery can be replayed later',
		edits: [
			{ file: 'src/processor/reading/signature.ts', find: 'const TOLERANCE_SECONDS = 300;', replace: 'const TOLERANCE_SECONDS = 3000;' },
		],
	},
	{
		name: 'paddle: any signature counts',
		why: 'any signature header is accepted',
		edits: [{ file: SIGNATURE, find: 'if (await hasMac(', replace: 'if (signature.macs.length > 0 || await hasMac(' }],
	},
	{
		name: 'paddle: the sandbox is real',
		why: "the secret's mode is ignored",
		edits: [{ file: 'src/processor/paddle/processor.ts', find: 'isTest: signer.isTest ?? false', replace: 'isTest: false' }],
	},
	{
		name: 'paddle: tax counts',
		why: "the paid amount counts, whatever the program's setting",
		edits: [{ file: AMOUNTS, find: "sale: basis === 'gross' ? cash : goods,", replace: 'sale: cash,' }],
	},
	{
		name: 'paddle: tax never counts',
		why: "the net amount counts, whatever the program's setting",
		edits: [{ file: AMOUNTS, find: "sale: basis === 'gross' ? cash : goods,", replace: 'sale: goods,' }],
	},
	{
		name: 'paddle: refunds are shares of the amount with tax',
		why: 'a full refund without tax leaves a part of the commission',
		edits: [{ file: TRANSACTIONS, find: 'chargedCents: paid.goodsCents,', replace: 'chargedCents: paid.cashCents,' }],
	},
	{
		name: 'paddle: the tax of a refund counts',
		why: 'the refund with tax is compared with the payment without tax',
		edits: [{ file: ADJUSTMENTS, find: 'moneyOf(untaxed(adjustment.totals),', replace: 'moneyOf(adjustment.totals?.total,' }],
	},
	{
		name: 'paddle: the part paid by a credit is a sale',
		why: "the transaction's total counts as paid",
		edits: [{ file: AMOUNTS, find: 'return due ?? (total === undefined', replace: 'return total ?? (due === undefined' }],
	},
	{
		name: 'paddle: a credit is a refund',
		why: 'every adjustment is handled alike',
		edits: [
			{ file: ADJUSTMENTS, find: "if (action === 'credit' || action === 'credit_reverse')", replace: "if (action === 'credit_reverse')" },
			{ file: ADJUSTMENTS, find: "if (action === 'refund') return", replace: "if (action === 'refund' || action === 'credit') return" },
		],
	},
	{
		name: "paddle: a currency's exponent is ignored",
		why: 'amounts count as hundredths, even in yen',
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
		why: 'its creation and its approval count as two',
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
		why: 'a requested refund waits for its approval',
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
		why: 'the final status of a refund is ignored',
		edits: [
			{
				file: ADJUSTMENTS,
				find: "const isUndone = adjustment.status === 'rejected' || adjustment.status === 'reversed';",
				replace: "const isUndone = adjustment.status === 'reversed';",
			},
		],
	},
	{
		name: 'paddle: a won dispute is not reinstated',
		why: 'the end of a dispute counts as a new dispute',
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
		why: "winning reinstates the dispute's deduction, but not its warning's",
		edits: [
			{
				file: ADJUSTMENTS,
				find: "['chargeback_reverse', { ids: ['chargeback', 'chargeback_warning'], isUndone: true }],",
				replace: "['chargeback_reverse', { ids: ['chargeback'], isUndone: true }],",
			},
		],
	},
	{
		name: 'paddle: a reversed dispute counts',
		why: "only refunds check the adjustment's status",
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
		why: 'its start and its end have different adjustments',
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
		why: "the transaction's origin is ignored",
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
		why: "one of the transaction's origins is missing",
		edits: [{ file: TRANSACTIONS, find: "	'subscription_update',\n", replace: '' }],
	},
	{
		name: 'paddle: a proration counts as a full period',
		why: 'the rest of a period earns as much as a whole one',
		edits: [
			{
				file: TRANSACTIONS,
				find: 'isProration: isOfSubscription && isAllProration(bought) ? true : undefined,',
				replace: 'isProration: isAllProration([]) || undefined,',
			},
		],
	},
	{
		name: 'paddle: a sale before the transaction is complete',
		why: 'a paid transaction does not name its subscription yet',
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
		name: 'paddle: later custom data is not read',
		why: 'only the creation of a subscription is read',
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
		why: 'one account sells for several programs, and each receives every event',
		edits: [
			{
				file: TRANSACTIONS,
				find: '	custom_data: Metadata,',
				replace: '	custom_data: z.pipe(Metadata, z.transform((claims) => ({ ...claims, programId: undefined }))),',
			},
		],
	},
	{
		name: 'paddle: the product in custom data is not read',
		why: "product rules compare only Paddle's product id",
		edits: [{ file: TRANSACTIONS, find: '(claims.productId ?? productOf(bought))', replace: 'productOf(bought)' }],
	},
	{
		name: 'paddle: a second chargeback does not count',
		why: 'the instant of the dispute is missing',
		edits: [
			{
				file: 'src/processor/paddle/adjustments.ts',
				find: "stoodAt: kind === 'dispute' && !isUndone ? event.happenedAt : undefined,",
				replace: 'stoodAt: undefined,',
			},
		],
	},
]);
