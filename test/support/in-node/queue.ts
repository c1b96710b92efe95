import { queueTo } from '../../../testing/queues.ts';

export interface SentMessage {
	readonly id: string;
	readonly timestamp: Date | number;
	readonly attempts: number;
	readonly body: unknown;
}

export interface Outcome {
	readonly ackAll: boolean;
	readonly explicitAcks: string[];
	readonly retryMessages: { readonly msgId: string }[];
}

const outcomes = new WeakMap<MessageBatch, Outcome>();

/** Records which messages are acknowledged and which are retried. */
export function createMessageBatch(queue: string, sent: readonly SentMessage[]): MessageBatch {
	const outcome = { ackAll: false, explicitAcks: new Array<string>(), retryMessages: new Array<{ msgId: string }>() };
	const retry = (id: string) => void outcome.retryMessages.push({ msgId: id });
	const messages = sent.map(({ id, timestamp, attempts, body }) => ({
		id,
		timestamp: new Date(timestamp),
		attempts,
		metadata: {},
		body: structuredClone(body),
		ack: () => void outcome.explicitAcks.push(id),
		retry: () => retry(id),
	}));
	const batch: MessageBatch = {
		queue,
		messages,
		metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
		ackAll: () => void (outcome.ackAll = true),
		retryAll: () => messages.forEach(({ id }) => retry(id)),
	};
	outcomes.set(batch, outcome);
	return batch;
}

export function outcomeOf(batch: MessageBatch): Outcome {
	const outcome = outcomes.get(batch);
	if (!outcome) throw new Error('createMessageBatch did not make this batch');
	return outcome;
}

const MOST_ATTEMPTS = 5;

/** Delivers in the next turn of the event loop, so that tests do not depend on the machine's speed. */
export function deliveringQueue(name: string, deliver: (batch: MessageBatch) => Promise<void>): Queue {
	let waiting: SentMessage[] = [];
	const flush = async () => {
		const batch = createMessageBatch(name, waiting);
		const sent = waiting;
		waiting = [];
		const failed = await deliver(batch).then(
			() => new Set(outcomeOf(batch).retryMessages.map(({ msgId }) => msgId)),
			() => new Set(sent.map(({ id }) => id)),
		);
		for (const message of sent) {
			if (failed.has(message.id) && message.attempts < MOST_ATTEMPTS) put({ ...message, attempts: message.attempts + 1 });
		}
	};
	const put = (message: SentMessage) => {
		if (waiting.length === 0) setImmediate(() => void flush());
		waiting.push(message);
	};
	return queueTo((body) => put({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: structuredClone(body) }));
}
