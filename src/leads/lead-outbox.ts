import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type CustomerReference, isCustomer } from '../customers/write-customer.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import type { MetricDelta } from '../domain/reporting/metric-deltas.ts';
import type { NewOutboxRow } from '../outbox/outbox.ts';

/** Holds the customer's values at this point of the batch. */
export function insertLeadOutbox(ctx: Context, { moves, ...row }: LeadRow & { readonly moves: readonly MetricDelta[] }) {
	return insertOfLead(ctx, { ...row, moves: JSON.stringify(moves) });
}

interface LeadRow extends CustomerReference {
	readonly programId: number;
	readonly id: string;
}

const insertOfLead = prepare(({ db, now }, params: Placeholders<NewOutboxRow & LeadRow>) =>
	db.run(sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, moves, referral_link_id, country, source, created_at)
		SELECT program_id, ${params.id}, 'lead_recorded', id, ${params.moves}, referral_link_id, country, source, ${now}
		FROM customers WHERE ${isCustomer(params.programId, params)} LIMIT 1`),
);
