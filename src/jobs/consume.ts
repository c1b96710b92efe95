import { type Context, describeFault } from '../context.ts';
import { keepDeadLetter } from '../dead-letters/keep-dead-letter.ts';
import { type ClickJob, type EffectsJob, Job, type ProcessorEventsJob, type RunJob, rowsOf, type WebhooksJob } from '../job.ts';
import { noticeSilence } from '../monitoring/notice-silence.ts';
import { applyEffects } from '../notifications/apply-effects.ts';
import { postbackChannel } from '../postbacks/postback-channel.ts';
import { processEvents } from '../processor/process-events.ts';
import { workRun } from '../runs/work-run.ts';
import { storeClicks } from '../clicks/store-clicks.ts';
import { sendDue } from '../webhooks/send-due.ts';
import { SLICES } from './slices.ts';
import { webhookChannel } from '../webhooks/webhook-channel.ts';

/**
 * Acknowledges each message after its effect commits, and retries it on a fault. Messages that fail every retry go to the dead-letter queue
 * and are stored.
 */
export async function consume(ctx: Context, batch: MessageBatch): Promise<void> {
	if (batch.queue.endsWith('-dead-letters'))
		return settleEach(ctx, batch.messages, (message) => keepDeadLetter(ctx, message.id, message.body, 'All retries failed'));

	const clicks: Delivery<ClickJob>[] = [];
	const effects: Delivery<EffectsJob>[] = [];
	const processorEvents: Delivery<ProcessorEventsJob>[] = [];
	const runs: Delivery<RunJob>[] = [];
	const webhooks: Delivery<WebhooksJob>[] = [];
	const postbacks: Delivery<WebhooksJob>[] = [];
	const unknown: Message[] = [];
	for (const message of batch.messages) {
		const { data: job } = Job.safeParse(message.body);
		if (!job) unknown.push(message);
		else if (job.kind === 'click') clicks.push({ message, job });
		else if (job.kind === 'effects') effects.push({ message, job });
		else if (job.kind === 'processor_events') processorEvents.push({ message, job });
		else if (job.kind === 'run') runs.push({ message, job });
		else if (job.channel === 'postbacks') postbacks.push({ message, job });
		else webhooks.push({ message, job });
	}
	await settleEach(ctx, unknown, (message) => keepDeadLetter(ctx, message.id, message.body, 'The message has an unknown kind or version'));
	await settleTogether(ctx, batch, clicks, (jobs) => storeClicks(ctx, jobs));
	await settleTogether(ctx, batch, effects, (jobs) => applyEffects(ctx, jobs.flatMap(rowsOf)));
	await settleTogether(ctx, batch, processorEvents, (jobs) =>
		processEvents(
			ctx,
			jobs.flatMap(({ ids }) => ids),
		),
	);
	await settleTogether(ctx, batch, runs, (jobs) => workRuns(ctx, jobs));
	await settleTogether(ctx, batch, webhooks, () => sendDue(ctx, webhookChannel));
	await settleTogether(ctx, batch, postbacks, () => sendDue(ctx, postbackChannel));
	await noticeSilence(ctx);
}

/** A batch may name the same run twice. */
async function workRuns(ctx: Context, jobs: readonly RunJob[]): Promise<void> {
	for (const job of new Map(jobs.map((named) => [named.runId, named])).values()) await workRun(ctx, job, SLICES);
}

interface Delivery<Kind> {
	readonly message: Message;
	readonly job: Kind;
}

/** Processes all together or, after a fault, one by one, so that a bad message does not block the others. */
async function settleTogether<Kind>(
	ctx: Context,
	batch: MessageBatch,
	deliveries: readonly Delivery<Kind>[],
	work: (jobs: readonly Kind[]) => Promise<unknown>,
): Promise<void> {
	if (deliveries.length === 0) return;
	try {
		await work(deliveries.map(({ job }) => job));
		// Individual acks cost 10 us of CPU each, as much as a click's SQL.
		if (deliveries.length === batch.messages.length) batch.ackAll();
		else for (const { message } of deliveries) message.ack();
	} catch {
		for (const { message, job } of deliveries) await settleEach(ctx, [message], () => work([job]));
	}
}

async function settleEach(ctx: Context, messages: readonly Message[], work: (message: Message) => Promise<unknown>): Promise<void> {
	for (const message of messages) {
		try {
			await work(message);
			message.ack();
		} catch (error) {
			ctx.log({ level: 'error', event: 'message_failed', messageId: message.id, attempts: message.attempts, ...describeFault(error) });
			message.retry();
		}
	}
}
