import { tooManyRequests } from '../domain/rejection.ts';

// Runs CPU-heavy work one piece at a time per isolate, with pauses so that clicks and sales can run.

/**
 * `known` goes first: people with a session, one of our tokens, or an earlier sign-in from this network or device (decision 58). A flood of
 * strangers waits in its own queue and delays nobody else.
 */
export type Lane = 'known' | 'stranger';

const POLL_MS = 25;
const MOST_WAITING = 16;
/** The Retry-After if a lane is full. */
const RETRY_SECONDS = 5;
/** A ticket that stops polling counts as abandoned, because nothing announces a cancelled request. */
const GONE_MS = 10_000;

interface Ticket {
	readonly lane: Lane;
	heardOf: number;
}

/** In order of arrival. */
const tickets = new Set<Ticket>();
let working: Ticket | undefined;

/** Waits its turn, does the work, then pauses. Rejects with 429 if the lane is full. */
export async function serialized<Result>(lane: Lane, work: () => Promise<Result>, restMs: number): Promise<Result> {
	forgetGone();
	if (inLane(lane).length >= MOST_WAITING) throw tooManyRequests(RETRY_SECONDS);
	const ticket = { lane, heardOf: performance.now() };
	tickets.add(ticket);
	try {
		// Each request polls with its own timers, because a request that it relied on might be cancelled.
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
