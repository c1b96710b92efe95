import type { SQL } from 'drizzle-orm';
import { isRaced, type Statement } from '../db/client.ts';
import { isOfErased } from '../customers/erased-ids.ts';
import type { OutboxKey } from '../outbox/outbox.ts';

/** The writes of one batch, and the outcome after the commit. */
export interface Plan<Outcome> {
	readonly outcome: Outcome;
	readonly writes: readonly Statement[];
	/** The outbox rows in the batch. */
	readonly effects: readonly OutboxKey[];
	readonly made?: MadeSale;
	/** The plan without the sale's commission, if that cannot be created (decision 13). */
	readonly owing?: ((fault: unknown) => Plan<Outcome>) | undefined;
}

/** The ids of the batch's new sale, for its later statements. */
export interface MadeSale {
	readonly saleId: SQL<number>;
	readonly commissionId: SQL<number> | null;
}

export function mapOutcome<From, To>(plan: Plan<From>, map: (outcome: From) => To): Plan<To> {
	const { owing } = plan;
	return { ...plan, outcome: map(plan.outcome), owing: owing && ((fault) => mapOutcome(owing(fault), map)) };
}

export function planNothing<Outcome>(outcome: Outcome): Plan<Outcome> {
	return { outcome, writes: [], effects: [] };
}

/** If the commission cannot be created, stores the sale without it; repairCommissions creates it later (decision 13). */
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
