import type { Job } from '../../src/job.ts';
import type { Caller, Schedule } from './schedule.ts';

export interface Email {
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
/** Fewer than in production, so that messages become dead letters within a short history. */
const MAX_RETRIES = 1;

/** All queues of the service: at-least-once delivery in any order. */
export class Queues {
	letters: Email[] = [];
	/** Messages that a consumer is processing. */
	readonly inFlight = new Set<Email>();
	#sent = 0;

	sender(queue: string, caller: Caller, schedule: Schedule) {
		return {
			send: (job: Job): Promise<unknown> => {
				const body: unknown = structuredClone(job);
				return schedule.enter(caller, { statements: ['send'], isWrite: true, run: () => void this.put(queue, body) });
			},
		};
	}

	put(queue: string, body: unknown): Email {
		this.#sent += 1;
		const letter = { id: `m${this.#sent}`, queue, body, attempts: 0 };
		this.letters.push(letter);
		return letter;
	}

	drop(letter: Email): void {
		this.letters = this.letters.filter((other) => other !== letter);
	}

	/** A batch, and a function that settles its messages after the consumer has finished or crashed. */
	delivery(letters: readonly Email[], redelivered: ReadonlySet<Email>): { batch: MessageBatch; settle: () => void } {
		for (const letter of letters) this.inFlight.add(letter);
		const acknowledged = new Set<Email>();
		const retried = new Set<Email>();
		const messages = letters.map((letter) => ({
			id: letter.id,
			timestamp: new Date(0),
			body: letter.body,
			attempts: letter.attempts + 1,
			// The first of ack and retry wins.
			ack: () => void (retried.has(letter) || acknowledged.add(letter)),
			retry: () => void (acknowledged.has(letter) || retried.add(letter)),
		}));
		const batch = {
			queue: letters[0]?.queue ?? '',
			messages,
			ackAll: () => messages.forEach(({ ack }) => ack()),
			retryAll() {},
		} as unknown as MessageBatch;
		const settle = () => {
			for (const letter of letters) {
				this.inFlight.delete(letter);
				if (acknowledged.has(letter)) {
					if (!redelivered.has(letter)) this.drop(letter);
					continue;
				}
				letter.attempts += 1;
				if (letter.attempts <= MAX_RETRIES || letter.queue === QUEUES.dead) continue;
				this.drop(letter);
				this.put(QUEUES.dead, letter.body);
			}
		};
		return { batch, settle };
	}
}
