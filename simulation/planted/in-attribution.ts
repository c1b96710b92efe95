import type { PlantedFault } from './planted-fault.ts';

export const IN_ATTRIBUTION: readonly PlantedFault[] = [
	{
		name: 'payment: a click after it earns',
		why: 'the age of the click is negative, so it is inside the window',
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
		name: 'payment: a trial does not count for the window',
		why: 'after a long trial, only the first payment counts for the window',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: 'isInsideWindow(clickedAt, Math.min(paidAt, trialBeganAt ?? paidAt), windowDays)',
				replace: 'isInsideWindow(clickedAt, paidAt, windowDays)',
			},
		],
	},
	{
		name: 'sale: renewal of another buyer',
		why: "the subscription's first sale counts, whoever bought it",
		edits: [
			{
				file: 'src/domain/commissions/sale-decision.ts',
				find: 'known.renewed.find((first) => first.customerId === buyerId)',
				replace: 'known.renewed[0]',
			},
		],
	},
	{
		name: 'sale: a second first sale of a subscription',
		why: "the subscription's known first sale is ignored",
		edits: [{ file: 'src/domain/commissions/sale-decision.ts', find: '&& !renewal ? buyerId', replace: '? buyerId' }],
	},
	{
		name: "sale: always the program's currency",
		why: "the sale's own currency is ignored",
		edits: [{ file: 'src/domain/commissions/sale-decision.ts', find: 'sale.currency ?? program.currency', replace: 'program.currency' }],
	},
	{
		name: 'sale: resumes no event',
		why: "events that wait for a backend's report resume only by time",
		edits: [
			{
				file: 'src/inbox/resume-events.ts',
				find: 'return resumeByCall(ctx, { programId, processorIds });',
				replace: "return resumeByCall(ctx, { programId, processorIds: processorIds && '[]' });",
			},
		],
	},
	{
		name: 'stripe: a customer identifies the subscription',
		why: "a checkout's claims are stored for the Stripe customer and used for renewals",
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
		name: 'stripe: renewals are attributed although they should not be',
		why: "the program's setting is ignored",
		edits: [
			{
				file: 'src/processor/plan-fact.ts',
				find: 'const { processor, renewalsFollowCheckout: followsFirstSale, expiresAt } = event;',
				replace: 'const { processor, followsFirstSale, expiresAt } = { ...event, followsFirstSale: true };',
			},
		],
	},
];
