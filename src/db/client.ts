import { drizzle } from 'drizzle-orm/d1';
import { type AnswerOf, boundOf, type Database, type Found, type Read, type Statement, type Together } from './statement.ts';

export type { Database, Found, Read, Statement } from './statement.ts';

type AnswersOf<Sent extends readonly Statement[]> = { -readonly [Index in keyof Sent]: AnswerOf<Sent[Index]> };

/** How often a batch is sent when D1 loses the connection. */
const ATTEMPTS = 3;
/** How often a request decides at most: mostly the second time settles it. */
export const DECISIONS = 14;
/** The longest pause before the second time; it doubles each time, until a hundred that are settled one by one have room. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 4000;
const RETRYABLE =
	/network connection lost|storage caused object to be reset|reset because its code was updated|cannot resolve d1|overloaded|d1_error: internal error|starting up d1/i;

export function openDatabase(binding: D1Database): Database {
	return drizzle(binding);
}

/**
 * One trip, one transaction. Sent again where the connection was lost: the answer may be lost after the commit, so every
 * write batch meets a revision or something unique when it comes again, and its verb recognises its own work by the op_id.
 */
export async function runBatch<const Statements extends readonly [Statement, ...Statement[]]>(
	db: Database,
	statements: Statements,
): Promise<AnswersOf<Statements>>;
export async function runBatch(db: Database, statements: readonly Statement[]): Promise<unknown[]>;
export async function runBatch(db: Database, statements: readonly Statement[]): Promise<unknown[]> {
	if (statements.length === 0) return [];
	const sent = statements.map((statement) => boundOf(statement));
	const prepared = sent.map(({ alone, params }) => db.$client.prepare(alone).bind(...params));
	const answers = await send(() => db.$client.batch<Record<string, unknown>>(prepared));
	return sent.map(({ columns, read }, index) => {
		const answer = answers[index];
		return read(columns === undefined ? answer : answer?.results.map(Object.values));
	});
}

async function send<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
	for (let count = 1; ; count += 1) {
		try {
			return await attempt();
		} catch (error) {
			if (count === ATTEMPTS || !RETRYABLE.test(messageOf(error))) throw error;
		}
	}
}

/** Several reads in one trip, by name; what is left undefined is not asked and found empty. */
export async function readTogether<Reads extends Readonly<Record<string, Read | undefined>>>(
	db: Database,
	reads: Reads,
): Promise<Found<Reads>> {
	const asked = Object.entries(reads).flatMap(([name, read]) => (read ? [{ name, read }] : []));
	const answers = await runBatch(
		db,
		asked.map(({ read }): Statement => read),
	);
	const nothing = Object.keys(reads).map((name) => [name, []]);
	return Object.fromEntries([...nothing, ...asked.map(({ name }, index) => [name, answers[index]])]) as Found<Reads>;
}

/** Reads that are put together in one statement: see prepareReads. */
export async function readBound<Reads>(db: Database, { sql, readRow }: Together<Reads>, params: readonly unknown[]): Promise<Found<Reads>> {
	const { results } = await send(() =>
		db.$client
			.prepare(sql)
			.bind(...params)
			.all<Record<string, string>>(),
	);
	return readRow(results[0] ?? {});
}

/** The writes and, last, a statement whose rows are returned: one trip, one transaction. */
export async function commit<Last extends Read>(
	db: Database,
	writes: readonly Statement[],
	last: Last,
	/** Told what the writes gave. */
	written: (answers: readonly unknown[]) => void = () => undefined,
): Promise<AnswerOf<Last>> {
	const answers: readonly unknown[] = await runBatch(db, [...writes, last]);
	written(answers.slice(0, -1));
	return answers.at(-1) as AnswerOf<Last>;
}

/**
 * Decides anew when another request has changed, between read and write, a row that the decision rests on, or has taken
 * a unique value. Each failed attempt means that some other one succeeded; `attempt` counts from 1. Pauses of random length draw
 * apart what came at once: without them a hundred requests would keep overtaking each other, and all others would wait.
 */
export async function decideUntilSettled<Receipt>(
	decide: (attempt: number) => Promise<Receipt>,
	isOvertaken: (error: unknown) => boolean = isRaced,
): Promise<Receipt> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await decide(attempt);
		} catch (error) {
			if (attempt === DECISIONS || !isOvertaken(error)) throw error;
		}
		await pause(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS));
	}
}

function pause(delayMs: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** Whether the batch failed on a UNIQUE constraint over this column, e.g. `affiliate_sale_events.op_id`. */
export function violates(error: unknown, column: string): boolean {
	const message = messageOf(error);
	return message.includes('UNIQUE constraint failed') && message.includes(column);
}

/** Whether the batch was refused by a trigger with this text. */
export function refusedWith(error: unknown, text: string): boolean {
	return messageOf(error).includes(text);
}

/**
 * Whether another request won: it changed a row that this one decided upon, took the same unique value, or made the first sale of
 * the same subscription.
 */
export function isRaced(error: unknown): boolean {
	return (
		isStale(error) ||
		refusedWith(error, 'UNIQUE constraint failed') ||
		refusedWith(error, 'NOT NULL constraint failed: affiliate_sale_events.op_id')
	);
}

/** Whether another request changed, between read and write, a row that this one decided upon. */
export function isStale(error: unknown): boolean {
	return refusedWith(error, 'stale revision');
}

/** The messages of an error and its causes: Drizzle wraps D1's. */
function messageOf(error: unknown): string {
	return error instanceof Error ? `${error.message} ${messageOf(error.cause)}` : '';
}
