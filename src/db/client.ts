import { Column, is } from 'drizzle-orm';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';

export type Database = DrizzleD1Database & { $client: D1Database };
export type Statement = BatchItem<'sqlite'>;
/** A statement that gives rows. */
export type Read = Statement & PromiseLike<unknown[]>;
/** What readTogether answers. */
export type Found<Reads> = { [Name in keyof Reads]: Awaited<NonNullable<Reads[Name]>> };

/** How often a batch is sent when D1 loses the connection. */
const ATTEMPTS = 3;
/** How often a request decides anew. Requests that race for one row settle one per round. */
const DECISIONS = 200;
const RETRYABLE =
	/network connection lost|storage caused object to be reset|reset because its code was updated|cannot resolve d1|overloaded|d1_error: internal error|starting up d1/i;

export function openDatabase(binding: D1Database): Database {
	return drizzle(binding);
}

/**
 * One trip, one transaction. Sent again where the connection was lost: the answer may be lost after the commit, so every
 * write batch carries an op_id under a UNIQUE constraint, and its verb recognises its own work (see violates).
 */
export async function runBatch<const Statements extends readonly [Statement, ...Statement[]]>(
	db: Database,
	statements: Statements,
): Promise<BatchResponse<Statements>>;
export async function runBatch(db: Database, statements: readonly Statement[]): Promise<unknown[]>;
export async function runBatch(db: Database, statements: readonly Statement[]): Promise<unknown[]> {
	if (statements.length === 0) return [];
	const prepared = statements.map((statement) => prepare(db, statement));
	for (let attempt = 1; ; attempt += 1) {
		try {
			const answers = await db.$client.batch(prepared.map(({ bound }) => bound));
			return prepared.map(({ read }, index) => read(answers[index]));
		} catch (error) {
			if (attempt === ATTEMPTS || !RETRYABLE.test(messageOf(error))) throw error;
		}
	}
}

/** What Drizzle knows of a statement; not all of it is in its public types. */
interface DrizzleQuery {
	getQuery(): { sql: string; params: unknown[] };
	mapResult(answer: unknown, isFromBatch: true): unknown;
	readonly fields?: readonly { readonly field: unknown }[];
}

/**
 * Binds a statement for D1's batch(). Drizzle's own batch() cannot bind raw statements with parameters, and mixes up the
 * columns of a join where two have one name, as D1 answers batches with objects: here such columns get names of their own.
 */
function prepare(db: Database, statement: Statement): { bound: D1PreparedStatement; read: (answer: unknown) => unknown } {
	const query = (statement as unknown as { _prepare(): DrizzleQuery })._prepare();
	const { sql, params } = query.getQuery();
	const { fields } = query;
	const text =
		fields && !hasOwnNames(fields)
			? `WITH found (${fields.map((_, index) => `c${index}`).join(', ')}) AS (${sql}) SELECT * FROM found`
			: sql;
	return { bound: db.$client.prepare(text).bind(...params), read: (answer) => query.mapResult(answer, true) };
}

function hasOwnNames(fields: readonly { readonly field: unknown }[]): boolean {
	const names = fields.map(({ field }) => (is(field, Column) ? field.name : undefined));
	return fields.length < 2 || (!names.includes(undefined) && new Set(names).size === names.length);
}

/** Several reads in one trip, by name; what is left undefined is not asked and found empty. */
export async function readTogether<Reads extends Record<string, Read | undefined>>(db: Database, reads: Reads): Promise<Found<Reads>> {
	const asked = Object.entries(reads).filter((entry): entry is [string, Read] => entry[1] !== undefined);
	const [first, ...rest] = asked.map(([, read]) => read);
	const answers: readonly unknown[] = first ? await runBatch(db, [first, ...rest]) : [];
	const found = Object.fromEntries(Object.keys(reads).map((name) => [name, answers[asked.findIndex(([asker]) => asker === name)] ?? []]));
	return found as Found<Reads>;
}

/** The writes and, last, a statement whose rows are returned: one trip, one transaction. */
export async function commit<Last extends Read>(
	db: Database,
	writes: readonly Statement[],
	last: Last,
	/** Told what the writes gave. */
	written: (answers: readonly unknown[]) => void = () => undefined,
): Promise<Awaited<Last>> {
	const answers: readonly unknown[] = await runBatch(db, [...writes, last]);
	written(answers.slice(0, -1));
	return answers.at(-1) as Awaited<Last>;
}

/**
 * Decides anew when another request has changed, between read and write, a row that the decision rests on, or has taken
 * a unique value. Each failed attempt means that some other one succeeded; `attempt` counts from 1.
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
	}
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

/** Whether another request won: it changed a row that this one decided upon, or took the same unique value. */
export function isRaced(error: unknown): boolean {
	return isStale(error) || refusedWith(error, 'UNIQUE constraint failed');
}

/** Whether another request changed, between read and write, a row that this one decided upon. */
export function isStale(error: unknown): boolean {
	return refusedWith(error, 'stale revision');
}

/** The messages of an error and its causes: Drizzle wraps D1's. */
function messageOf(error: unknown): string {
	return error instanceof Error ? `${error.message} ${messageOf(error.cause)}` : '';
}
