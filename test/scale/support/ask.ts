import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { atInstant } from '../../support/at-instant.ts';
import worker from '../../../src/index.ts';
import { eachLimit, UNLIMITED } from '../../../testing/limits.ts';
import { holdingQueue } from '../../../testing/queues.ts';
import { rowsAnswered } from '../../../testing/scale/budget.ts';
import { recorded, type Sending } from '../../../testing/scale/recorded.ts';
import type { Asked, Caller } from '../../../testing/scale/asked.ts';
import { BUSY_TOKEN, OWNER_TOKEN, PROGRAM_KEY, QUIET_TOKEN } from '../../../testing/scale/size.ts';
import { NOW } from './filled.ts';

const TOKENS: Readonly<Record<Caller, string | undefined>> = {
	owner: OWNER_TOKEN,
	busy: BUSY_TOKEN,
	quiet: QUIET_TOKEN,
	key: PROGRAM_KEY,
	nobody: undefined,
};

/** What a request, a message or a job asked of the database. */
export interface Measured {
	readonly name: string;
	/** What its budget is for: rows that it answered, or changed. */
	readonly rows: number;
	readonly sendings: readonly Sending[];
}

export interface Answered extends Measured {
	readonly status: number;
	readonly text: string;
}

export async function ask({ as, path, isCsv }: Asked): Promise<Answered> {
	const headers = new Headers({ Accept: isCsv ? 'text/csv' : 'application/json' });
	const token = TOKENS[as];
	if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
	const { response, text, sendings } = await send(new Request(`http://service.test${path}`, { headers, redirect: 'manual' }));
	const name = `${isCsv ? 'CSV ' : ''}${path} (${as})`;
	return { name, status: response.status, text, sendings, rows: rowsAnswered(response.headers.get('Content-Type'), text) };
}

/** Answered by the Worker at that moment, with what follows the answer; its messages stay where they are. */
async function send(
	request: Request,
): Promise<{ readonly response: Response; readonly text: string; readonly sendings: readonly Sending[] }> {
	const DB = recorded(env.DB);
	const queues = { CLICKS: holdingQueue(), EFFECTS: holdingQueue(), WEBHOOKS: holdingQueue() };
	const execution = createExecutionContext();
	return atInstant(NOW, async () => {
		const response = await worker.fetch(request, { ...env, ...eachLimit(UNLIMITED), ...queues, DB }, execution);
		const text = await response.text();
		await waitOnExecutionContext(execution);
		return { response, text, sendings: DB.sendings };
	});
}
