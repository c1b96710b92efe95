import { type SQL, sql } from 'drizzle-orm';

// SQL that builds a delivery's `data` as JSON, with the management API's fields except secrets. Aliases: customer `cu`, membership `pp` of
// partner `p`, sale `s`, commission `c`, refund `r`, payout `o`, application `a`.

/** ms since the epoch as ISO 8601 in UTC. Null stays null. */
export function iso(instant: SQL): SQL {
	return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${instant} / 1000.0, 'unixepoch')`;
}

/** `iif` loses the JSON type. */
const partner = sql`json(iif(p.id IS NULL, NULL, json_object('id', p.id, 'name', p.name)))`;
const customer = sql`json(iif(cu.id IS NULL, NULL, json_object('id', cu.id, 'customer_key', cu.customer_key)))`;

const saleFields = sql`
	'id', s.id, 'transaction_id', s.processor_event_id, 'amount_cents', s.amount_cents, 'refunded_cents', s.refunded_cents,
	'currency', s.currency, 'product_id', s.product_id, 'created_at', ${iso(sql`s.created_at`)}`;
const sale = sql`json_object(${saleFields})`;

const commissionFields = sql`
	'id', c.id, 'status', c.status, 'amount_cents', c.amount_cents, 'deducted_cents', c.deducted_cents, 'currency', c.currency`;
const wholeCommission = sql`
	${commissionFields}, 'partner', ${partner}, 'customer', ${customer}, 'sale', ${sale}, 'rejection_reason', c.rejection_reason,
	'hold_until', ${iso(sql`c.hold_until`)}, 'created_at', ${iso(sql`c.created_at`)}`;

const refundFields = sql`
	'id', r.id, 'refund_id', r.refund_id, 'amount_cents', r.amount_cents, 'currency', s.currency, 'deduction_cents', r.deduction_cents,
	'outcome', r.outcome, 'reason', r.reason`;

export const jsonOf = {
	lead: sql`json_object(
		'id', cu.id, 'customer_key', cu.customer_key, 'status', cu.status, 'click_id', cu.click_id, 'partner', ${partner},
		'created_at', ${iso(sql`cu.created_at`)})`,
	saleWithCommission: sql`json_object(
		${saleFields}, 'subscription_id', s.subscription_id, 'customer', ${customer}, 'partner', ${partner},
		'commission', json(iif(c.id IS NULL, NULL, json_object(${commissionFields}))))`,
	commission: sql`json_object(${wholeCommission})`,
	commissionWithRefund: sql`json_object(${wholeCommission}, 'refund', json_object(${refundFields}))`,
	refund: sql`json_object(
		${refundFields}, 'source', r.source, 'sale', ${sale}, 'customer', ${customer}, 'partner', ${partner},
		'created_at', ${iso(sql`r.created_at`)})`,
	payout: sql`json_object(
		'id', o.id, 'status', CASE
			WHEN o.failed_at IS NOT NULL THEN 'failed' WHEN o.sent_at IS NOT NULL THEN 'sent' WHEN o.amount_cents = 0 THEN 'settled' ELSE 'made' END,
		'partner', ${partner}, 'currency', o.currency, 'amount_cents', o.amount_cents, 'recovered_cents', o.recovered_cents,
		'surplus_cents', o.surplus_cents, 'created_at', ${iso(sql`o.created_at`)}, 'sent_at', ${iso(sql`o.sent_at`)},
		'reference', o.sent_reference, 'failed_at', ${iso(sql`o.failed_at`)}, 'failure_reason', o.failure_reason)`,
	application: sql`json_object(
		'id', a.id, 'status', a.status, 'name', a.name, 'email', a.email, 'website', a.website, 'created_at', ${iso(sql`a.created_at`)})`,
	member: sql`json_object(
		'id', p.id, 'name', p.name, 'partner_program_id', pp.id, 'email', p.email, 'created_at', ${iso(sql`pp.created_at`)},
		'status', pp.status, 'status_reason', pp.status_reason)`,
} as const;
