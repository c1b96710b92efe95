import * as z from 'zod/mini';

/** Everything that the consumer needs to store a click. */
export const ClickJob = z.object({
	version: z.literal(1),
	kind: z.literal('click'),
	clickId: z.string(),
	programId: z.number(),
	referralLinkId: z.number(),
	isTest: z.boolean(),
	isBot: z.boolean(),
	clickedAt: z.number(),
	pageUrl: z.nullable(z.string()),
	pageTitle: z.nullable(z.string()),
	referrerUrl: z.nullable(z.string()),
	sessionId: z.nullable(z.string()),
	userAgent: z.nullable(z.string()),
	language: z.nullable(z.string()),
	timezone: z.nullable(z.string()),
	country: z.nullable(z.string()),
	/** Earlier versions' messages lack it. */
	subId: z.optional(z.nullable(z.string())),
});
export type ClickJob = z.infer<typeof ClickJob>;

/** Outbox rows whose effects are due. A version 1 message names no keys, so cron finds its rows. */
export const EffectsJob = z.discriminatedUnion('version', [
	z.object({ version: z.literal(1), kind: z.literal('effects'), outboxIds: z.array(z.string()).check(z.minLength(1)) }),
	z.object({
		version: z.literal(2),
		kind: z.literal('effects'),
		rows: z.readonly(z.array(z.readonly(z.tuple([z.number(), z.string()])))).check(z.minLength(1)),
	}),
]);
export type EffectsJob = z.infer<typeof EffectsJob>;

export function rowsOf(job: EffectsJob): readonly (readonly [programId: number, id: string])[] {
	return job.version === 2 ? job.rows : [];
}

/** Inbox rows that are due. */
export const ProcessorEventsJob = z.object({
	version: z.literal(1),
	kind: z.literal('processor_events'),
	ids: z.array(z.int().check(z.positive())).check(z.minLength(1)),
});
export type ProcessorEventsJob = z.infer<typeof ProcessorEventsJob>;

/** Wakes the sender, which reads from the database which deliveries are due. */
export const WebhooksJob = z.object({
	version: z.literal(1),
	kind: z.literal('webhooks'),
	/** Earlier versions' messages lack it. */
	channel: z.optional(z.enum(['webhooks', 'postbacks'])),
});
export type WebhooksJob = z.infer<typeof WebhooksJob>;

/** Continues a run. The database determines the next slice. */
export const RunJob = z.object({
	version: z.literal(1),
	kind: z.literal('run'),
	programId: z.number(),
	runId: z.number(),
});
export type RunJob = z.infer<typeof RunJob>;

/** A new field must be optional. Any other change needs a new version alongside the old one until the queue has drained. */
export const Job = z.discriminatedUnion('kind', [ClickJob, EffectsJob, ProcessorEventsJob, WebhooksJob, RunJob]);
export type Job = z.infer<typeof Job>;
