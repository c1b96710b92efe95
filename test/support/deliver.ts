import {
	createExecutionContext,
	createMessageBatch,
	createScheduledController,
	getQueueResult,
	waitOnExecutionContext,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { OptionalBindings } from '../../src/context.ts';
import worker from '../../src/index.ts';

// Calls the Worker's queue and cron handlers directly.

type QueueName = 'affiliate-clicks' | 'affiliate-effects' | 'affiliate-webhooks' | 'affiliate-dead-letters';

export interface Delivered {
	/** Message ids. */
	readonly acked: readonly string[];
	readonly retried: readonly string[];
}

/** A missing `id` is generated. */
export async function deliver(
	queue: QueueName,
	messages: readonly { readonly id?: string; readonly body: unknown }[],
	bindings: Partial<Env & OptionalBindings> = {},
): Promise<Delivered> {
	const batch = createMessageBatch(
		queue,
		messages.map(({ id, body }) => ({ id: id ?? crypto.randomUUID(), timestamp: Date.now(), attempts: 1, body })),
	);
	const execution = createExecutionContext();
	await worker.queue(batch, { ...env, ...bindings }, execution);
	const { ackAll, explicitAcks, retryMessages } = await getQueueResult(batch, execution);
	return { acked: ackAll ? batch.messages.map((message) => message.id) : explicitAcks, retried: retryMessages.map(({ msgId }) => msgId) };
}

export async function tick(bindings: Partial<Env & OptionalBindings> = {}): Promise<void> {
	const execution = createExecutionContext();
	await worker.scheduled(createScheduledController(), { ...env, ...bindings }, execution);
	await waitOnExecutionContext(execution);
}
