import { type SQL, sql } from 'drizzle-orm';

/** A program's sales, real and test, whose transaction_id or processor reference is the id. */
export function saleIdsBy(id: string, programId: number): SQL {
	return sql`SELECT id FROM affiliate_sale_events WHERE processor_event_id = ${id} AND is_test IN (0, 1) AND id_scope IN (0, ${programId})
		UNION ALL SELECT sale_id FROM sale_aliases WHERE alias = ${id} AND is_test IN (0, 1)`;
}
