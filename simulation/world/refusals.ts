import { Rejection } from '../../src/domain/rejection.ts';
import type { Answer } from './journal.ts';

/** A refusal is final; anything else that was thrown is a fault. */
export function refusalOf(error: unknown): Answer<never> {
	return error instanceof Rejection ? { state: 'rejected', rejection: error } : { state: 'faulted', error };
}

/** An error and its causes in one line. */
export function describe(error: unknown): string {
	return error instanceof Error ? `${error.message}${error.cause === undefined ? '' : ` <- ${describe(error.cause)}`}` : String(error);
}
