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

/** D1 rows, as D1 bills them. */
export interface Rows {
	readonly written: number;
	readonly read: number;
}

/** Messages are held. */
export type Held = Pick<Env, 'DB' | 'CLICKS' | 'EFFECTS'>;

/**
 * How many rows calls write and read until all their effects are applied: their messages, the messages those cause, and a tick in that
 * minute. The cost of an idle tick is subtracted.
 */
export async function rowsOf(calls: (bindings: Held) => Promise<unknown>, minute: number = nextMinute()): Promise<Rows> {
	// All ticks run in the same minute, because each minute verifies another program.
	await untilAtRest(minute);
	const DB = metered(env.DB);
	await settled(calls, DB, minute);
	const atRest = metered(env.DB);
	await settled(async () => undefined, atRest, minute);
	const [all, rest] = [DB.spent(), atRest.spent()];
	return { written: all.rowsWritten - rest.rowsWritten, read: all.rowsRead - rest.rowsRead };
}

/** Finishes the waiting work of other tests, because a tick takes only part of it. */
async function untilAtRest(minute: number): Promise<void> {
	let [before, after] = ['', 'not asked yet'];
	while (after !== before) {
		const DB = metered(env.DB);
		await settled(async () => undefined, DB, minute);
		// Each slice may write the same number of rows, so the amount of waiting work is compared too.
		[before, after] = [after, `${DB.spent().rowsWritten} written, ${await waitingAt(minute)} waiting`];
	}
}

/** Erasures, ended holds and deliveries that a tick would process. */
async function waitingAt(at: number): Promise<number> {
	const waiting = env.DB.prepare(`SELECT
		(SELECT count(*) FROM erasures WHERE next_sweep_at <= ?1)
		+ (SELECT count(*) FROM commissions WHERE status = 'pending' AND hold_until <= ?1)
		+ (SELECT count(*) FROM webhook_deliveries WHERE next_attempt_at <= ?1)
		+ (SELECT count(*) FROM postback_deliveries WHERE next_attempt_at <= ?1) AS waiting`);
	return (await waiting.bind(at).first<number>('waiting')) ?? 0;
}

/** A look-up without a match may read the next row of its index, which depends on other tests' ids. */
const READ_BY_CHANCE = 1;

/** Writes must match exactly; reads may be fewer, apart from what is read by chance. */
export function expectRows(rows: Rows, budget: Rows): void {
	const isWithin = rows.read <= budget.read + READ_BY_CHANCE;
	expect({ ...rows, read: isWithin ? budget.read : rows.read }).toEqual(budget);
}

/** Applies all effects of the calls. */
export async function settled<Answer>(
	calls: (bindings: Held) => Promise<Answer>,
	DB: D1Database = env.DB,
	minute: number = nextMinute(),
): Promise<Answer> {
	const bindings = heldWith(DB);
	const answer = await delivered(calls, bindings);
	await tickAt(minute, DB, bindings.WEBHOOKS);
	while (bindings.WEBHOOKS.held.length > 0) {
		await atInstant(minute, () => deliverHeld('affiliate-webhooks', bindings.WEBHOOKS.held, bindings));
	}
	return answer;
}

function heldWith(DB: D1Database) {
	return { DB, CLICKS: holdingQueue(), EFFECTS: holdingQueue(), WEBHOOKS: holdingQueue() };
}

/** Delivers the calls' messages, and those that these cause. What is left to a tick waits: `rowsOf` begins with one. */
async function delivered<Answer>(calls: (bindings: Held) => Promise<Answer>, bindings = heldWith(env.DB)): Promise<Answer> {
	const { CLICKS, EFFECTS, WEBHOOKS } = bindings;
	const answer = await calls(bindings);
	while ([CLICKS, EFFECTS, WEBHOOKS].some(({ held }) => held.length > 0)) {
		await deliverHeld('affiliate-clicks', CLICKS.held, bindings);
		await deliverHeld('affiliate-effects', EFFECTS.held, bindings);
		await deliverHeld('affiliate-webhooks', WEBHOOKS.held, bindings);
	}
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

/** Effects that were just committed are due by then. */
function nextMinute(): number {
	return Date.now() + MINUTE_MS;
}

function tickAt(now: number, DB: D1Database, WEBHOOKS: Queue): Promise<void> {
	return atInstant(now, () => tick({ DB, EFFECTS: holdingQueue(), WEBHOOKS }));
}

const VISITOR = { 'CF-IPCountry': 'DE', 'User-Agent': 'Mozilla/5.0 Firefox/140.0' };

/** Must get 200: a click from a page, everything else with the program key. */
export async function call(held: Held, of: Funnel, route: string, body: object): Promise<Record<string, unknown>> {
	const answer = await trackWith(held, route, body, route === 'click' ? VISITOR : bearer(of.apiToken));
	if (answer.status !== 200) throw new Error(`The ${route} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
	return answer.body;
}

/** All messages are delivered. By default, the click's row is missing. */
export async function aSettledLead(of: Funnel, clickId?: string): Promise<string> {
	const customer_key = unique('customer');
	const click_id = clickId ?? (await mintClickId(await linkIdOf(of)));
	await delivered((held) => call(held, of, 'lead', { click_id, customer_key }));
	return customer_key;
}

/** All messages are delivered. */
export async function aSettledSale(of: Funnel, customer_key: string): Promise<{ transactionId: string; commissionId: number }> {
	const transaction_id = unique('txn');
	const { commission_id } = await delivered((held) => call(held, of, 'sale', { transaction_id, amount_cents: 10_000, customer_key }));
	return { transactionId: transaction_id, commissionId: Number(commission_id) };
}

/** A funnel in a workspace of its own, because a lead searches for its key in all programs of the workspace. */
export async function aLoneFunnel(overrides: Record<string, unknown> = {}): Promise<Funnel> {
	const owner = await signUp();
	const program = await aProgram(owner, { commission: { type: 'percent', percent: 20 }, ...overrides });
	return { ...program, owner, ...(await aPartner(owner, program.id)) };
}

/** Enough leads, sales and refunds to expose a look-up that reads all of them. */
export async function aCrowd(of: Funnel, size = 30): Promise<void> {
	const linkId = await linkIdOf(of);
	await delivered(async (held) => {
		for (let count = 0; count < size; count += 1) {
			const [customer_key, transaction_id] = [unique('customer'), unique('txn')];
			await call(held, of, 'lead', { click_id: await mintClickId(linkId), customer_key });
			await call(held, of, 'sale', { transaction_id, amount_cents: 10_000, customer_key });
			await call(held, of, 'refund', { transaction_id });
		}
	});
}
