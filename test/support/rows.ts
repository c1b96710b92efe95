import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { MINUTE_MS } from '../../src/domain/calendar.ts';
import { atInstant } from './at-instant.ts';
import { bearer, trackWith } from './bindings.ts';
import { linkIdOf, mintClickId } from './clock.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver, tick } from './deliver.ts';
import { aPartner, type Funnel } from './funnel.ts';
import { metered } from '../../testing/d1/metered.ts';
import { aProgram, signUp, unique } from './world.ts';

/** Rows of D1, as it bills them. */
export interface Rows {
	readonly written: number;
	readonly read: number;
}

/** The bindings of a Worker whose messages are held. */
export type Held = Pick<Env, 'DB' | 'CLICKS' | 'EFFECTS'>;

/**
 * What calls write and read until nothing of them waits: until their answers, by the messages that they send, all at once, and those
 * that follow, and at a tick of the clock, in a minute or at that instant, beyond what it takes at rest.
 */
export async function rowsOf(calls: (bindings: Held) => Promise<unknown>, minute: number = nextMinute()): Promise<Rows> {
	// All ticks in one minute: whose turn it is to be verified changes with it.
	await untilAtRest(minute);
	const DB = metered(env.DB);
	await settled(calls, DB, minute);
	const atRest = metered(env.DB);
	await settled(async () => undefined, atRest, minute);
	const [all, rest] = [DB.spent(), atRest.spent()];
	return { written: all.rowsWritten - rest.rowsWritten, read: all.rowsRead - rest.rowsRead };
}

/** What others have left waiting is not theirs: a tick, and what it sends, take a part of it only. */
async function untilAtRest(minute: number): Promise<void> {
	let [before, after] = ['', 'not asked yet'];
	while (after !== before) {
		const DB = metered(env.DB);
		await settled(async () => undefined, DB, minute);
		// What is done some at a time may write as much as the time before, while less waits.
		[before, after] = [after, `${DB.spent().rowsWritten} written, ${await waitingAt(minute)} waiting`];
	}
}

/** Erasures, ends of holds and calls of others' systems that a tick would do. */
async function waitingAt(at: number): Promise<number> {
	const waiting = env.DB.prepare(`SELECT
		(SELECT count(*) FROM erasures WHERE next_sweep_at <= ?1)
		+ (SELECT count(*) FROM commissions WHERE status = 'pending' AND hold_until <= ?1)
		+ (SELECT count(*) FROM webhook_deliveries WHERE next_attempt_at <= ?1)
		+ (SELECT count(*) FROM postback_deliveries WHERE next_attempt_at <= ?1) AS waiting`);
	return (await waiting.bind(at).first<number>('waiting')) ?? 0;
}

/**
 * Holds rows to a budget: as many written, at most so many read. A look-up that finds nothing reads its neighbour, or nothing at the end
 * of the index: which, is for the ids of other tests to say.
 */
export function expectRows(rows: Rows, budget: Rows): void {
	expect({ ...rows, read: Math.max(rows.read, budget.read) }).toEqual(budget);
}

/** Does the calls and all that follows of them. */
export async function settled<Answer>(
	calls: (bindings: Held) => Promise<Answer>,
	DB: D1Database = env.DB,
	minute: number = nextMinute(),
): Promise<Answer> {
	const queues = { CLICKS: holdingQueue(), EFFECTS: holdingQueue(), WEBHOOKS: holdingQueue() };
	const bindings = { DB, ...queues };
	const answer = await calls(bindings);
	while (Object.values(queues).some(({ held }) => held.length > 0)) {
		await deliverHeld('affiliate-clicks', queues.CLICKS.held, bindings);
		await deliverHeld('affiliate-effects', queues.EFFECTS.held, bindings);
		await deliverHeld('affiliate-webhooks', queues.WEBHOOKS.held, bindings);
	}
	await tickAt(minute, DB, queues.WEBHOOKS);
	while (queues.WEBHOOKS.held.length > 0) await atInstant(minute, () => deliverHeld('affiliate-webhooks', queues.WEBHOOKS.held, bindings));
	return answer;
}

async function deliverHeld(
	queue: 'affiliate-clicks' | 'affiliate-effects' | 'affiliate-webhooks',
	held: unknown[],
	bindings: Held,
): Promise<void> {
	const messages = held.splice(0).map((body) => ({ body }));
	if (messages.length === 0) return;
	const { retried } = await deliver(queue, messages, bindings);
	if (retried.length > 0) throw new Error(`A message of ${queue} was not settled`);
}

/** What was just committed is due then. */
function nextMinute(): number {
	return Date.now() + MINUTE_MS;
}

function tickAt(now: number, DB: D1Database, WEBHOOKS: Queue): Promise<void> {
	return atInstant(now, () => tick({ DB, EFFECTS: holdingQueue(), WEBHOOKS }));
}

const VISITOR = { 'CF-IPCountry': 'DE', 'User-Agent': 'Mozilla/5.0 Firefox/140.0' };

/** A tracking call that is answered with 200: a click by a page, all else by the program's key. */
export async function call(held: Held, of: Funnel, route: string, body: object): Promise<Record<string, unknown>> {
	const answer = await trackWith(held, route, body, route === 'click' ? VISITOR : bearer(of.apiToken));
	if (answer.status !== 200) throw new Error(`The ${route} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
	return answer.body;
}

/** A customer who has signed up, with nothing left to be done; by default of a click whose row has not landed. */
export async function aSettledLead(of: Funnel, clickId?: string): Promise<string> {
	const customer_key = unique('customer');
	const click_id = clickId ?? (await mintClickId(await linkIdOf(of)));
	await settled((held) => call(held, of, 'lead', { click_id, customer_key }));
	return customer_key;
}

/** A sale of that customer, with nothing left to be done. */
export async function aSettledSale(of: Funnel, customer_key: string): Promise<{ transactionId: string; commissionId: number }> {
	const transaction_id = unique('txn');
	const { commission_id } = await settled((held) => call(held, of, 'sale', { transaction_id, amount_cents: 10_000, customer_key }));
	return { transactionId: transaction_id, commissionId: Number(commission_id) };
}

/** A funnel whose workspace has no other program: a lead looks for its key in all of them. */
export async function aLoneFunnel(overrides: Record<string, unknown> = {}): Promise<Funnel> {
	const owner = await signUp();
	const program = await aProgram(owner, { commission: { type: 'percent', percent: 20 }, ...overrides });
	return { ...program, owner, ...(await aPartner(owner, program.id)) };
}

/** So many leads, sales and refunds that a look-up which reads them all is seen. */
export async function aCrowd(of: Funnel, size = 30): Promise<void> {
	const linkId = await linkIdOf(of);
	await settled(async (held) => {
		for (let count = 0; count < size; count += 1) {
			const [customer_key, transaction_id] = [unique('customer'), unique('txn')];
			await call(held, of, 'lead', { click_id: await mintClickId(linkId), customer_key });
			await call(held, of, 'sale', { transaction_id, amount_cents: 10_000, customer_key });
			await call(held, of, 'refund', { transaction_id });
		}
	});
}
