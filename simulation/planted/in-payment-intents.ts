import type { PlantedFault } from './planted-fault.ts';

export const IN_PAYMENT_INTENTS: readonly PlantedFault[] = [
	{
		name: 'stripe: an intent that pays an invoice sells too',
		why: 'whoever says who paid is taken for a sale',
		edits: [
			{
				file: 'src/processor/stripe/payment-intent.ts',
				find: 'const isSold = invoiceId === undefined && saysEnough;',
				replace: 'const isSold = saysEnough;',
			},
		],
	},
	{
		name: 'stripe: intents of Elements are not sold',
		why: 'a payment without checkout and invoice is taken for a part of one',
		edits: [
			{
				file: 'src/processor/stripe/payment-intent.ts',
				find: '|| (sessionId === undefined && saysWho(attribution))',
				replace: '&& saysWho(attribution)',
			},
		],
	},
	{
		name: 'stripe: what was authorised is sold',
		why: 'the amount of an intent is not what was captured of it',
		edits: [
			{
				file: 'src/processor/stripe/payment-intent.ts',
				find: 'const paid = intent.amount_received ?? 0;',
				replace: 'const paid = intent.amount ?? 0;',
			},
		],
	},
	{
		name: 'stripe: the tax of a captured payment counts',
		why: 'an intent does not know its tax, and what its checkout asked for is not asked',
		edits: [
			{
				file: 'src/payments/plan-payment.ts',
				find: 'if (!bill?.chargedCents || bill.saleCents === null) return fact;',
				replace: 'if (!bill?.chargedCents || bill.saleCents !== -1) return fact;',
			},
		],
	},
	{
		name: 'stripe: a payment that tells of itself waits for no checkout',
		why: 'of the two the one that knows less makes the sale',
		edits: [
			{
				file: 'src/payments/plan-payment.ts',
				find: 'return awaitsCheckout && fact.awaitsCheckout === true && bills.length === 0;',
				replace: 'return awaitsCheckout && fact.awaitsCheckout === true && bills.length > 99;',
			},
		],
	},
	{
		name: 'stripe: what an intent says is not said of its checkout',
		why: 'payment_intent_data.metadata is nowhere in the session',
		edits: [
			{
				file: 'src/processor/stripe/checkout.ts',
				find: 'attribution: saysWho(own) ? own :',
				replace: 'attribution: own.programId !== null ? own :',
			},
		],
	},
];
