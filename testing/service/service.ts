import { openContext } from '../../src/context.ts';
import { app } from '../../src/http/app.ts';
import type { ClickJob, EffectsJob, ProcessorEventsJob, WebhooksJob } from '../../src/job.ts';
import { consume } from '../../src/jobs/consume.ts';
import { tick } from '../../src/jobs/tick.ts';
import { queueTo } from '../queues.ts';
import { withOutside } from './outside.ts';

/** The Worker in this process. Its queues deliver at once, or on request. */
export interface Service {
	readonly fetch: (request: Request) => Promise<Response>;
	readonly db: D1Database;
	readonly deliver: (queue: string, body: unknown) => Promise<void>;
	/** Oldest first. Empty if the queues deliver at once. */
	readonly held: Message[];
	/** Includes messages that others cause. */
	readonly deliverHeld: () => Promise<void>;
	/** Runs the crons of a minute. */
	readonly tick: () => Promise<void>;
}

interface Message {
	readonly queue: string;
	readonly body: unknown;
}

/** Replaces the bindings' queues. If `isHolding`, they keep messages until `deliverHeld`. */
export function openService(bindings: Env, { isHolding = false, messagesPerBatch = 1 } = {}): Service {
	const waiting: Message[] = [];
	const env: Env = {
		...bindings,
		CLICKS: queueTo<ClickJob>((body) => waiting.push({ queue: 'affiliate-clicks', body })),
		EFFECTS: queueTo<EffectsJob | ProcessorEventsJob>((body) => waiting.push({ queue: 'affiliate-effects', body })),
		WEBHOOKS: queueTo<WebhooksJob>((body) => waiting.push({ queue: 'affiliate-webhooks', body })),
	};
	const deferred: Promise<unknown>[] = [];
	const execution = { waitUntil: (work: Promise<unknown>) => void deferred.push(work), passThroughOnException() {}, props: {} };
	const settle = async () => {
		// Deferred work must not reach the network either.
		await withOutside(() => Promise.all(deferred.splice(0)));
		if (!isHolding) await deliverHeld();
	};
	const deliverHeld = async () => {
		for (let next = waiting[0]; next; next = waiting[0]) {
			const { queue } = next;
			const end = waiting.findIndex((message) => message.queue !== queue);
			const batch = waiting.splice(0, Math.min(end === -1 ? waiting.length : end, messagesPerBatch));
			await deliverAll(
				queue,
				batch.map(({ body }) => body),
			);
		}
	};
	const deliverAll = async (queue: string, bodies: readonly unknown[]) => {
		await withOutside(() => consume(openContext(env, execution), aBatch(queue, bodies)));
		await settle();
	};
	return {
		db: bindings.DB,
		deliver: (queue, body) => deliverAll(queue, [body]),
		held: waiting,
		deliverHeld,
		async fetch(request) {
			const response = await withOutside(async () => app.fetch(request, env, execution));
			await settle();
			return response;
		},
		tick: () => withOutside(() => tick(openContext(env, execution))),
	};
}

let count = 0;

function aBatch(queue: string, bodies: readonly unknown[]): MessageBatch {
	const messages = bodies.map((body) => {
		count += 1;
		const sent = structuredClone(body);
		return { id: `message-${count}`, timestamp: new Date(0), body: sent, attempts: 1, metadata: {}, ack() {}, retry: failed };
	});
	return { queue, messages, metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } }, ackAll() {}, retryAll: failed };
}

function failed(): never {
	throw new Error('A message could not be processed: see the log above');
}
