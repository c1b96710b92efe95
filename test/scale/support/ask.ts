import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { type Context, openContext } from '../../../src/context.ts';
import worker from '../../../src/index.ts';
import { atInstant } from '../../support/at-instant.ts';
import { deliver } from '../../support/deliver.ts';
import { eachLimit, UNLIMITED } from '../../../testing/limits.ts';
import { holdingQueue } from '../../../testing/queues.ts';
import { rowsAnswered } from '../../../testing/scale/budget.ts';
import { recorded, type Sending } from '../../../testing/scale/recorded.ts';
import type { ScaleRequest, Caller } from '../../../testing/scale/cases.ts';
import { BUSY_TOKEN, OWNER_TOKEN, PROGRAM_KEY, QUIET_TOKEN } from '../../../testing/scale/size.ts';
import type { Write } from '../../../testing/scale/writes.ts';
import { NOW } from './filled.ts';

const TOKENS: Readonly<Record<Caller, string | undefined>> = {
	owner: OWNER_TOKEN,
	busy: BUSY_TOKEN,
	quiet: QUIET_TOKEN,
	key: PROGRAM_KEY,
	nobody: undefined,
};

export interface Measured {
	readonly name: string;
	/** Rows that it returned or changed, which determine its budget. */
	readonly rows: number;
	readonly sendings: readonly Sending[];
}

export interface Answered extends Measured {
	readonly status: number;
	readonly text: string;
}

export async function ask({ as, path, isCsv }: ScaleRequest): Promise<Answered> {
	const headers = new Headers({ Accept: isCsv ? 'text/csv' : 'application/json' });
	const token = TOKENS[as];
	if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
	const { response, text, sendings } = await send(new Request(`http://service.test${path}`, { headers, redirect: 'manual' }));
	const name = `${isCsv ? 'CSV ' : ''}${path} (${as})`;
	return { name, status: response.status, text, sendings, rows: rowsAnswered(response.headers.get('Content-Type'), text) };
}

export interface Called {
	readonly status: number;
	readonly text: string;
	readonly batches: readonly Measured[];
	readonly messages: Readonly<Record<'CLICKS' | 'EFFECTS' | 'WEBHOOKS', readonly unknown[]>>;
}

export async function call({ as, method, path, body }: Write): Promise<Called> {
	const headers = new Headers({ 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0 Firefox/140.0' });
	const token = TOKENS[as];
	if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
	const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
	const { response, text, sendings, messages } = await send(new Request(`http://service.test${path}`, init));
	return { status: response.status, text, batches: batchesOf(`${method} ${path}`, sendings), messages };
}

/** Each batch has a budget for the rows that it changes or returns. */
export function batchesOf(name: string, sendings: readonly Sending[]): readonly Measured[] {
	return sendings.map((sending, index) => ({
		name: `${name}, batch ${index + 1}`,
		rows: sending.reduce((sum, { changes, answered }) => sum + Math.max(changes, answered), 0),
		sendings: [sending],
	}));
}

export async function consume(queue: Parameters<typeof deliver>[0], bodies: readonly unknown[]): Promise<readonly Measured[]> {
	const DB = recorded(env.DB);
	const messages = bodies.map((body) => ({ body }));
	const { retried } = await atInstant(NOW, () => deliver(queue, messages, { DB, ...holdingQueues() }));
	if (retried.length > 0) throw new Error(`A message of ${queue} was not settled`);
	return batchesOf(queue, DB.sendings);
}

function holdingQueues() {
	return { CLICKS: holdingQueue(), EFFECTS: holdingQueue(), WEBHOOKS: holdingQueue() };
}

export async function work(name: string, job: (ctx: Context) => Promise<unknown>, now: number): Promise<readonly Measured[]> {
	const DB = recorded(env.DB);
	const execution = createExecutionContext();
	await atInstant(now, () => job(openContext({ ...env, ...holdingQueues(), DB }, execution, now)));
	await waitOnExecutionContext(execution);
	return batchesOf(name, DB.sendings);
}

/** Waits for deferred work. Messages stay in their queues. */
async function send(request: Request) {
	const DB = recorded(env.DB);
	const queues = holdingQueues();
	const execution = createExecutionContext();
	return atInstant(NOW, async () => {
		const response = await worker.fetch(request, { ...env, ...eachLimit(UNLIMITED), ...queues, DB }, execution);
		const text = await response.text();
		await waitOnExecutionContext(execution);
		const messages = { CLICKS: queues.CLICKS.held, EFFECTS: queues.EFFECTS.held, WEBHOOKS: queues.WEBHOOKS.held };
		return { response, text, sendings: DB.sendings, messages };
	});
}
