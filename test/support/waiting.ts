import { bearer, trackWith } from './bindings.ts';
import { deliver, holdingQueue } from './deliver.ts';
import { type Funnel, rows } from './funnel.ts';
import { unique } from './world.ts';

// What waits of a program: the rows of its outbox, given their effect when a test says so.

/** Gives rows of the program that wait their effect, in one batch: all of them, or those that are chosen. */
export async function applyWaiting({ id }: Pick<Funnel, 'id'>, chooses: (index: number) => boolean = () => true): Promise<void> {
	const waiting = await rows<{ id: string }>('SELECT id FROM outbox WHERE program_id = ? ORDER BY created_at, id', id);
	const chosen = waiting.filter((_, index) => chooses(index)).map((row) => [id, row.id]);
	if (chosen.length === 0) return;
	const { retried } = await deliver('affiliate-effects', [{ body: { version: 2, kind: 'effects', rows: chosen } }]);
	if (retried.length > 0) throw new Error('Moves were not applied');
}

/** How many of them wait. */
export async function countWaiting({ id }: Pick<Funnel, 'id'>): Promise<number> {
	return (await rows('SELECT 1 FROM outbox WHERE program_id = ?', id)).length;
}

/** A sale of 100.00 whose effects nobody is told of: they wait until they are applied, or for the tick. */
export async function aWaitingSale(funnel: Funnel, sale: Record<string, unknown>): Promise<string> {
	const request = { transaction_id: unique('txn'), amount_cents: 10_000, ...sale };
	const { status, body } = await trackWith({ EFFECTS: holdingQueue() }, 'sale', request, bearer(funnel.apiToken));
	if (status !== 200) throw new Error(`The sale answered ${status}: ${JSON.stringify(body)}`);
	return request.transaction_id;
}
