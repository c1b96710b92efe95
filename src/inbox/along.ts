import { commit, type Database, decideUntilSettled, isRaced, type Read, runBatch, type Statement } from '../db/client.ts';

/** What the caller of a verb has written in the very batch of the verb's own writes. */
export interface Along<Receipt> {
	/** For what the verb is about to answer. */
	readonly statements: (receipt: Receipt) => readonly Statement[];
	/** Told, after the commit, what those statements gave. */
	readonly written: (answers: readonly unknown[]) => void;
	/** Whether the batch was refused because of them: the verb cannot help it by deciding anew. */
	readonly isOvertaken: (error: unknown) => boolean;
}

/** The writes of a verb and what goes along, in one batch. */
export async function writeAlong<Receipt>(
	db: Database,
	writes: readonly Statement[],
	along: Along<Receipt> | undefined,
	receipt: Receipt,
): Promise<void> {
	const answers = await runBatch(db, [...writes, ...(along?.statements(receipt) ?? [])]);
	along?.written(answers.slice(writes.length));
}

/** As `commit`, with what goes along. */
export function commitAlong<Receipt, Last extends Read>(
	db: Database,
	writes: readonly Statement[],
	along: Along<Receipt> | undefined,
	receipt: Receipt,
	last: Last,
) {
	const beside = along?.statements(receipt) ?? [];
	return commit(db, [...writes, ...beside], last, (answers) => along?.written(answers.slice(writes.length)));
}

/** Decides anew when another request won; not where what goes along was overtaken: that is for the caller to see to. */
export function decideAlong<Receipt>(
	along: Pick<Along<never>, 'isOvertaken'> | undefined,
	decide: () => Promise<Receipt>,
): Promise<Receipt> {
	return decideUntilSettled(decide, (error) => isRaced(error) && along?.isOvertaken(error) !== true);
}
