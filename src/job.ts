import * as z from 'zod';

/** A click on its way to its row. All that the consumer writes; it knows nothing else. */
export const ClickJob = z.object({
	version: z.literal(1),
	kind: z.literal('click'),
	clickId: z.string(),
	programId: z.number(),
	referralLinkId: z.number(),
	isTest: z.boolean(),
	isBot: z.boolean(),
	clickedAt: z.number(),
	clickDay: z.string(),
	pageUrl: z.string().nullable(),
	pageTitle: z.string().nullable(),
	referrerUrl: z.string().nullable(),
	sessionId: z.string().nullable(),
	userAgent: z.string().nullable(),
	language: z.string().nullable(),
	timezone: z.string().nullable(),
	country: z.string().nullable(),
});
export type ClickJob = z.infer<typeof ClickJob>;

/** Outbox rows whose effects are due. */
export const EffectsJob = z.object({
	version: z.literal(1),
	kind: z.literal('effects'),
	outboxIds: z.array(z.string()).min(1),
});
export type EffectsJob = z.infer<typeof EffectsJob>;

/** Everything that travels on the queues. A change of shape is a new version beside the old one, until that has drained. */
export const Job = z.discriminatedUnion('kind', [ClickJob, EffectsJob]);
export type Job = z.infer<typeof Job>;
