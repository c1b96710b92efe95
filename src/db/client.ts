import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';

export type Database = DrizzleD1Database;
export type Statement = BatchItem<'sqlite'>;

/** How often a batch is sent when D1 loses the connection. */
const ATTEMPTS = 3;
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
): Promise<BatchResponse<Statements>> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await db.batch(statements);
		} catch (error) {
			if (attempt === ATTEMPTS || !RETRYABLE.test(messageOf(error))) throw error;
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

/** Whether another request changed, between read and write, a row that this one decided upon. */
export function isStale(error: unknown): boolean {
	return refusedWith(error, 'stale revision');
}

/** The messages of an error and its causes: Drizzle wraps D1's. */
function messageOf(error: unknown): string {
	return error instanceof Error ? `${error.message} ${messageOf(error.cause)}` : '';
}
