import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { PATIENCE_MS } from '../domain/monitoring/processor-checks.ts';
import {
	ARRIVALS,
	COMPARED_SALES,
	EVIDENCE,
	REPORTED_TWICE_MS,
	SAME_PAYMENT_MS,
	type ReportedTwice,
} from '../domain/monitoring/processor-health.ts';

// Parts of the status query. Each reads a bounded number of rows.

/** How many of the newest paid invoices have their bodies read. */
const INVOICES = 10;

const Arrivals = z.array(z.object({ type: z.string(), isTest: z.boolean(), isEvidence: z.boolean() }));

export function selectArrivals(programId: number, now: number): SQL<z.infer<typeof Arrivals>> {
	return sql<z.infer<typeof Arrivals>>`(
		SELECT json_group_array(json_object('type', type, 'isTest', json(iif(is_test, 'true', 'false')), 'isEvidence', json(iif(is_evidence, 'true', 'false'))))
		FROM (
			SELECT type, is_test, max(place <= ${EVIDENCE} AND received_at < ${now - PATIENCE_MS}) AS is_evidence
			FROM (${newestEvents(programId, ARRIVALS)}) GROUP BY type, is_test
		)
	)`.mapWith((json: string) => Arrivals.parse(JSON.parse(json)));
}

const PaidInvoices = z.array(z.object({ apiVersion: z.string(), isTest: z.boolean() }));

/** Only invoices with a positive amount. */
export function selectPaidInvoices(programId: number, now: number): SQL<z.infer<typeof PaidInvoices>> {
	return sql<z.infer<typeof PaidInvoices>>`(
		SELECT json_group_array(json_object('apiVersion', e.payload ->> '$.api_version', 'isTest', json(iif(e.is_test, 'true', 'false'))))
		FROM (
			SELECT id FROM (${newestEvents(programId, EVIDENCE)})
			WHERE type IN ('invoice.paid', 'invoice.payment_succeeded') AND received_at < ${now - PATIENCE_MS} ORDER BY id DESC LIMIT ${INVOICES}
		) newest JOIN processor_events e ON e.id = newest.id
		WHERE typeof(e.payload ->> '$.api_version') = 'text' AND e.payload ->> '$.data.object.amount_paid' > 0
	)`.mapWith((json: string) => PaidInvoices.parse(JSON.parse(json)));
}

function newestEvents(programId: number, limit: number): SQL {
	return sql`
		SELECT id, type, is_test, received_at, row_number() OVER (ORDER BY id DESC) AS place
		FROM (SELECT id, type, is_test, received_at FROM processor_events WHERE program_id = ${programId} ORDER BY id DESC LIMIT ${limit})`;
}

const Pairs = z.object({ pairs: z.number(), transactionIds: z.tuple([z.string(), z.string()]) });

/** Recent sales that were probably reported twice and both count; null if there are none. */
export function selectReportedTwice(programId: number, now: number): SQL<ReportedTwice | null> {
	return sql<ReportedTwice | null>`(
		WITH newest AS MATERIALIZED (
			SELECT id, customer_id, amount_cents, charged_cents, currency, created_at, processor_event_id AS transaction_id,
				op_id LIKE 'processor_event:%' AS by_processor
			FROM affiliate_sale_events
			WHERE program_id = ${programId} AND created_at > ${now - REPORTED_TWICE_MS} AND is_test = 0
				AND duplicate_of_sale_id IS NULL AND refunded_cents < amount_cents
			ORDER BY created_at DESC LIMIT ${COMPARED_SALES}
		)
		SELECT json_object('pairs', count(DISTINCT processor_sale.id), 'transactionIds', json_array(processor_sale.transaction_id, backend_sale.transaction_id), 'newest', max(processor_sale.id))
		FROM newest processor_sale JOIN newest backend_sale ON backend_sale.customer_id = processor_sale.customer_id AND backend_sale.currency = processor_sale.currency
			AND backend_sale.amount_cents IN (processor_sale.amount_cents, processor_sale.charged_cents)
			AND abs(backend_sale.created_at - processor_sale.created_at) <= ${SAME_PAYMENT_MS}
		WHERE processor_sale.by_processor AND NOT backend_sale.by_processor
		HAVING count(*) > 0
	)`.mapWith((json: string | null) => (json === null ? null : Pairs.parse(JSON.parse(json))));
}
