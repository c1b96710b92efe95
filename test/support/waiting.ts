import { deliver } from './deliver.ts';
import { type Funnel, rows } from './funnel.ts';

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
