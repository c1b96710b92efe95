import type { Answer, Journal } from '../crash/journal.ts';
import { Client } from '../crash/client.ts';
import { type Outgoing, requestOf } from '../crash/send.ts';
import { openShops } from '../crash/shops.ts';
import worker from '../src/index.ts';
import { queueTo } from '../testing/queues.ts';
import { Random, subSeed } from '../testing/random.ts';
import { nodeBindings } from '../testing/service/node-bindings.ts';

const CLIENTS = 4;
const MINUTE_MS = 60_000;

export interface Load {
	readonly seed: number;
	readonly rounds: number;
	readonly steps: number;
	/** Called after each round. */
	readonly enough: () => boolean;
}

/** Runs the Worker in this process on the given database, under the crash test's load. */
export async function useProduct(database: D1Database, { seed, rounds, steps, enough }: Load): Promise<Journal> {
	const service = new Service(database);
	const send = (outgoing: Outgoing) => service.send(outgoing);
	const world = await openShops(send);
	const journal: Journal = { intents: [], charges: [], clicks: [], unknownClicks: 0 };
	const clients = Array.from(
		{ length: CLIENTS },
		(_, index) => new Client(`${index + 1}`, world, new Random(subSeed(seed, index)), journal),
	);
	const random = new Random(subSeed(seed, CLIENTS));
	for (let round = 1; round <= rounds; round += 1) {
		await Promise.all(clients.map((client) => client.work(send, steps)));
		await service.deliver(random);
		if (enough()) break;
	}
	return journal;
}

/** Calls the Worker's three handlers: fetch, queue and scheduled. */
class Service {
	readonly #env: Env;
	readonly #deferred: Promise<unknown>[] = [];
	readonly #queues = { 'affiliate-clicks': new Array<unknown>(), 'affiliate-effects': new Array<unknown>() };
	#messages = 0;

	constructor(database: D1Database) {
		this.#env = {
			...nodeBindings(database),
			CLICKS: queueTo((body) => this.#queues['affiliate-clicks'].push(body)),
			EFFECTS: queueTo((body) => this.#queues['affiliate-effects'].push(body)),
		};
	}

	async send(outgoing: Outgoing): Promise<Answer> {
		const request = new Request(`http://service.test${outgoing.path}`, requestOf(outgoing));
		const response = await worker.fetch(request, this.#env, this.#execution());
		return { status: response.status, body: await response.json() };
	}

	/** Some messages arrive twice and some not at all. Then the crons may run, with the clock correct or two minutes ahead. */
	async deliver(random: Random): Promise<void> {
		for (const [queue, waiting] of Object.entries(this.#queues)) {
			const bodies = waiting.splice(0).flatMap((body) => (random.chance(0.1) ? [] : random.chance(0.1) ? [body, body] : [body]));
			if (random.chance(0.2)) bodies.push({ kind: 'nonsense' });
			const messages = random
				.shuffled(bodies)
				.map((body) => ({ id: `message ${(this.#messages += 1)}`, body, attempts: 1, ack() {}, retry() {} }));
			const batch: unknown = { queue, messages };
			await worker.queue(batch as MessageBatch, this.#env, this.#execution());
		}
		if (random.chance(0.5)) await worker.scheduled({} as ScheduledController, this.#env, this.#execution());
		await Promise.all(this.#deferred.splice(0));
		if (random.chance(0.3)) await this.#sweep();
	}

	/** Moves the clock ahead, because rows are swept a minute after they are written. */
	async #sweep(): Promise<void> {
		const real = Date.now;
		Date.now = () => real() + 2 * MINUTE_MS;
		try {
			await worker.scheduled({} as ScheduledController, this.#env, this.#execution());
		} finally {
			Date.now = real;
		}
	}

	#execution(): ExecutionContext {
		const execution: unknown = {
			waitUntil: (work: Promise<unknown>) => this.#deferred.push(work),
			passThroughOnException() {},
			props: {},
		};
		return execution as ExecutionContext;
	}
}
