import { tooManyRequests } from '../domain/rejection.ts';

// Work that fills a processor: one piece at a time in an isolate, and a rest after each, in which clicks and sales go on.

const POLL_MS = 25;
const MOST_WAITING = 16;
/** When to come back where that many wait. */
const RETRY_SECONDS = 5;
/** Who has not asked for its turn for so long is gone: a request that its caller gave up ends without a word. */
const GONE_MS = 10_000;

/** When each was last heard of, in the order in which they came. The first one works. */
const tickets = new Map<symbol, number>();

/** Does the work when it is its turn, and rests after it. Rejects with 429 if too many wait already. */
export async function inTurn<Result>(work: () => Promise<Result>, restMs: number): Promise<Result> {
	forgetGone();
	if (tickets.size >= MOST_WAITING) throw tooManyRequests(RETRY_SECONDS);
	const ticket = Symbol('turn');
	tickets.set(ticket, performance.now());
	try {
		// Asked by timers of its own: one request must not depend on another's that may be gone.
		while (tickets.keys().next().value !== ticket) {
			await pause(POLL_MS);
			tickets.set(ticket, performance.now());
			forgetGone();
		}
		const result = await work();
		await pause(restMs);
		return result;
	} finally {
		tickets.delete(ticket);
	}
}

function forgetGone(): void {
	const now = performance.now();
	for (const [ticket, heardOf] of tickets) if (now - heardOf > GONE_MS) tickets.delete(ticket);
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
