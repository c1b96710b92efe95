import { drizzle } from 'drizzle-orm/d1';
import { Overtaken } from '../overtaken.ts';
import {
	type AnswerOf,
	askedOf,
	type Binding,
	type Bound,
	boundOf,
	type Database,
	type Found,
	foundOf,
	isBound,
	type Reads,
	type Statement,
} from './statement.ts';

export type { Database, Found, Read, Reads, Statement } from './statement.ts';

/** How often a batch is sent if D1 loses the connection. */
const ATTEMPTS = 3;
/** The most attempts to decide a request. The second usually succeeds. */
export const DECISIONS = 14;
/** The longest pause before the second attempt. It doubles each time, so that even a hundred concurrent requests all succeed. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 4000;
const RETRYABLE =
	/network connection lost|storage caused object to be reset|reset because its code was updated|cannot resolve d1|overloaded|d1_error: internal error|starting up d1/i;

export function openDatabase(binding: Binding): Database {
	// Drizzle's type requires a whole binding, but it uses only these two methods.
	return drizzle(binding as D1Database);
}

/** One round trip. Reads that were prepared together are sent as one statement. */
export async function read<Wanted extends Reads | Bound>(db: Database, reads: Wanted): Promise<AnswerOf<Wanted>>;
export async function read(db: Database, reads: Reads | Bound): Promise<unknown> {
	if (!isBound(reads)) return write(db, [], reads);
	return reads.read(await send(() => bind(db, reads).all()));
}

/**
 * One round trip and one transaction; the named reads run last. If the connection is lost, the batch is sent again, even if it was
 * committed. So a revision or unique key must refuse a repeated write, and the caller then recognises its own op_id.
 */
export async function write<Answers extends Reads>(
	db: Database,
	statements: readonly Statement[],
	answers?: Answers,
): Promise<Found<Answers>>;
export async function write(db: Database, statements: readonly Statement[], answers: Reads = {}): Promise<Found<Reads>> {
	return (await measured(db, statements, answers)).found;
}

/** Also returns the database's size in bytes, or undefined if the platform does not report it. */
export async function readMeasured<Wanted extends Reads>(
	db: Database,
	reads: Wanted,
): Promise<{ readonly found: Found<Wanted>; readonly bytes: number | undefined }>;
export async function readMeasured(db: Database, reads: Reads): Promise<Measured> {
	return measured(db, [], reads);
}

interface Measured {
	readonly found: Found<Reads>;
	readonly bytes: number | undefined;
}

async function measured(db: Database, statements: readonly Statement[], answers: Reads): Promise<Measured> {
	const reads = askedOf(answers);
	const sent = [...statements.map((statement) => boundOf(statement)), ...reads.map(({ bound }) => bound)];
	const prepared = sent.map((bound) => bind(db, bound));
	const results = sent.length === 0 ? [] : await send(() => db.$client.batch<Record<string, unknown>>(prepared));
	const answered = results.slice(statements.length).map((result, index) => reads[index]?.bound.read(result));
	return { found: foundOf(answers, answered), bytes: results.at(-1)?.meta.size_after };
}

function bind(db: Database, { alone, params }: Bound): D1PreparedStatement {
	return db.$client.prepare(alone).bind(...params);
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

/**
 * Decides again if another request changed a row that the decision depends on, or took a unique value. Every conflict means that another
 * request succeeded, and random pauses keep requests from conflicting forever. `attempt` starts at 1. Rejects with Overtaken after the last
 * attempt.
 */
export async function retryOnConflict<Receipt>(
	decide: (attempt: number) => Promise<Receipt>,
	isOvertaken: (error: unknown) => boolean = isRaced,
): Promise<Receipt> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await decide(attempt);
		} catch (error) {
			if (!isOvertaken(error)) throw error;
			if (attempt === DECISIONS) throw new Overtaken(error);
		}
		await pause(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS));
	}
}

function pause(delayMs: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** Whether the batch failed on a UNIQUE constraint over this column, for example `affiliate_sale_events.op_id`. */
export function violates(error: unknown, column: string): boolean {
	const message = messageOf(error);
	return message.includes('UNIQUE constraint failed') && message.includes(column);
}

/** Whether a trigger refused the batch with this text. */
export function refusedWith(error: unknown, text: string): boolean {
	return messageOf(error).includes(text);
}

/** Whether another request changed a row, took the same unique value, or recorded the first sale of the same subscription. */
export function isRaced(error: unknown): boolean {
	return (
		isStale(error) ||
		refusedWith(error, 'UNIQUE constraint failed') ||
		refusedWith(error, 'NOT NULL constraint failed: affiliate_sale_events.op_id')
	);
}

/**
 * Whether another request changed a row between the read and the write. The trigger on a customer's attribution may fire before the one on
 * its revision.
 */
export function isStale(error: unknown): boolean {
	return refusedWith(error, 'stale revision') || refusedWith(error, 'customers: status and attribution never go back');
}

/** Includes the causes, because Drizzle wraps D1's errors. */
function messageOf(error: unknown): string {
	return error instanceof Error ? `${error.message} ${messageOf(error.cause)}` : '';
}
