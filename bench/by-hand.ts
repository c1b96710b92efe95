import { openContext } from '../src/context.ts';
import { dayOf, HOUR_MS, MINUTE_MS } from '../src/domain/calendar.ts';
import { tick } from '../src/jobs/tick.ts';
import type { ProgramDays } from '../src/reporting/compared-days.ts';
import { rollUpDay } from '../src/reporting/roll-up-day.ts';
import { holdingQueue } from '../testing/queues.ts';

// Manual queues and crons: they run only on request, so their costs are the same in every run.

export type Deferring = Pick<ExecutionContext, 'waitUntil'>;

const QUEUES = { CLICKS: 'affiliate-clicks', EFFECTS: 'affiliate-effects' } as const;

export const heldQueues = { CLICKS: holdingQueue(), EFFECTS: holdingQueue() };

let lines = 0;
for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) {
	const write = console[level].bind(console);
	console[level] = (...words: unknown[]) => {
		lines += 1;
		if (level !== 'info') write(...words);
	};
}

/** The number of lines logged since the start. Lines of level info are not printed. */
export function logLines(): number {
	return lines;
}

/** Delivers the held messages, and any that result from them, in batches of the queue's size. Throws if a message fails. */
export async function deliverHeld(
	batchSizes: Readonly<Record<string, number>>,
	consume: (batch: MessageBatch, execution: Deferring) => Promise<void>,
): Promise<void> {
	while (Object.values(heldQueues).some(({ held }) => held.length > 0)) {
		for (const binding of ['CLICKS', 'EFFECTS'] as const) {
			const queue = QUEUES[binding];
			const bodies = heldQueues[binding].held.splice(0, batchSizes[queue]);
			if (bodies.length > 0) await withDeferred((execution) => consume(batchOf(queue, bodies), execution));
		}
	}
}

function batchOf(queue: string, bodies: readonly unknown[]): MessageBatch {
	const retry = () => {
		throw new Error(`A message of ${queue} was not settled`);
	};
	const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
	const settled = { ack: () => undefined, retry };
	const messages = bodies.map((body) => ({
		id: crypto.randomUUID(),
		timestamp: new Date(),
		attempts: 1,
		body: structuredClone(body),
		...settled,
	}));
	return { queue, messages, metadata, ackAll: () => undefined, retryAll: retry };
}

/** Runs the crons at the next full hour, when waiting work is due and no new program is due for verification. */
export function tickAtRestOfTheHour(env: Env): Promise<void> {
	const now = Math.ceil((Date.now() + MINUTE_MS) / HOUR_MS) * HOUR_MS;
	return withDeferred((execution) => tick(openContext(env, execution, now)));
}

/** Compares today's daily rows with the raw rows, as the crons do for each program. */
export function verifyDay(env: Env, program: ProgramDays): Promise<void> {
	return withDeferred(async (execution) => {
		const ctx = openContext(env, execution);
		await rollUpDay(ctx, program, dayOf(ctx.now, program.timeZone));
	});
}

/** Runs the work, then waits for everything it deferred with waitUntil. */
async function withDeferred(work: (execution: Deferring) => Promise<void>): Promise<void> {
	const deferred: Promise<unknown>[] = [];
	await work({ waitUntil: (promise) => deferred.push(promise) });
	await Promise.all(deferred);
}
