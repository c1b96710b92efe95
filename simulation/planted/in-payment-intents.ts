import type { PlantedFault } from './planted-fault.ts';

export const IN_PAYMENT_INTENTS: readonly PlantedFault[] = [
	{
		name: 'stripe: an intent of an invoice is a second sale',
		why: 'every intent with claims counts as a sale',
		edits: [
			{
				file: 'src/processor/stripe/payment-intent.ts',
				find: 'const isSold = invoiceId === undefined && saysEnough;',
				replace: 'const isSold = saysEnough;',
			},
		],
	},
	{
		name: 'stripe: intents of Elements are no sales',
		why: 'an intent alone counts as part of a checkout',
		edits: [
			{
				file: 'src/processor/stripe/payment-intent.ts',
				find: '|| (sessionId === undefined && saysWho(attribution))',
				replace: '&& saysWho(attribution)',
			},
		],
	},
	{
		name: 'stripe: the authorised amount is the sale',
		why: 'only a part may have been captured',
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
		why: "an intent does not know its tax, and the checkout's bill is ignored",
		edits: [
			{
				file: 'src/payments/read-payment.ts',
				find: 'if (!bill?.chargedCents || bill.saleCents === null) return fact;',
				replace: 'if (!bill?.chargedCents || bill.saleCents !== -1) return fact;',
			},
		],
	},
	{
		name: 'stripe: an intent does not wait for its checkout',
		why: 'the one with less information creates the sale',
		edits: [
			{
				file: 'src/payments/plan-payment.ts',
				find: 'return awaitsCheckout && fact.awaitsCheckout === true && !hasBill;',
				replace: 'return awaitsCheckout && fact.awaitsCheckout === undefined && hasBill;',
			},
		],
	},
	{
		name: "stripe: an intent's claims do not reach its checkout",
		why: 'payment_intent_data.metadata is missing in the session',
		edits: [
			{
				file: 'src/processor/stripe/checkout.ts',
				find: '...(saysWho(own) ? own :',
				replace: '...(own.programId !== null ? own :',
			},
		],
	},
	{
		name: 'stripe: an unattributed payment waits for a customer',
		why: 'another event might still name the customer',
		edits: [
			{
				file: 'src/processor/reading/attribution.ts',
				find: 'attribution.reference !== undefined ? undefined : true;',
				replace: 'attribution.reference !== undefined ? undefined : undefined;',
			},
		],
	},
	{
		name: 'stripe: an unattributed payment is final',
		why: 'a customer who is named later is ignored',
		edits: [
			{
				file: 'src/processor/settle-event.ts',
				find: 'event.waitsFor.length > 0 && !isListening ?',
				replace: 'event.waitsFor.length > 0 ?',
			},
		],
	},
	{
		name: 'stripe: a credit outside Stripe is no refund',
		why: "only the processor's own refunds count",
		edits: [
			{
				file: 'src/processor/stripe/credit-notes.ts',
				find: '	out_of_band_amount: Whole,',
				replace: '	out_of_band_amount: Text as unknown as typeof Whole,',
			},
		],
	},
	{
		name: 'stripe: a credit to the balance is a refund too',
		why: 'the whole note counts, although it pays the next invoice',
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
		name: 'stripe: the part paid from the balance is a sale',
		why: "the invoice's total counts as paid",
		edits: [
			{
				file: 'src/processor/stripe/invoice.ts',
				find: 'const paid = invoice.amount_paid ?? 0;',
				replace: 'const paid = invoice.total ?? 0;',
			},
		],
	},
	{
		name: 'stripe: a reference is not used as key',
		why: 'a client_reference_id counts only if it is a click id',
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
		name: 'stripe: a reference wins over metadata',
		why: "an order number is used as the customer's key",
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
		why: 'only subscriptions read the product from metadata',
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
		why: 'the partner earns from shipping too',
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
		why: 'a proration earns like a renewal',
		edits: [
			{
				file: 'src/domain/commissions/commission.ts',
				find: "(sale.isProration ?? part.isProration) && rule.type === 'flat'",
				replace: '(sale.isProration ?? part.isProration) && rule.type === null',
			},
		],
	},
];
