import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { Search } from './search.ts';

// Redacts webhook deliveries, sent or due, in the batch that erases the rows.

const saleOf = sql`coalesce(payload ->> '$.data.sale.id', iif(type = 'sale.created', subject_id, NULL))`;
const refundOf = sql`coalesce(payload ->> '$.data.refund.id', iif(type = 'refund.created', subject_id, NULL))`;

/** Runs after customers, sales and refunds are erased, because it copies the ids that they keep. */
export function redactCustomerDeliveries({ db, now }: Context, ids: string, pseudonyms: Search['pseudonyms']): Statement[] {
	const transactionId = sql`(SELECT processor_event_id FROM affiliate_sale_events WHERE id = ${saleOf})`;
	const refundId = sql`(SELECT refund_id FROM refund_events WHERE id = ${refundOf})`;
	return [
		db.run(sql`
			UPDATE webhook_deliveries SET erased_at = ${now}, last_response = NULL, payload = json_replace(payload,
				'$.data.customer_key', NULL, '$.data.customer.customer_key', NULL, '$.data.click_id', NULL, '$.data.subscription_id', NULL,
				'$.data.transaction_id', ${transactionId}, '$.data.sale.transaction_id', ${transactionId},
				'$.data.refund_id', ${refundId}, '$.data.refund.refund_id', ${refundId},
				'$.data.reason', NULL, '$.data.refund.reason', NULL, '$.data.rejection_reason', NULL)
			WHERE customer_id IN (SELECT value FROM json_each(${ids}))`),
		// Others who share the click keep their data, except its id.
		db.run(sql`
			UPDATE webhook_deliveries SET erased_at = ${now}, last_response = NULL, payload = json_replace(payload, '$.data.click_id', NULL)
			WHERE payload ->> '$.data.click_id' IN (SELECT value ->> 0 FROM json_each(${JSON.stringify(pseudonyms)}))
				AND customer_id IN (SELECT c.id FROM json_each(${JSON.stringify(pseudonyms)}) AS p JOIN customers c ON c.click_id = p.value ->> 1)`),
	];
}

export function redactPartnerDeliveries({ db, now }: Context, partnerIds: SQL): Statement {
	return db.run(sql`
		UPDATE webhook_deliveries SET erased_at = ${now}, last_response = NULL, payload = json_replace(payload,
			'$.data.partner.name', 'Erased partner', '$.data.name', 'Erased partner', '$.data.email', NULL, '$.data.status_reason', NULL)
		WHERE partner_id IN ${partnerIds}`);
}

/** Finds applications by their operation id. */
export function redactApplicationDeliveries({ db, now }: Context, ids: SQL): Statement {
	return db.run(sql`
		UPDATE webhook_deliveries SET erased_at = ${now}, last_response = NULL, payload = json_replace(payload,
			'$.data.name', 'Erased applicant', '$.data.email', NULL, '$.data.website', NULL)
		WHERE (endpoint_id, operation) IN (
			SELECT e.id, a.op_id FROM partner_applications a JOIN webhook_endpoints e ON e.program_id = a.program_id WHERE a.id IN (${ids}))`);
}
