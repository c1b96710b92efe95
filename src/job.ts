import * as z from 'zod/mini';

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
	pageUrl: z.nullable(z.string()),
	pageTitle: z.nullable(z.string()),
	referrerUrl: z.nullable(z.string()),
	sessionId: z.nullable(z.string()),
	userAgent: z.nullable(z.string()),
	language: z.nullable(z.string()),
	timezone: z.nullable(z.string()),
	country: z.nullable(z.string()),
	/** Missing in messages of a version of the service that knew of none. */
	subId: z.optional(z.nullable(z.string())),
});
export type ClickJob = z.infer<typeof ClickJob>;

/** Outbox rows whose effects are due, by program and id. Version 1 names rows that cron finds by itself. */
export const EffectsJob = z.discriminatedUnion('version', [
	z.object({ version: z.literal(1), kind: z.literal('effects'), outboxIds: z.array(z.string()).check(z.minLength(1)) }),
	z.object({
		version: z.literal(2),
		kind: z.literal('effects'),
		rows: z.readonly(z.array(z.readonly(z.tuple([z.number(), z.string()])))).check(z.minLength(1)),
	}),
]);
export type EffectsJob = z.infer<typeof EffectsJob>;

/** The rows that it names. */
export function rowsOf(job: EffectsJob): readonly (readonly [programId: number, id: string])[] {
	return job.version === 2 ? job.rows : [];
}

/** Events of a processor that are due: rows of the inbox. */
export const ProcessorEventsJob = z.object({
	version: z.literal(1),
	kind: z.literal('processor_events'),
	ids: z.array(z.int().check(z.positive())).check(z.minLength(1)),
});
export type ProcessorEventsJob = z.infer<typeof ProcessorEventsJob>;

/** Deliveries of webhooks or of postbacks are due: which ones, the database knows. */
export const WebhooksJob = z.object({
	version: z.literal(1),
	kind: z.literal('webhooks'),
	/** Missing in messages of a version of the service that sent postbacks by itself. */
	channel: z.optional(z.enum(['webhooks', 'postbacks'])),
});
export type WebhooksJob = z.infer<typeof WebhooksJob>;

/** The next slice of a run. Which slice that is, the database knows. */
export const RunJob = z.object({
	version: z.literal(1),
	kind: z.literal('run'),
	programId: z.number(),
	runId: z.number(),
});
export type RunJob = z.infer<typeof RunJob>;

/**
 * Everything that travels on the queues. A field more may be missing, and is not read by who knows it not; any other change of shape is
 * a new version beside the old one, until that has drained.
 */
export const Job = z.discriminatedUnion('kind', [ClickJob, EffectsJob, ProcessorEventsJob, WebhooksJob, RunJob]);
export type Job = z.infer<typeof Job>;
