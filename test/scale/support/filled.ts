import { env } from 'cloudflare:workers';
import { openContext } from '../../../src/context.ts';
import { fill } from '../../../testing/scale/fill.ts';
import type { Named } from '../../../testing/scale/cases.ts';
import { beginSums, keepMore } from '../../../testing/scale/keep.ts';
import { BUSY_PARTNER, planOf, TEST_SIZE } from '../../../testing/scale/size.ts';

/** The ceilings of the exceptions depend on this instant, because it determines what belongs to the last month. */
export const NOW = Date.UTC(2026, 10, 25, 12);

/** Returns the ids that the test's requests need. */
export async function aFilledProgram(): Promise<Named> {
	await fill(async (statement) => (await env.DB.prepare(statement).all()).results, TEST_SIZE, { secrets: env.SECRETS, now: NOW });
	await keepWhatCronKeeps();
	const largest = `SELECT payout_id AS value FROM commissions WHERE partner_program_id = ${BUSY_PARTNER} AND payout_id IS NOT NULL GROUP BY payout_id ORDER BY count(*) DESC LIMIT 1`;
	const newest = `SELECT max(id) AS value FROM commissions WHERE partner_program_id = ${BUSY_PARTNER}`;
	return {
		plan: planOf(TEST_SIZE, NOW),
		payoutId: Number(await valueOf(largest)),
		commissionId: Number(await valueOf(newest)),
		clickId: String(await valueOf('SELECT click_id AS value FROM customers WHERE id = 1')),
	};
}

/** What cron keeps for the program, and what the busy partner requested. */
async function keepWhatCronKeeps(): Promise<void> {
	const ctx = openContext(env, { waitUntil: () => undefined }, NOW);
	await beginSums(ctx);
	while ((await keepMore(ctx)) > 0);
}

async function valueOf(query: string): Promise<unknown> {
	const value = await env.DB.prepare(query).first('value');
	if (value === null) throw new Error(`Nothing is found by ${query}`);
	return value;
}

export async function findIds(query: string): Promise<readonly number[]> {
	const { results } = await env.DB.prepare(query).all<{ id: number }>();
	return results.map(({ id }) => id);
}
