import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import type { outbox } from '../db/schema/work.ts';

export interface PostbackCause {
	readonly id: string;
	readonly kind: (typeof outbox.$inferSelect)['kind'];
	readonly subjectId: number;
}

const KINDS = [
	'lead_recorded',
	'commission_created',
	'sale_refunded',
	'commission_rejected',
] as const satisfies readonly PostbackCause['kind'][];

/** Belongs in the batch that deletes the outbox rows, so that each postback is recorded only once. */
export function snapshotPostbacks(ctx: Context, rows: readonly PostbackCause[]) {
	const causes = rows.filter(({ kind }) => KINDS.some((one) => one === kind));
	if (causes.length === 0) return undefined;
	return insertPostbacks(ctx, { rows: JSON.stringify(causes.map(({ kind, id, subjectId }) => [kind, id, subjectId])) });
}

const insertPostbacks = prepare(({ db, now }, { rows }: Placeholders<{ rows: string }>) =>
	db.all<{ id: number }>(sql`
		INSERT INTO postback_deliveries (postback_id, operation, event, subject_id, is_test, customer_id, amount_cents, currency, state, next_attempt_at, created_at)
		WITH causes AS MATERIALIZED (
			SELECT value ->> 0 AS kind, value ->> 1 AS operation, value ->> 2 AS subject_id FROM json_each(${rows})
		)
		SELECT b.id, happened.operation, happened.event, happened.subject_id, 0, happened.customer_id, happened.amount_cents, coalesce(happened.currency, p.currency),
			'pending', ${now}, ${now}
		FROM (
			SELECT 'lead' AS operation, 'lead' AS event, t.subject_id, c.id AS customer_id, 0 AS amount_cents, NULL AS currency, c.partner_program_id
			FROM causes t CROSS JOIN customers c ON c.id = t.subject_id WHERE t.kind = 'lead_recorded'
			UNION ALL
			SELECT t.operation, 'sale', t.subject_id, s.customer_id, m.amount_cents, m.currency, m.partner_program_id
			FROM causes t CROSS JOIN commissions m ON m.id = t.subject_id CROSS JOIN affiliate_sale_events s ON s.id = m.sale_id
			WHERE t.kind = 'commission_created'
			UNION ALL
			SELECT t.operation, iif(r.outcome = 'reinstated', 'reinstated', 'reversed'), t.subject_id, s.customer_id, r.deduction_cents, m.currency,
				m.partner_program_id
			FROM causes t CROSS JOIN refund_events r ON r.id = t.subject_id CROSS JOIN commissions m ON m.sale_id = r.sale_id
			CROSS JOIN affiliate_sale_events s ON s.id = r.sale_id
			WHERE t.kind = 'sale_refunded' AND r.deduction_cents > 0
			UNION ALL
			SELECT t.operation, 'reversed', t.subject_id, s.customer_id, m.amount_cents - m.deducted_cents, m.currency, m.partner_program_id
			FROM causes t CROSS JOIN commissions m ON m.id = t.subject_id CROSS JOIN affiliate_sale_events s ON s.id = m.sale_id
			WHERE t.kind = 'commission_rejected'
		) AS happened
		CROSS JOIN postbacks b ON b.partner_program_id = happened.partner_program_id AND b.deleted_at IS NULL AND b.disabled_at IS NULL
		CROSS JOIN partner_programs pp ON pp.id = b.partner_program_id AND pp.status <> 'ended'
		CROSS JOIN programs p ON p.id = pp.program_id AND p.partner_postbacks = 1
		WHERE EXISTS (SELECT 1 FROM json_each(b.events) AS subscribed WHERE subscribed.value = happened.event)
		-- A lead whose click came after its sign-up has two rows.
		ON CONFLICT DO NOTHING
		RETURNING id`),
);
