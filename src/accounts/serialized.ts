import { tooManyRequests } from '../domain/rejection.ts';

// Work that fills a processor: one piece at a time in an isolate, and a rest after each, in which clicks and sales go on.

/**
 * Whose work goes first (decision 58). `known`: people whom the service has let in before from this network or device, who are
 * signed in, or who show a token that it gave out. A flood of strangers waits behind them, and in places of its own.
 */
export type Lane = 'known' | 'stranger';

const POLL_MS = 25;
/** In each lane. */
const MOST_WAITING = 16;
/** When to come back where that many wait. */
const RETRY_SECONDS = 5;
/** Who has not asked for its turn for so long is gone: a request that its caller gave up ends without a word. */
const GONE_MS = 10_000;

interface Ticket {
	readonly lane: Lane;
	/** When it was last heard of. */
	heardOf: number;
}

/** In the order in which they came. */
const tickets = new Set<Ticket>();
let working: Ticket | undefined;

/** Does the work when it is its turn, and rests after it. Rejects with 429 if too many of the lane wait already. */
export async function serialized<Result>(lane: Lane, work: () => Promise<Result>, restMs: number): Promise<Result> {
	forgetGone();
	if (inLane(lane).length >= MOST_WAITING) throw tooManyRequests(RETRY_SECONDS);
	const ticket = { lane, heardOf: performance.now() };
	tickets.add(ticket);
	try {
		// Asked by timers of its own: one request must not depend on another's that may be gone.
		while (!begins(ticket)) {
			await pause(POLL_MS);
			ticket.heardOf = performance.now();
			forgetGone();
		}
		const result = await work();
		await pause(restMs);
		return result;
	} finally {
		tickets.delete(ticket);
	}
}

function begins(ticket: Ticket): boolean {
	if (working && tickets.has(working)) return false;
	const next = inLane('known')[0] ?? inLane('stranger')[0];
	if (next !== ticket) return false;
	working = ticket;
	return true;
}

function inLane(lane: Lane): Ticket[] {
	return [...tickets].filter((ticket) => ticket.lane === lane);
}

function forgetGone(): void {
	const now = performance.now();
	for (const ticket of tickets) if (now - ticket.heardOf > GONE_MS) tickets.delete(ticket);
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
