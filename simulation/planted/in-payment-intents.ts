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
				file: 'src/payments/read-payment.ts',
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
				find: 'return awaitsCheckout && fact.awaitsCheckout === true && !hasBill;',
				replace: 'return awaitsCheckout && fact.awaitsCheckout === undefined && hasBill;',
			},
		],
	},
	{
		name: 'stripe: what an intent says is not said of its checkout',
		why: 'payment_intent_data.metadata is nowhere in the session',
		edits: [
			{
				file: 'src/processor/stripe/checkout.ts',
				find: '...(saysWho(own) ? own :',
				replace: '...(own.programId !== null ? own :',
			},
		],
	},
	{
		name: 'stripe: a payment of nobody waits for somebody',
		why: 'what its checkout did not say may yet be said',
		edits: [
			{
				file: 'src/processor/reading/attribution.ts',
				find: 'attribution.reference !== undefined ? undefined : true;',
				replace: 'attribution.reference !== undefined ? undefined : undefined;',
			},
		],
	},
	{
		name: 'stripe: a payment of nobody is settled for good',
		why: 'whoever is named later is named too late',
		edits: [
			{
				file: 'src/processor/settle-event.ts',
				find: 'event.waitsFor.length > 0 && !isListening ?',
				replace: 'event.waitsFor.length > 0 ?',
			},
		],
	},
	{
		name: 'stripe: what is credited outside of Stripe is kept',
		why: 'refunds are what the processor refunds',
		edits: [
			{
				file: 'src/processor/stripe/credit-notes.ts',
				find: '	out_of_band_amount: Whole,',
				replace: '	out_of_band_amount: Text as unknown as typeof Whole,',
			},
		],
	},
	{
		name: 'stripe: a credit to the balance is taken at the note too',
		why: 'the whole note is given back, though the next invoice is paid by it',
		edits: [
			{
				file: 'src/processor/stripe/credit-notes.ts',
				find: '	out_of_band_amount: Whole,',
				replace: '	out_of_band_amount: Whole, post_payment_amount: Whole,',
			},
			{
				file: 'src/processor/stripe/credit-notes.ts',
				find: 'out_of_band_amount: amount = 0,',
				replace: 'post_payment_amount: amount = 0,',
			},
		],
	},
	{
		name: "stripe: what the customer's balance pays is sold",
		why: 'an invoice is worth its total',
		edits: [
			{
				file: 'src/processor/stripe/invoice.ts',
				find: 'const paid = invoice.amount_paid ?? 0;',
				replace: 'const paid = invoice.total ?? 0;',
			},
		],
	},
	{
		name: 'stripe: a reference is no key',
		why: 'a client_reference_id that is no click id is nothing',
		edits: [
			{
				file: 'src/payments/read-payment.ts',
				find: '	if (!isNobody(payer)) return payer;',
				replace: '	if (bindings.length < 99) return payer;',
			},
			{
				file: 'src/payments/read-payment.ts',
				find: '(clickId === undefined ? reference : undefined)',
				replace: '(clickId === undefined && reference === null ? reference : undefined)',
			},
		],
	},
	{
		name: 'stripe: a reference goes before metadata',
		why: "an order number is taken for the customer's key",
		edits: [
			{
				file: 'src/processor/reading/attribution.ts',
				find: 'reference: saysWho(named) ? undefined : present(claims.map(({ reference }) => reference))[0]',
				replace: 'customerKey: present(claims.map(({ reference }) => reference))[0] ?? named.customerKey',
			},
		],
	},
	{
		name: 'stripe: the product of a single payment is not read',
		why: 'what metadata name is asked of subscriptions alone',
		edits: [
			{
				file: 'src/payments/read-payment.ts',
				find: '(sale.subscriptionId === undefined ? productId : undefined)',
				replace: "(sale.subscriptionId === '' ? productId : undefined)",
			},
		],
	},
	{
		name: 'stripe: shipping counts',
		why: 'what the carrier gets is paid to the partner, too',
		edits: [
			{
				file: 'src/processor/stripe/amounts.ts',
				find: 'Math.max(tax, 0) + Math.max(shipping, 0)',
				replace: 'Math.max(tax, 0) + Math.max(shipping, 0) * 0',
			},
		],
	},
	{
		name: 'stripe: a flat commission for each proration',
		why: 'a renewal is a renewal',
		edits: [
			{
				file: 'src/domain/commissions/commission.ts',
				find: "(sale.isProration ?? part.isProration) && rule.type === 'flat'",
				replace: '(sale.isProration ?? part.isProration) && rule.type === null',
			},
		],
	},
];
