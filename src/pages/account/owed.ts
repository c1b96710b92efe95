import { ApiError } from '../api.ts';

/** What a program owes, in one currency. */
export interface Owed {
	readonly program: { readonly id: number; readonly name: string };
	readonly currency: string;
	readonly unpaid_cents: number;
	readonly on_its_way_cents: number;
}

/** The sums of a refused deletion; undefined if it was refused for another reason. */
export function owedIn(error: unknown): readonly Owed[] | undefined {
	if (!(error instanceof ApiError) || error.status !== 409 || !isOwing(error.answer)) return undefined;
	return error.answer.owed;
}

function isOwing(answer: unknown): answer is { readonly owed: readonly Owed[] } {
	return typeof answer === 'object' && answer !== null && 'owed' in answer && Array.isArray(answer.owed);
}
