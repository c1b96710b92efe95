import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { manyEarned } from '../../testing/many-earned.ts';
import { deliver } from './deliver.ts';
import { callWith } from './bindings.ts';
import { holdingQueue } from '../../testing/queues.ts';
import type { Shop } from './ledger.ts';
import { type Answer, api, unique } from './world.ts';

// The test delivers the slices of pay runs.

export interface TestRun {
	readonly id: number;
	readonly kind: string;
	readonly state: string;
	readonly filter: Readonly<Record<string, unknown>>;
	readonly expected_count: number;
	readonly counts: Readonly<Record<string, number>>;
	readonly sums: Readonly<Record<string, number>>;
	readonly finished_at: string | null;
	readonly failure_reason: string | null;
}

export interface TestResult {
	readonly partner: { readonly id: number; readonly name: string };
	readonly currency: string;
	readonly outcome: string;
	readonly payout_id: number | null;
	readonly amount_cents: number;
	readonly recovered_cents: number;
	readonly commissions: number;
	readonly commissions_left: number;
}

/** Approved commissions, by SQL. Returns the transactions, `<prefix>-1` first. */
export async function fillShop(shop: Shop, size: { readonly partners: number; readonly commissions: number }): Promise<string[]> {
	const prefix = unique('many');
	const statements = manyEarned({ programId: shop.id, prefix, now: Date.now() - 60_000, ...size });
	await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
	return Array.from({ length: size.commissions }, (_, index) => `${prefix}-${index + 1}`);
}

/** The run's message is not delivered. */
export async function startRun(shop: Shop, body: object = {}): Promise<TestRun> {
	const answer = await callWith({ EFFECTS: holdingQueue() }, `${shop.path}/payouts/runs`, { token: shop.owner.token, body });
	expect(answer.status, JSON.stringify(answer.body)).toBe(202);
	const started: { readonly data: { readonly id: number } } = JSON.parse(JSON.stringify(answer.body));
	return readRun(shop, started.data.id);
}

export async function readRun(shop: Shop, id: number): Promise<TestRun> {
	const answer = await api<TestRun>(`${shop.path}/runs/${id}`, { token: shop.owner.token });
	expect(answer.status, answer.text).toBe(200);
	return answer.body.data;
}

/** Delivers the run's message once, without the messages that it causes. */
export async function deliverSlice(shop: Shop, { id }: Pick<TestRun, 'id'>, bindings: Partial<Env> = {}): Promise<void> {
	const message = { body: { version: 1, kind: 'run', programId: shop.id, runId: id } };
	await deliver('affiliate-effects', [message], { EFFECTS: holdingQueue(), ...bindings });
}

export async function finishRun(shop: Shop, run: Pick<TestRun, 'id'>): Promise<TestRun> {
	for (;;) {
		await deliverSlice(shop, run);
		const now = await readRun(shop, run.id);
		if (now.state !== 'running') return now;
	}
}

export async function resultsOf(shop: Shop, { id }: Pick<TestRun, 'id'>): Promise<TestResult[]> {
	const results: TestResult[] = [];
	for (let cursor: string | null = ''; cursor !== null;) {
		const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
		const answer: Answer<TestResult[]> = await api<TestResult[]>(`${shop.path}/runs/${id}/results?limit=100${after}`, {
			token: shop.owner.token,
		});
		expect(answer.status, answer.text).toBe(200);
		results.push(...answer.body.data);
		cursor = answer.body.meta.next_cursor;
	}
	return results;
}
