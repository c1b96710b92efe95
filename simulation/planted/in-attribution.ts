import type { PlantedFault } from './planted-fault.ts';

export const IN_ATTRIBUTION: readonly PlantedFault[] = [
	{
		name: 'payment: a click after it earns',
		why: 'the age of a click is negative, and so within the window',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: "	if (isBefore(paidAt, clickedAt)) return 'paid_before_click';\n",
				replace: '',
			},
			{ file: 'src/domain/attribution/attribution.ts', find: 'subscribedAt ?? paidAt, trialBeganAt ?? paidAt', replace: 'Infinity' },
		],
	},
	{
		name: 'payment: a trial has no part in the window',
		why: 'the window of a long trial is held to its first payment',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: 'isInsideWindow(clickedAt, Math.min(paidAt, trialBeganAt ?? paidAt), windowDays)',
				replace: 'isInsideWindow(clickedAt, paidAt, windowDays)',
			},
		],
	},
	{
		name: 'sale: renewal of anybody',
		why: 'the first sale of the subscription is found, whoever bought it',
		edits: [
			{
				file: 'src/domain/commissions/sale-decision.ts',
				find: 'known.renewed.find((first) => first.customerId === buyerId)',
				replace: 'known.renewed[0]',
			},
		],
	},
	{
		name: 'sale: first of a subscription that has one',
		why: 'what was read of the subscription is not asked',
		edits: [{ file: 'src/domain/commissions/sale-decision.ts', find: '&& !renewal ? buyerId', replace: '? buyerId' }],
	},
	{
		name: 'sale: the currency of the program',
		why: 'whatever the sale was sent in',
		edits: [{ file: 'src/domain/commissions/sale-decision.ts', find: 'sale.currency ?? program.currency', replace: 'program.currency' }],
	},
	{
		name: 'sale: wakes nobody',
		why: 'what the backend reports is left to the clock to be found',
		edits: [
			{
				file: 'src/inbox/resume-events.ts',
				find: 'return resumeByCall(ctx, { programId, processorIds });',
				replace: "return resumeByCall(ctx, { programId, processorIds: processorIds && '[]' });",
			},
		],
	},
	{
		name: 'stripe: a customer speaks for the subscription',
		why: 'what a checkout said is remembered of the Stripe customer, and asked for renewals too',
		edits: [
			{
				file: 'src/processor/stripe/checkout.ts',
				find: 'const binding = referenceFactOf(attributionOf(claimsOf(session), [session.invoice]));',
				replace:
					'const binding = referenceFactOf(attributionOf(claimsOf(session), [session.invoice, read(Ref, (object as { customer?: unknown }).customer)]));',
			},
			{
				file: 'src/processor/stripe/invoice.ts',
				find: '[subscriptionId, invoiceId]);',
				replace: '[subscriptionId, invoiceId, read(Ref, (invoice as { customer?: unknown }).customer)]);',
			},
			{
				file: 'src/processor/stripe/invoice.ts',
				find: '	id: Ref,\n	status: Text,',
				replace: '	id: Ref,\n	customer: Ref,\n	status: Text,',
			},
		],
	},
	{
		name: 'stripe: renewals follow where they should not',
		why: 'the setting of the program is not asked',
		edits: [
			{
				file: 'src/processor/plan-fact.ts',
				find: 'const { processor, renewalsFollowCheckout: followsFirstSale, expiresAt } = event;',
				replace: 'const { processor, followsFirstSale, expiresAt } = { ...event, followsFirstSale: true };',
			},
		],
	},
];
