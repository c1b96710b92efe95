import type { Job } from '../../src/job.ts';
import type { Caller, Schedule } from './schedule.ts';

export interface QueueMessage {
	readonly id: string;
	readonly queue: string;
	readonly body: unknown;
	attempts: number;
}

export const QUEUES = {
	clicks: 'affiliate-clicks',
	effects: 'affiliate-effects',
	webhooks: 'affiliate-webhooks',
	dead: 'affiliate-dead-letters',
} as const;
/** Fewer than in production, so that short histories have dead letters. */
const MAX_RETRIES = 1;

/** Delivers at least once, in any order. */
export class Queues {
	messages: QueueMessage[] = [];
	readonly inFlight = new Set<QueueMessage>();
	#sent = 0;

	sender(queue: string, caller: Caller, schedule: Schedule) {
		return {
			send: (job: Job): Promise<unknown> => {
				const body: unknown = structuredClone(job);
				return schedule.enter(caller, { statements: ['send'], isWrite: true, run: () => void this.put(queue, body) });
			},
		};
	}

	put(queue: string, body: unknown): QueueMessage {
		this.#sent += 1;
		const message = { id: `m${this.#sent}`, queue, body, attempts: 0 };
		this.messages.push(message);
		return message;
	}

	drop(message: QueueMessage): void {
		this.messages = this.messages.filter((other) => other !== message);
	}

	/** `settle` runs after the consumer has finished or crashed. */
	delivery(delivered: readonly QueueMessage[], redelivered: ReadonlySet<QueueMessage>): { batch: MessageBatch; settle: () => void } {
		for (const message of delivered) this.inFlight.add(message);
		const acknowledged = new Set<QueueMessage>();
		const retried = new Set<QueueMessage>();
		const messages = delivered.map((message) => ({
			id: message.id,
			timestamp: new Date(0),
			body: message.body,
			attempts: message.attempts + 1,
			// The first of ack and retry wins.
			ack: () => void (retried.has(message) || acknowledged.add(message)),
			retry: () => void (acknowledged.has(message) || retried.add(message)),
		}));
		const batch = {
			queue: delivered[0]?.queue ?? '',
			messages,
			ackAll: () => messages.forEach(({ ack }) => ack()),
			retryAll() {},
		} as unknown as MessageBatch;
		const settle = () => {
			for (const message of delivered) {
				this.inFlight.delete(message);
				if (acknowledged.has(message)) {
					if (!redelivered.has(message)) this.drop(message);
					continue;
				}
				message.attempts += 1;
				if (message.attempts <= MAX_RETRIES || message.queue === QUEUES.dead) continue;
				this.drop(message);
				this.put(QUEUES.dead, message.body);
			}
		};
		return { batch, settle };
	}
}
