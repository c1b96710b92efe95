import type { SQL } from 'drizzle-orm';
import { isRaced, type Statement } from '../db/client.ts';
import { isOfErased } from '../customers/erased-ids.ts';
import type { OutboxKey } from '../outbox/outbox.ts';

/** What is to be written, in one batch, and what will have come of it once that is committed. */
export interface Plan<Outcome> {
	readonly outcome: Outcome;
	readonly writes: readonly Statement[];
	/** Rows of the outbox that are among it. */
	readonly effects: readonly OutboxKey[];
	/** The sale that is among it. */
	readonly made?: MadeSale;
	/** The same without the commission of that sale, for where it cannot be made (decision 13): told why. */
	readonly owing?: ((fault: unknown) => Plan<Outcome>) | undefined;
}

/** The ids of a sale that the batch makes, for its later statements. */
export interface MadeSale {
	readonly saleId: SQL<number>;
	readonly commissionId: SQL<number> | null;
}

/** The same plan with another word for its outcome. */
export function mapOutcome<From, To>(plan: Plan<From>, map: (outcome: From) => To): Plan<To> {
	const { owing } = plan;
	return { ...plan, outcome: map(plan.outcome), owing: owing && ((fault) => mapOutcome(owing(fault), map)) };
}

/** Nothing is to be written. */
export function planNothing<Outcome>(outcome: Outcome): Plan<Outcome> {
	return { outcome, writes: [], effects: [] };
}

/**
 * Commits a plan, in the words of the caller. Where the commission of its sale cannot be made, the sale is stored alone, and
 * repairCommissions makes the commission later (decision 13).
 */
export async function commitPlan<Planned extends { readonly owing?: ((fault: unknown) => Planned) | undefined }, Answer>(
	plan: Planned,
	commit: (plan: Planned) => Promise<Answer>,
): Promise<Answer> {
	try {
		return await commit(plan);
	} catch (error) {
		if (!plan.owing || isRaced(error) || isOfErased(error)) throw error;
		return commit(plan.owing(error));
	}
}
