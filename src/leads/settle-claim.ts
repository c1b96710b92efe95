import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import type { KnownCustomer } from '../domain/attribution/attribution.ts';

// A backend's lead settles a claimed key (decision 4). Both statements abort their batch if the customer has changed since the read, for
// example by buying.

interface Claimant extends KnownCustomer {
	readonly programId: number;
}

/** The backend has reported the same click. */
export async function confirmKey(ctx: Context, { id, revision }: Claimant): Promise<void> {
	await write(ctx.db, [removeMark(ctx, { id, revision: revision + 1 })]);
}

/**
 * Removes the key from the page's customer, in the batch that gives it to another. The customer keeps click, partner and figures. Its lead
 * event and webhook deliveries lose the key too, because an erasure by key would no longer find them.
 */
export function releaseKey(ctx: Context, { id, programId, revision }: Claimant): Statement[] {
	return [removeKey(ctx, { id, revision: revision + 1 }), removeKeyOfLead(ctx, { id, programId }), removeKeyOfDeliveries(ctx, { id })];
}

const removeMark = prepare(({ db }, { id, revision }: Placeholders<{ id: number; revision: number }>) =>
	db.run(sql`UPDATE customers SET key_from_page = 0, revision = ${revision} WHERE id = ${id}`),
);

const removeKey = prepare(({ db }, { id, revision }: Placeholders<{ id: number; revision: number }>) =>
	db.run(sql`UPDATE customers SET customer_key = NULL, email = NULL, key_from_page = 0, revision = ${revision} WHERE id = ${id}`),
);

/** A page's lead event has the same time as its customer, and no index finds leads by customer. */
const removeKeyOfLead = prepare(({ db }, { id, programId }: Placeholders<{ id: number; programId: number }>) =>
	db.run(sql`
		UPDATE affiliate_lead_events SET customer_key = NULL
		WHERE program_id = ${programId} AND created_at = (SELECT created_at FROM customers WHERE id = ${id}) AND customer_id = ${id}`),
);

const removeKeyOfDeliveries = prepare(({ db, now }, { id }: Placeholders<{ id: number }>) =>
	db.run(sql`
		UPDATE webhook_deliveries SET erased_at = ${now}, last_response = NULL, payload = json_replace(payload, '$.data.customer_key', NULL)
		WHERE customer_id = ${id}`),
);
